#include "conformance/known_failures.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/conformance/support.hpp"

namespace touchstone::conformance {

namespace {

namespace fs = std::filesystem;

/// Reads a text as a file of known failures.
Result<std::vector<KnownFailure>> read(const std::string& text, const std::string& name = "known.yaml") {
  const fs::path file = fs::temp_directory_path() / ("touchstone-" + std::to_string(getpid()) + name);
  std::ofstream(file) << text;
  const Result<std::vector<KnownFailure>> known = read_known_failures(file.string());
  fs::remove(file);
  return known;
}

std::string code_of(const std::string& text) {
  const Result<std::vector<KnownFailure>> known = read(text);
  return known ? "" : known.error().code;
}

/// The results of a subject that finds no candidate for the pod in the first two cases of three.
std::vector<LevelResult> two_failures(const Suite& suite) {
  oracle::Subject reference;
  std::size_t asked = 0;
  RunSetup setup = all_claimed(a_release());
  setup.repeats = 1;
  const Ask ask = [&](const std::string& line) {
    const std::string right = reference.answer(line);
    return oracle::Reply(oracle::Answer{asked++ < 2 ? R"({"outcome":"none"})" : right});
  };
  return run_suites({&suite, 1}, setup, ask, [](std::size_t) {}, k_go_on);
}

}  // namespace

TEST(KnownFailures, AreReadFromYamlAndJson) {
  const auto yaml = read("- case: a\n  reason: not yet\n  link: https://example.org/1\n  until: 2.0\n");
  ASSERT_TRUE(yaml) << yaml.error().message;
  EXPECT_EQ(yaml.value()[0].case_name, "a");
  EXPECT_EQ(yaml.value()[0].reason, "not yet");
  EXPECT_EQ(yaml.value()[0].link, "https://example.org/1");
  EXPECT_EQ(yaml.value()[0].until, "2.0");
  const auto json = read(R"({"known":[{"clause":"PRE-PDB-5","level":"pdb","reason":"old"}]})", "known.json");
  ASSERT_TRUE(json) << json.error().message;
  EXPECT_EQ(json.value()[0].clause, "PRE-PDB-5");
  EXPECT_EQ(json.value()[0].level, "pdb");
}

TEST(KnownFailures, NeedAReasonAndAName) {
  EXPECT_EQ(code_of("- case: a\n"), "missing-field");
  EXPECT_EQ(code_of("- case: a\n  reason: ''\n"), "missing-field");
  EXPECT_EQ(code_of("- reason: none\n"), "missing-field");
  EXPECT_EQ(code_of("- level: cores\n  reason: r\n"), "unknown-level");
  EXPECT_EQ(code_of("- clause: no-such-clause\n  reason: r\n"), "unknown-clause");
  EXPECT_EQ(code_of("- cases: a\n  reason: r\n"), "unknown-field");
  EXPECT_EQ(code_of("- case: [a]\n  reason: r\n"), "wrong-type");
  EXPECT_EQ(code_of("known: 7\n"), "wrong-type");
  EXPECT_EQ(code_of("a: [\n"), "yaml-malformed");
  EXPECT_EQ(read_known_failures("no-such-file.yaml").error().code, "file-unreadable");
}

TEST(KnownFailures, ExpectAFailureOfTheirCaseClauseOrLevel) {
  const Suite suite = small_suite(3, a_release());
  std::vector<LevelResult> levels = two_failures(suite);
  ASSERT_EQ(outcome_of(levels[0]), LevelOutcome::fails);
  const std::string clause = levels[0].results[0].verdict.clause;
  ASSERT_FALSE(clause.empty());
  const std::vector<std::vector<KnownFailure>> lists = {
      {{"", "", "case-0", "r", "", ""}, {"", "", "case-1", "r", "", ""}},
      {{"", clause, "", "r", "", ""}},
      {{"core", "", "", "r", "", ""}},
      {{"core", clause, "case-0", "r", "", ""}, {"core", "", "case-1", "r", "", "9"}}};
  for (const std::vector<KnownFailure>& known : lists) {
    levels = two_failures(suite);
    EXPECT_TRUE(mark_known(levels, known, "1").empty());
    EXPECT_EQ(outcome_of(levels[0]), LevelOutcome::known_failures);
  }
}

TEST(KnownFailures, OfOneCaseLeaveTheOtherUnknown) {
  const Suite suite = small_suite(3, a_release());
  std::vector<LevelResult> levels = two_failures(suite);
  EXPECT_TRUE(mark_known(levels, {{"", "", "case-0", "r", "", ""}}, "1").empty());
  EXPECT_EQ(levels[0].results[0].known, 0U);
  EXPECT_EQ(levels[0].results[1].known, std::nullopt);
  EXPECT_EQ(outcome_of(levels[0]), LevelOutcome::fails);
}

TEST(KnownFailures, ThatPassAreAProblem) {
  const Suite suite = small_suite(3, a_release());
  std::vector<LevelResult> levels = two_failures(suite);
  const std::vector<KnownProblem> problems =
      mark_known(levels, {{"", "", "case-2", "r", "", ""}, {"", "PRE-PDB-5", "", "r", "", ""}}, "1");
  ASSERT_EQ(problems.size(), 2U);
  EXPECT_EQ(problems[0].entry, 0U);
  EXPECT_EQ(problems[0].kind, KnownProblem::Kind::unexpected_pass);
  EXPECT_EQ(problems[1].kind, KnownProblem::Kind::unexpected_pass);
}

TEST(KnownFailures, ThatWereNotJudgedAreNoProblem) {
  const Suite suite = small_suite(3, a_release());
  std::vector<LevelResult> levels = two_failures(suite);
  EXPECT_TRUE(
      mark_known(levels, {{"pdb", "", "", "r", "", ""}, {"", "", "other", "r", "", ""}}, "1").empty());
}

TEST(KnownFailures, ExpireWithAVersion) {
  const Suite suite = small_suite(3, a_release());
  std::vector<LevelResult> levels = two_failures(suite);
  const std::vector<KnownFailure> known = {{"core", "", "", "r", "", "2.0"}};
  EXPECT_TRUE(mark_known(levels, known, "1.9").empty());
  levels = two_failures(suite);
  const std::vector<KnownProblem> problems = mark_known(levels, known, "2.0");
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].kind, KnownProblem::Kind::expired);
  EXPECT_EQ(outcome_of(levels[0]), LevelOutcome::fails);
}

TEST(KnownFailures, CompareVersionsNumberByNumber) {
  EXPECT_TRUE(is_at_least("1.10", "1.9"));
  EXPECT_TRUE(is_at_least("v1.2", "1.2.0"));
  EXPECT_TRUE(is_at_least("1.2-rc.1", "1.2"));
  EXPECT_FALSE(is_at_least("1.9", "1.10"));
  EXPECT_FALSE(is_at_least("", "1"));
}

}  // namespace touchstone::conformance
