#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "tests/cli/shell.hpp"

/// `touchstone scenarios`: the table, and single scenarios.
namespace touchstone {

namespace {

nlohmann::json json_of(const std::string& arguments) {
  return nlohmann::json::parse(run("scenarios " + arguments + " -o json").output, nullptr, false);
}

/// Expects one line of error with this code in brackets at its end, and the exit code for bad input.
void expect_refused(const std::string& arguments, const std::string& code, const std::string& part = "") {
  const Ran result = run("scenarios " + arguments);
  EXPECT_EQ(result.exit_code, 2) << arguments << "\n" << result.output;
  EXPECT_TRUE(result.output.ends_with(" [" + code + "]\n")) << result.output;
  EXPECT_EQ(lines_of(result.output).size(), 1u) << result.output;
  EXPECT_TRUE(contains(result.output, part)) << result.output;
}

}  // namespace

TEST(Scenarios, AreCountedAsTextAndJson) {
  const std::string few = "--release v1.34.4 --cases 300 ";
  const nlohmann::json json = json_of(few);
  EXPECT_EQ(json["release"], "v1.34.4");
  EXPECT_EQ(json["cases"], 300);
  std::size_t skipped = 0;
  for (const auto& [filter, cases] : json["skipped"].items()) skipped += cases.get<std::size_t>();
  EXPECT_EQ(json["answered"].get<std::size_t>() + skipped, 300u);
  EXPECT_GT(json["classes"]["outcome nominated"], 100);
  EXPECT_EQ(json["classes"]["outcome nominated"], json["clauses"]["PRE-OUTCOME-1"]);
  EXPECT_GT(json["families"]["pdbs"], 100);
  const std::string text = run("scenarios " + few).output;
  EXPECT_TRUE(contains(text, "300 scenarios of seed 1, release v1.34.4\n")) << text;
  EXPECT_TRUE(contains(text, "\nCLAUSE ")) << text;
  EXPECT_TRUE(contains(text, "\ntie of two nodes ")) << text;
  EXPECT_TRUE(contains(text, "\n512 nodes ")) << text;
  EXPECT_TRUE(contains(text, " unit tests Workers.* ")) << text;
}

TEST(Scenarios, CountSizesOnBothSidesOfEachThreshold) {
  const nlohmann::json thresholds = json_of("--cases 200")["thresholds"];
  EXPECT_EQ(thresholds.size(), 11U);
  for (const nlohmann::json& each : thresholds) {
    EXPECT_EQ(each["below"].get<int>() + each["at"].get<int>() + each["beyond"].get<int>(), 200) << each;
    EXPECT_FALSE(each["change"].get<std::string>().empty()) << each;
  }
}

TEST(Scenarios, LackOnlyClausesThatTheCommandCanShow) {
  const auto lacking = [](const std::string& command) {
    std::set<std::string> groups;
    const nlohmann::json clauses = json_of("--cases 1 --command " + command)["clausesNotShown"];
    for (const nlohmann::json& clause : clauses) groups.insert(clause.get<std::string>().substr(0, 4));
    return groups;
  };
  EXPECT_EQ(lacking("run"), (std::set<std::string>{"PRE-"}));
  EXPECT_EQ(lacking("schedule"), (std::set<std::string>{"CYC-", "EXT-", "PRE-", "SCOR"}));
}

TEST(Scenarios, AreTheSameForTheSameSeed) {
  EXPECT_EQ(json_of("--cases 50"), json_of("--cases 50 --seed 1"));
  EXPECT_NE(json_of("--cases 50"), json_of("--cases 50 --seed 2"));
  const std::string show = "scenarios --show 3 -o json ";
  EXPECT_EQ(run(show).output, run(show).output);
  EXPECT_NE(run(show).output, run(show + "--seed 2").output);
  EXPECT_NE(run(show).output, run("scenarios --show 4 -o json").output);
}

TEST(Scenarios, AreShownAsALineOfTheProtocol) {
  const Ran shown = run("scenarios --release v1.29.6 --show 12 -o json");
  EXPECT_EQ(lines_of(shown.output).size(), 1u);
  const nlohmann::json line = nlohmann::json::parse(shown.output);
  EXPECT_EQ(line["cmd"], "run");
  EXPECT_EQ(line["seq"], 12);
  EXPECT_EQ(line["release"], "v1.29.6");
  const Ran answered = shell("touchstone scenarios --show 12 -o json | touchstone subject");
  EXPECT_TRUE(contains(answered.output, "\"seq\":12,")) << answered.output;
  EXPECT_FALSE(contains(answered.output, "\"error\":{")) << answered.output;
}

TEST(Scenarios, AreShownAsObjectsThatDecideReads) {
  // Without PDBs: no API server accepts some of their selectors.
  const std::string which = "--families starts,terminating --release v1.34.4 --show ";
  for (const char* number : {"0", "1", "2", "3"}) {
    const std::string show = "touchstone scenarios " + which + number;
    const Ran decided =
        shell(show + " -o yaml | touchstone decide -f - --pod default/p --release v1.34.4 -o json");
    const Ran answered = shell(show + " -o json | touchstone subject");
    ASSERT_EQ(decided.exit_code, 0) << decided.output;
    const nlohmann::json decision = nlohmann::json::parse(decided.output);
    const nlohmann::json answer = nlohmann::json::parse(answered.output);
    for (const char* key : {"outcome", "candidates", "filter", "admissible"})
      EXPECT_EQ(decision[key], answer[key]) << number << " " << key;
  }
  EXPECT_EQ(run("scenarios --show 0").output, run("scenarios --show 0 -o yaml").output);
}

TEST(Scenarios, HaveTheFamiliesAskedFor) {
  const nlohmann::json families = json_of("--cases 200 --families pdbs,taints --families ports")["families"];
  EXPECT_GT(families["pdbs"], 50);
  EXPECT_GT(families["taints"], 20);
  EXPECT_GT(families["ports"], 20);
  EXPECT_EQ(families["offset"], 0);
}

TEST(Scenarios, SayWhatIsWrong) {
  expect_refused("--families pdb,taints", "unknown-family", "no family \"pdb\"; did you mean pdbs?");
  expect_refused("--families everything", "unknown-family", "(touchstone scenarios --help lists them)");
  expect_refused("--release v1.7", "unknown-release");
  expect_refused("--cases 0", "usage", "option --cases takes N, not \"0\"");
  expect_refused("--cases many", "usage");
  expect_refused("--show -1", "usage", "option --show takes N, not \"-1\"");
  expect_refused("--seed -1", "usage");
  expect_refused("-o xml", "usage", "text|json|yaml");
  expect_refused("7", "usage", "unexpected argument");
}

}  // namespace touchstone
