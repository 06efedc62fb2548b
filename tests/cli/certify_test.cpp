#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/shell.hpp"

/// `touchstone certify`: what it certifies, refutes, writes and refuses.
namespace touchstone {

namespace {

const std::string k_certify =
    "certify -f examples/training-job.json --pod prod/web-0 --release v1.34 --color never ";

/// Certifies a decision that is given on standard input.
Ran given(const std::string& decision, const std::string& more = "") {
  return shell("echo '" + decision + "' | touchstone " + k_certify + "--decision - " + more);
}

void expect_error(const Ran& result, const std::string& path, const std::string& code) {
  EXPECT_EQ(result.exit_code, 2) << result.output;
  EXPECT_TRUE(contains(result.output, "standard input" + path)) << result.output;
  EXPECT_TRUE(contains(result.output, "[" + code + "]")) << result.output;
  EXPECT_EQ(lines_of(result.output).size(), 1u) << result.output;
}

}  // namespace

TEST(CertifyCommand, CertifiesItsOwnDecision) {
  const Ran result = run(k_certify);
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_TRUE(contains(result.output, "\ncertified: ")) << result.output;
  EXPECT_TRUE(contains(result.output, "\n  PRE-VICTIM-6  ")) << result.output;
}

TEST(CertifyCommand, CertifiesWhatDecideAnswered) {
  const Ran result = shell(
      "touchstone decide -f examples/training-job.json --pod prod/web-0 --release v1.34 -o json | "
      "touchstone " +
      k_certify + "--decision - -o json");
  EXPECT_EQ(result.exit_code, 0) << result.output;
  const nlohmann::json json = nlohmann::json::parse(result.output);
  EXPECT_EQ(json["verdict"], "certified");
  EXPECT_EQ(json["decision"]["node"], "gpu-c");
  EXPECT_FALSE(json["obligations"].empty());
}

TEST(CertifyCommand, RefutesWithTheClauseAndABetterAnswer) {
  const Ran text = run(k_certify + "--decision examples/decision.json");
  EXPECT_EQ(text.exit_code, 1) << text.output;
  EXPECT_TRUE(contains(text.output, "[PRE-NODE-1]\nbetter: nominated: node gpu-c, evicting batch/notebook-1"))
      << text.output;
  const Ran result = run(k_certify + "--decision examples/decision.json -o json");
  EXPECT_EQ(result.exit_code, 1);
  const nlohmann::json json = nlohmann::json::parse(result.output);
  EXPECT_EQ(json["verdict"], "refuted");
  EXPECT_EQ(json["clause"], "PRE-NODE-1");
  EXPECT_EQ(json["better"]["node"], "gpu-c");
  EXPECT_EQ(json["better"]["victims"], nlohmann::json({"batch/notebook-1"}));
  EXPECT_EQ(json["better"]["numPDBViolations"], 0);
}

TEST(CertifyCommand, RefutesThatNothingHelps) {
  EXPECT_EQ(nlohmann::json::parse(given(R"({"outcome":"none"})", "-o json").output)["clause"],
            "PRE-OUTCOME-3");
}

TEST(CertifyCommand, SaysWhatIsBeyondReach) {
  const Ran result = run("certify -f examples/situations/anti-affinity.yaml --release v1.34 --color never");
  EXPECT_EQ(result.exit_code, 3) << result.output;
  EXPECT_TRUE(contains(result.output, "\nbeyond reach: InterPodAffinity")) << result.output;
  // It prints this before anything is decided.
  EXPECT_TRUE(contains(result.output, ", release v1.34.")) << result.output;
  EXPECT_FALSE(contains(result.output, "nominated")) << result.output;
  const nlohmann::json json = nlohmann::json::parse(
      run("certify -f examples/situations/anti-affinity.yaml --release v1.34 -o json 2> /dev/null").output);
  EXPECT_EQ(json["verdict"], "beyondReach");
  EXPECT_FALSE(json.contains("decision"));
}

TEST(CertifyCommand, WritesObligationsForAnySolver) {
  const std::string write = "dir=$(mktemp -d); trap 'rm -r $dir' EXIT; touchstone " + k_certify +
                            "--smt2 $dir/it.smt2 > /dev/null; ";
  const Ran counted =
      shell(write + "grep -c '^; PRE-.*expected: unsat$' $dir/it.smt2; grep -c '^(check-sat)$' $dir/it.smt2");
  const std::vector<std::string> counts = lines_of(counted.output);
  ASSERT_EQ(counts.size(), 2u) << counted.output;
  EXPECT_EQ(counts[0], counts[1]);
  EXPECT_NE(counts[0], "0");
  if (shell("cvc5 --version > /dev/null 2>&1").exit_code != 0) GTEST_SKIP() << "cvc5 is not installed";
  EXPECT_EQ(shell(write + "cvc5 --incremental $dir/it.smt2 | sort -u").output, "unsat\n");
}

TEST(CertifyCommand, WantsADecision) {
  expect_error(given("{"), "", "json-malformed");
  expect_error(given("[]"), "", "wrong-type");
  expect_error(given("{}"), "", "missing-field");
  expect_error(given(R"({"outcome":1})"), ": outcome", "wrong-type");
  expect_error(given(R"({"outcome":"maybe"})"), ": outcome", "unknown-outcome");
  expect_error(given(R"({"outcome":"skipped"})"), ": outcome", "unknown-outcome");
  expect_error(given(R"({"outcome":"nominated"})"), "", "missing-field");
  expect_error(given(R"({"outcome":"nominated","node":"n9","victims":[]})"), ": node", "unknown-node");
  expect_error(given(R"({"outcome":"nominated","node":"gpu-c"})"), "", "missing-field");
  expect_error(given(R"({"outcome":"nominated","node":"gpu-c","victims":["a/b"]})"), ": victims[0]",
               "unknown-pod");
  expect_error(given(R"({"outcome":"nominated","node":"gpu-c","victims":["batch/train-0","batch/train-0"]})"),
               ": victims[1]", "duplicate-object");
  expect_error(given(R"({"outcome":"nominated","node":"gpu-c","victims":[],"numPDBViolations":-1})"),
               ": numPDBViolations", "out-of-range");
  expect_error(given(R"({"outcome":"fits","feasible":"gpu-c"})"), ": feasible", "wrong-type");
  expect_error(given(R"({"outcome":"nominated","node":"gpu-c","victims":[],"violations":0})"), ": violations",
               "unknown-field");
  EXPECT_EQ(run(k_certify + "--decision /nonexistent").exit_code, 2);
  EXPECT_EQ(run(k_certify + "--smt2 /nonexistent/it.smt2").exit_code, 2);
}

}  // namespace touchstone
