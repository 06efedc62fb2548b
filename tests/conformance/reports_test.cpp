#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "conformance/reports/report.hpp"
#include "tests/conformance/support.hpp"

/// Reports: the formats of one report with each verdict, compared with golden files. tests/conformance/
/// formats.py validates the golden files. With TOUCHSTONE_UPDATE=1 the tests write them.
namespace touchstone::conformance {

namespace {

const std::string k_golden = "tests/conformance/golden/";

void expect_golden(const std::string& name, const std::string& text) {
  if (std::getenv("TOUCHSTONE_UPDATE") != nullptr) std::ofstream(k_golden + name, std::ios::binary) << text;
  std::ifstream in(k_golden + name, std::ios::binary);
  std::ostringstream golden;
  golden << in.rdbuf();
  EXPECT_EQ(golden.str(), text) << name;
}

/// Suites and a report with every verdict, a known failure, and two known failures that are wrong.
struct Fixture {
  std::vector<Suite> suites;
  Report report;

  Fixture() {
    suites = {small_suite(10, a_release()), small_suite(1, a_release())};
    suites[1].level = &level_of(LevelId::pdb);
    suites[1].cases[0].needed.insert("pdbs");
    suites[0].cases[0].source = "spec/vectors/core/pdb.json";
    suites[0].cases[9].answers = 2;
    oracle::Subject reference;
    std::size_t asked = 0;
    RunSetup setup = all_claimed(a_release());
    setup.claimed = {"core"};
    setup.repeats = 1;
    const auto failure = [](oracle::FailureKind kind) {
      return oracle::Failure{kind, oracle::Moment::question, "exit code 7", {}, "panic: <1> & \"2\"\n"};
    };
    const Ask ask = [&](const std::string& line) -> oracle::Reply {
      switch (asked++) {
        case 1:
          return oracle::Answer{R"({"outcome":"nominated","node":"n1","victims":["default/b","default/a"]})"};
        case 2:
          return oracle::Answer{R"({"outcome":"none"})"};
        case 3:
          return failure(oracle::FailureKind::crashed);
        case 4:
          return failure(oracle::FailureKind::hung);
        case 5:
          return failure(oracle::FailureKind::garbage);
        case 6:
          return oracle::Answer{R"({"skipped":"priorities"})"};
        default:
          return oracle::Answer{reference.answer(line)};
      }
    };
    report.levels = run_suites(suites, setup, ask, [](std::size_t) {}, k_go_on);
    report.levels[0].results[7].verdict = {.kind = VerdictKind::skipped, .detail = "not asked"};
    report.release = "v1.36.3";
    report.subject = {{"name", "half"}, {"version", "1.2"}};
    report.command = {"python3", "half done.py", "it's"};
    report.claimed = setup.claimed;
    report.known_file = "known.yaml";
    report.known = {{"core", "", "case-2", "not yet", "https://example.org/7", "2.0"},
                    {"", "", "case-9", "it is fixed", "", ""},
                    {"", "PRE-PDB-5", "", "old", "", "1.0"}};
    report.problems = mark_known(report.levels, report.known, "1.2");
  }
};

}  // namespace

TEST(ConformanceReports, HaveTheirGoldenForms) {
  const Fixture fixture;
  const Report& report = fixture.report;
  expect_golden("report.json", report_json(report).dump(1) + "\n");
  expect_golden("junit.xml", report_junit(report));
  expect_golden("report.sarif", report_sarif(report).dump(1) + "\n");
  expect_golden("github.txt", report_github(report));
  expect_golden("badge-core.json", badge_of(report.levels[0], report).dump(1) + "\n");
  expect_golden("badge-all.json", badge_of_all(report).dump(1) + "\n");
}

TEST(ConformanceReports, CountEachVerdictOnce) {
  const Fixture fixture;
  const Json json = report_json(fixture.report);
  EXPECT_EQ(json.at("levels")[0].at("verdicts"),
            Json::parse(R"({"conforms":2,"conformsAsOneOf":1,"violates":2,"crashed":1,"hung":1,"malformed":1,
                            "unsupported":1,"skipped":1})"));
  EXPECT_EQ(json.at("levels")[1].at("outcome"), "notClaimed");
  EXPECT_EQ(json.at("notClaimed"), Json::parse(R"({"pdbs":1})"));
  EXPECT_EQ(json.at("failures").size(), 7U);
  EXPECT_FALSE(json.at("conforms"));
}

TEST(ConformanceReports, ConformIfNoLevelFailsAndNoKnownFailureIsWrong) {
  Fixture fixture;
  Report& report = fixture.report;
  EXPECT_FALSE(conforms(report));
  for (CaseResult& each : report.levels[0].results) {
    if (!is_good(each.verdict.kind)) each.known = 0;
  }
  EXPECT_FALSE(conforms(report));  // known failures are wrong
  report.problems.clear();
  EXPECT_TRUE(conforms(report));
  EXPECT_EQ(badge_of(report.levels[0], report).at("color"), "yellow");
  EXPECT_EQ(badge_of_all(report).at("color"), "yellow");
  report.levels[0].results.clear();
  EXPECT_FALSE(conforms(report));  // nothing was judged
  EXPECT_EQ(badge_of(report.levels[0], report).at("message"), "not claimed");
}

TEST(ConformanceReports, OfASubjectThatConformsAreGreen) {
  Fixture fixture;
  Report& report = fixture.report;
  report.problems.clear();
  for (CaseResult& each : report.levels[0].results) each.verdict = {};
  EXPECT_TRUE(conforms(report));
  EXPECT_EQ(badge_of(report.levels[0], report).at("color"), "brightgreen");
  EXPECT_EQ(badge_of_all(report).at("color"), "brightgreen");
  EXPECT_EQ(badge_of_all(report).at("message"), "1 of 1 levels");
  EXPECT_TRUE(report_sarif(report).at("runs")[0].at("results").empty());
  report.interrupted = true;
  EXPECT_EQ(badge_of(report.levels[0], report).at("message"), "interrupted");
  EXPECT_EQ(badge_of_all(report).at("message"), "interrupted");
}

TEST(ConformanceReports, QuoteTheCommandForAShell) {
  const Fixture fixture;
  EXPECT_EQ(replay_of(fixture.report.levels[0].results[1], fixture.report),
            "touchstone conform --release v1.36.3 --case case-1 -- python3 'half done.py' 'it'\\''s'");
}

}  // namespace touchstone::conformance
