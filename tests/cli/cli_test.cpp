#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

/// The commands as a user runs them: from the root of the project, with TOUCHSTONE naming the binary.
namespace touchstone {

namespace {

struct Ran {
  int exit_code = 0;
  std::string output;  ///< standard output and standard error
};

/// Runs with both outputs, or, with "2> /dev/null" among the arguments, standard output alone.
Ran run(const std::string& arguments) {
  const char* binary = std::getenv("TOUCHSTONE");
  if (binary == nullptr) return {-1, "TOUCHSTONE is not set"};
  FILE* pipe = ::popen((std::string(binary) + " 2>&1 " + arguments).c_str(), "r");
  Ran result;
  char buffer[4096];
  std::size_t got = 0;
  while ((got = std::fread(buffer, 1, sizeof buffer, pipe)) > 0) result.output.append(buffer, got);
  const int status = ::pclose(pipe);
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -2;
  return result;
}

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

TEST(Cli, EveryCommandHasHelpWithAnExample) {
  for (const char* command : {"", "decide", "releases", "rules", "subject", "vectors"}) {
    const Ran result = run(std::string(command) + " --help");
    EXPECT_EQ(result.exit_code, 0) << command;
    EXPECT_NE(result.output.find("Example: "), std::string::npos) << command;
  }
}

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

TEST(Cli, ReadsDirectoriesAndSeveralSources) {
  EXPECT_EQ(run("decide -f examples --pod prod/web-0").exit_code, 0);
  const Ran twice = run(k_decide + "-f examples --pod prod/web-0");
  EXPECT_EQ(twice.exit_code, 0);
  EXPECT_NE(twice.output.find("[duplicate-objects]"), std::string::npos) << twice.output;
}

TEST(Cli, ReadsStandardInputAndGzip) {
  EXPECT_EQ(run("decide -f - --pod prod/web-0 < examples/training-job.json").exit_code, 0);
  const Ran direct = run(k_decide + "--pod prod/web-0 -o json 2> /dev/null");
  const std::string zipped = "decide -f - --pod prod/web-0 -o json";
  const Ran piped = run("--version; gzip -c examples/training-job.json | $TOUCHSTONE " + zipped);
  EXPECT_EQ(piped.exit_code, 0);
  EXPECT_NE(piped.output.find(direct.output), std::string::npos);
}

TEST(Cli, NamesWhatIsWrongWithItsInput) {
  expect_error("decide -f no-such-file.json --pod a/b", "file-unreadable");
  expect_error("decide -f README.md --pod a/b", "yaml-malformed");
  expect_error("decide -f /dev/null --pod a/b", "empty");
  expect_error("decide -f /dev/zero --pod a/b", "empty");
  expect_error("decide -f kubernetes --pod a/b", "no-objects");
  expect_error("decide -f - -f - --pod a/b", "repeated-source");
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
  const auto contains = [](const char* path, const std::string& output) {
    if (output.size() < 200) return false;
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str().find(output + "```\n") != std::string::npos;
  };
  EXPECT_TRUE(contains("spec/releases.md", "```\n" + run("releases").output));
  EXPECT_TRUE(contains("README.md", run(k_decide + "--pod prod/web-0 --release v1.34 2> /dev/null").output));
}

TEST(Cli, ChecksAFileOfVectors) {
  const Ran result = run("vectors spec/vectors/core/start.json");
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_NE(result.output.find(" 0 disagreements"), std::string::npos) << result.output;
}

TEST(Cli, ServesTheProtocol) {
  const Ran result = run("subject < tests/cli/session.jsonl");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 4) << result.output;
  EXPECT_NE(result.output.find("\"seq\":1,\"outcome\":\"fits\",\"feasible\":[\"n1\"]"), std::string::npos);
  EXPECT_NE(result.output.find("unknown-release"), std::string::npos);
}

}  // namespace touchstone
