#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/cli/shell.hpp"

/// What the commands answer.
namespace touchstone {

namespace {

/// One line of complaint, the exit code for wrong input, and the code in brackets at its end.
void expect_error(const std::string& arguments, const std::string& code) {
  const Ran result = run(arguments);
  EXPECT_EQ(result.exit_code, 2) << arguments << "\n" << result.output;
  EXPECT_NE(result.output.find("[" + code + "]"), std::string::npos) << arguments << "\n" << result.output;
  EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 1) << arguments << "\n"
                                                                             << result.output;
}

const std::string k_decide = "decide -f examples/training-job.json ";

}  // namespace

TEST(Cli, DecidesTheExampleCluster) {
  const Ran text = run(k_decide + "--pod prod/web-0 --release v1.34");
  EXPECT_EQ(text.exit_code, 0) << text.output;
  EXPECT_NE(text.output.find("nominated: node "), std::string::npos) << text.output;
  const Ran json = run(k_decide + "--pod prod/web-0 --release v1.34 -o json 2> /dev/null");
  const nlohmann::json answer = nlohmann::json::parse(json.output);
  EXPECT_EQ(answer["outcome"], "nominated");
  EXPECT_EQ(answer["release"], "v1.34.13");
  EXPECT_EQ(answer["anyOrder"][0]["node"], answer["node"]);
}

TEST(Cli, ReadsStandardInputAndGzip) {
  EXPECT_EQ(run("decide -f - --pod prod/web-0 < examples/training-job.json").exit_code, 0);
  const Ran direct = run(k_decide + "--pod prod/web-0 -o json 2> /dev/null");
  const std::string zipped = "decide -f - --pod prod/web-0 -o json";
  const Ran piped = run("--version; gzip -c examples/training-job.json | touchstone " + zipped);
  EXPECT_EQ(piped.exit_code, 0);
  EXPECT_NE(piped.output.find(direct.output), std::string::npos);
}

TEST(Cli, NamesWhatIsWrongWithItsInput) {
  expect_error("decide -f no-such-file.json --pod a/b", "file-unreadable");
  expect_error("decide -f README.md --pod a/b", "json-malformed");
  expect_error("decide -f /dev/null --pod a/b", "json-malformed");
  expect_error("decide -f examples --pod a/b", "file-unreadable");
  expect_error(k_decide + "--pod prod/nobody", "unknown-pod");
  expect_error(k_decide + "--pod web-0", "unknown-pod");
  expect_error(k_decide + "--pod batch/train-0", "pod-not-pending");
  expect_error(k_decide + "--pod prod/web-0 --release v1.7", "unknown-release");
  expect_error("rules PRE-NONE", "unknown-clause");
  expect_error("vectors no-such-directory", "file-unreadable");
  expect_error("vectors spec/vectors/core/start.json --case none", "nothing-checked");
  expect_error("dance", "usage");
  expect_error("", "usage");
  expect_error(k_decide, "usage");
  expect_error(k_decide + "--pod prod/web-0 -o xml", "usage");
}

TEST(Cli, ListsReleasesAndRulesAsTextAndJson) {
  EXPECT_NE(run("releases").output.find("recorded from running v1.30.4, v1.30.14"), std::string::npos);
  EXPECT_GT(nlohmann::json::parse(run("releases -o json").output)["changes"].size(), 40u);
  EXPECT_NE(run("rules").output.find("PRE-PDB-3"), std::string::npos);
  EXPECT_NE(run("rules PRE-PDB-3").output.find("Evidence:"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(run("rules PRE-PDB-3 -o json").output).size(), 1u);
}

TEST(Cli, PrintsWhatTheDocumentsShow) {
  const auto shown_in = [](const char* path, const std::string& output) {
    if (output.size() < 200) return false;
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str().find(output + "```\n") != std::string::npos;
  };
  EXPECT_TRUE(shown_in("spec/releases.md", "```\n" + run("releases").output));
  EXPECT_TRUE(shown_in("README.md", run(k_decide + "--pod prod/web-0 --release v1.34 2> /dev/null").output));
}

TEST(Cli, ChecksAFileOfVectors) {
  const Ran result = run("vectors spec/vectors/core/start.json");
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_NE(result.output.find(" 0 disagreements"), std::string::npos) << result.output;
  EXPECT_EQ(result.output.find('\r'), std::string::npos) << result.output;
}

TEST(Cli, ServesTheProtocol) {
  const Ran result = run("subject < tests/cli/session.jsonl");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 4) << result.output;
  EXPECT_NE(result.output.find("\"seq\":1,\"outcome\":\"fits\",\"feasible\":[\"n1\"]"), std::string::npos);
  EXPECT_NE(result.output.find("unknown-release"), std::string::npos);
}

}  // namespace touchstone
