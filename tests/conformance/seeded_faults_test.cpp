#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "faults/fault_levels.hpp"
#include "tests/conformance/support.hpp"
#include "tests/support/scale.hpp"

/// A scheduler with a seeded fault violates the clause that the fault breaks, and the reference conforms to
/// itself.
namespace touchstone::conformance {

using faults::Fault;
using faults::FaultLevel;
using faults::read_fault_levels;

namespace {

/// Each seventh case of the suites of a release; all of them in the long run.
std::vector<Suite> some_cases(const std::string& release) {
  const std::size_t step = tests::scaled(1) > 1 ? 1 : 7;
  std::vector<Suite> suites = suites_for(release);
  for (Suite& suite : suites) {
    std::vector<Case> some;
    for (std::size_t i = 0; i < suite.cases.size(); i += step) some.push_back(suite.cases[i]);
    suite.cases = std::move(some);
  }
  return suites;
}

}  // namespace

// touchstone conform --faults conformance/faults.json --update measures all suites again.
TEST(SeededFaults, ViolateTheClauseThatTheyBreak) {
  const std::vector<FaultLevel> saved = read_fault_levels("conformance/faults.json").value();
  std::set<std::string_view> named;
  for (const FaultLevel& each : saved) {
    const Fault& fault = *each.fault;
    named.insert(fault.id);
    const Level* level = find_level(each.level);
    ASSERT_NE(level, nullptr) << fault.id << " violates its clause at no level";
    const NamedRelease release = find_release(fault.release).value();
    const std::optional<Case> one = find_case(fixed_cases(), release, *level, each.case_name);
    ASSERT_TRUE(one.has_value()) << each.case_name << " of " << fault.id << " in " << fault.release;
    EXPECT_TRUE(faults::clauses_violated(fault, *one, level->id, release).contains(std::string(fault.clause)))
        << fault.id;
  }
  for (const std::vector<Fault>* table : {&faults::faults(), &faults::timeline_faults()}) {
    for (const Fault& fault : *table) {
      if (!faults::is_identity(fault)) EXPECT_TRUE(named.contains(fault.id)) << fault.id << " was not judged";
    }
  }
}

TEST(SeededFaults, TheIdentityViolatesNothing) {
  for (const Fault& fault : {faults::faults()[1], faults::timeline_faults()[1]}) {
    ASSERT_TRUE(faults::is_identity(fault));
    const FaultLevel result = faults::level_of(fault, some_cases(std::string(fault.release)), k_go_on);
    EXPECT_TRUE(result.level.empty() && result.instead.empty());
  }
}

TEST(SeededFaults, LevelsAreSavedAndRead) {
  const Fault& canary = faults::faults().front();
  const std::vector<FaultLevel> levels = {{&canary, "core", "a", {}}, {&canary, "", "", {"PRE-PDB-1"}}};
  const std::string file = (std::filesystem::temp_directory_path() / "touchstone-fault-levels.json").string();
  std::ofstream(file) << faults::json_of(levels).dump();
  const std::vector<FaultLevel> read = read_fault_levels(file).value();
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].level, "core");
  EXPECT_EQ(read[1].instead, (std::vector<std::string>{"PRE-PDB-1"}));
  std::ofstream(file) << R"({"faults":[{"fault":"no-such-fault"}]})";
  EXPECT_EQ(read_fault_levels(file).error().code, "faults-malformed");
  std::ofstream(file) << "{}";
  EXPECT_EQ(read_fault_levels(file).error().code, "faults-malformed");
  std::filesystem::remove(file);
}

// Of the published releases the oldest, the newest, and one between; the identity above is a subject of
// v1.34.4.
TEST(Releases, ConformToThemselves) {
  for (const char* name : {"v1.13.0", "v1.20.15", "v1.37.2"}) {
    const NamedRelease release = find_release(name).value();
    oracle::Subject subject;
    RunSetup setup = all_claimed(release);
    setup.repeats = 1;
    const std::vector<Suite> suites = some_cases(name);
    for (const LevelResult& level : run_suites(suites, setup, ask_of(subject), [](std::size_t) {}, k_go_on)) {
      // v1.20.15 is not modelled over time, so Time has no cases.
      const LevelOutcome expected =
          level.suite->cases.empty() ? LevelOutcome::not_claimed : LevelOutcome::passes;
      EXPECT_EQ(outcome_of(level), expected) << name << " " << level.suite->level->name;
      for (const CaseResult& each : level.results) {
        if (is_good(each.verdict.kind)) continue;
        ADD_FAILURE() << name << " " << each.question->name << " " << name_of(each.verdict.kind) << " "
                      << each.verdict.clause << " " << each.verdict.detail;
      }
    }
  }
}

}  // namespace touchstone::conformance
