#include <gtest/gtest.h>

#include <iostream>
#include <map>

#include "faults/fault.hpp"
#include "fuzz/campaign/laws.hpp"
#include "tests/conformance/support.hpp"

/// A scheduler with a seeded fault violates the clause that the fault breaks, and the reference conforms to
/// itself.
namespace touchstone::conformance {

namespace {

/// Whether a fault changes the answer to a case: only then the case is judged.
bool is_triggered(const faults::Fault& fault, const Case& one, const Release& release) {
  const Question question = kubernetes::read_question_text(one.question.dump(), one.name).value();
  const faults::FaultOn on(fault);
  const oracle::Decider& decider = faults::faulty_decider();
  if (one.command == oracle::Command::run) {
    fuzz::decide(decider, question, release);
  } else {
    fuzz::schedule(decider, question, release);
  }
  return faults::fault_switch.triggered > 0;
}

/// The clauses that a fault violates, until it violates its own. By clause: the level and the first case.
std::map<std::string, std::string> clauses_violated(const faults::Fault& fault) {
  const NamedRelease release = find_release(fault.release).value();
  const RunSetup setup = all_claimed(release);
  std::map<std::string, std::string> violated;
  oracle::Subject subject(oracle::Engine::reference, faults::faulty_decider());
  for (const Suite& suite : suites_for(std::string(fault.release))) {
    for (const Case& one : suite.cases) {
      if (!is_triggered(fault, one, release.release)) continue;
      const Suite alone{suite.level, {one}, suite.hash};
      const auto ask = [&](const std::string& line) {
        const faults::FaultOn on(fault);
        return oracle::Reply(oracle::Answer{subject.answer(line)});
      };
      const auto level = run_suites({&alone, 1}, setup, ask, [](std::size_t) {}, k_go_on).front();
      if (level.results.empty()) continue;
      const CaseVerdict& verdict = level.results.front().verdict;
      if (verdict.kind != VerdictKind::violates) continue;
      violated.emplace(verdict.clause, std::string(suite.level->name) + " " + one.name);
      if (verdict.clause == fault.clause) return violated;
    }
  }
  return violated;
}

}  // namespace

TEST(SeededFaults, ViolateTheClauseThatTheyBreak) {
  std::size_t right = 0;
  for (const faults::Fault& fault : faults::faults()) {
    if (fault.id == faults::k_identity) continue;
    const std::map<std::string, std::string> violated = clauses_violated(fault);
    if (violated.contains(std::string(fault.clause))) {
      ++right;
      continue;
    }
    std::string others;
    for (const auto& [clause, where] : violated) others += "\n  " + clause + " in " + where;
    ADD_FAILURE() << fault.id << " of " << fault.clause << " in " << fault.release
                  << (others.empty() ? " violates nothing" : " violates only" + others);
  }
  std::cout << right << " faults violate their clause\n";
}

TEST(SeededFaults, TheIdentityViolatesNothing) {
  for (const faults::Fault& fault : faults::faults()) {
    if (fault.id == faults::k_identity) EXPECT_TRUE(clauses_violated(fault).empty());
  }
}

TEST(Releases, ConformToThemselves) {
  for (const char* name : {"v1.8.0", "v1.13.0", "v1.20.15", "v1.29.6", "v1.34.4", "v1.37.2"}) {
    const NamedRelease release = find_release(name).value();
    oracle::Subject subject;
    RunSetup setup = all_claimed(release);
    setup.repeats = 1;
    for (const LevelResult& level :
         run_suites(suites_for(name), setup, ask_of(subject), [](std::size_t) {}, k_go_on)) {
      EXPECT_EQ(outcome_of(level), LevelOutcome::passes) << name << " " << level.suite->level->name;
      for (const CaseResult& each : level.results) {
        if (is_good(each.verdict.kind)) continue;
        ADD_FAILURE() << name << " " << each.question->name << " " << name_of(each.verdict.kind) << " "
                      << each.verdict.clause << " " << each.verdict.detail;
      }
    }
  }
}

}  // namespace touchstone::conformance
