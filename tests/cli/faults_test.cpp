#include <gtest/gtest.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "tests/cli/shell.hpp"

/// `touchstone faults`: what it prints, and the tables that it is built from.
namespace touchstone {

namespace {

/// The output of the generator for a table with one fault in victims.cpp.
Ran generated(const std::string& right, const std::string& more = "") {
  return shell(
      "dir=$(mktemp -d); trap 'rm -r $dir' EXIT; cat > $dir/one.toml <<'END'\n"
      "[[fault]]\nid = \"one\"\ntitle = \"t\"\nclause = \"PRE-VICTIM-1\"\nsource = \"slip\"\n"
      "release = \"v1.34.4\"\nin = \"preemption/victims.cpp\"\nwrong = 'false'\nright = '" +
      right + "'\n" + more +
      "\nEND\n"
      "python3 faults/faulty/generate.py $dir $dir/one.toml -- reference/preemption/victims.cpp 2>&1");
}

/// Expects that a file of kept results has those of all faults of the tables, by all judges.
void expect_kept(const std::string& file, const std::string& tables, std::size_t judges) {
  const std::string kept = "faults --kept " + file;
  EXPECT_EQ(run(kept).exit_code, 0) << file;
  const nlohmann::json json = nlohmann::json::parse(run(kept + " -o json").output);
  EXPECT_EQ(shell("touchstone " + kept + " -o json | diff - " + file).exit_code, 0);
  std::set<std::string> found;
  for (const nlohmann::json& fault : json["faults"]) {
    EXPECT_EQ(fault["judges"].size(), judges) << fault["id"];
    for (const auto& [judge, result] : fault["judges"].items())
      EXPECT_FALSE(result.contains("skipped")) << fault["id"] << " by " << judge;
    found.insert(fault["id"]);
  }
  std::istringstream ids(shell("sed -n 's/^id = \"\\(.*\\)\"/\\1/p' " + tables).output);
  EXPECT_EQ(found, std::set<std::string>(std::istream_iterator<std::string>(ids), {})) << file;
}

}  // namespace

TEST(FaultsCommand, TellsHowSoonACampaignDetectsAFault) {
  const Ran result = run("faults --fault equals-are-victims --judge campaign --seeds 3 -o json");
  EXPECT_EQ(result.exit_code, 0);
  const nlohmann::json json = nlohmann::json::parse(result.output);
  ASSERT_EQ(json["faults"].size(), 1u);
  const nlohmann::json& fault = json["faults"][0];
  EXPECT_EQ(fault["clause"], "PRE-VICTIM-1");
  EXPECT_EQ(fault["reached"], true);
  EXPECT_EQ(fault["triggered"], true);
  EXPECT_EQ(fault["judges"].size(), 1u);
  EXPECT_EQ(fault["judges"]["campaign"]["trials"].size(), 3u);
  EXPECT_EQ(fault["judges"]["campaign"]["detected"], 3);
  EXPECT_GE(fault["judges"]["campaign"]["median"]["cases"], 1);
  EXPECT_TRUE(json["failures"].empty());
}

TEST(FaultsCommand, TellsTheSameAsText) {
  const Ran result = run("faults --fault equals-are-victims --judge campaign --seeds 1");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(contains(result.output, "equals-are-victims"));
  EXPECT_TRUE(contains(result.output, "1 of 1 faults are detected by the campaign in a median time of "));
  EXPECT_TRUE(contains(result.output, "1 of 1 faults are refuted by a theorem"));
}

TEST(FaultsCommand, TellsWhyNoTheoremRefutesAFault) {
  const Ran result = run("faults --fault one-full-stop --judge campaign --seeds 1");
  EXPECT_TRUE(contains(result.output,
                       "0 of 1 faults are refuted by a theorem\n"
                       "  1 is not. The clause is about the text of a message"))
      << result.output;
}

TEST(FaultsCommand, FailsWhereNobodyDetectsAFault) {
  // The enumeration tries clusters of at most two nodes, but this fault needs more than a thousand.
  const Ran result = run("faults --fault quota-rounds-up --judge enumeration");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(contains(result.output, "quota-rounds-up is detected by no judge")) << result.output;
}

TEST(FaultsCommand, SaysWhichJudgesAreNotThere) {
  const Ran result = run("faults --fault canary --judge libfuzzer,campaign --seeds 1 -o json");
  EXPECT_EQ(nlohmann::json::parse(result.output)["faults"][0]["judges"]["libfuzzer"]["skipped"], "not run");
}

TEST(FaultsCommand, JudgesNothingWhereNoJudgeIsThere) {
  const Ran result = run("faults --fault equals-are-victims --judge libfuzzer");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(contains(result.output, "libfuzzer: not run (expected --libfuzzer FILE) [judge-not-there]"))
      << result.output;
}

TEST(FaultsCommand, ShowsWhatWasKept) {
  const Ran result = shell(
      "dir=$(mktemp -d); trap 'rm -r $dir' EXIT; "
      "touchstone faults --fault canary --judge campaign,libfuzzer --seeds 2 -o json > $dir/kept.json; "
      "touchstone faults --kept $dir/kept.json -o json | diff $dir/kept.json - && touchstone faults --kept "
      "$dir/kept.json");
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_TRUE(contains(result.output, "not run")) << result.output;
  const Ran broken =
      shell("echo '{\"faults\":[{\"id\":\"canari\"}]}' | touchstone faults --kept /dev/stdin 2>&1");
  EXPECT_EQ(broken.exit_code, 2);
  EXPECT_TRUE(contains(broken.output, "/dev/stdin: unknown name \"canari\" [faults-malformed]"))
      << broken.output;
  for (const char* file : {"/does/not/exist", "tests"})
    EXPECT_TRUE(contains(run("faults --kept " + std::string(file)).output, "[file-unreadable]")) << file;
}

TEST(FaultsCommand, KeepsResultsInAFile) {
  const Ran result = shell(
      "dir=$(mktemp -d); trap 'rm -r $dir' EXIT; "
      "touchstone faults --fault canary --judge campaign --seeds 1 --out $dir/kept.json -o json > "
      "$dir/said.json "
      "&& diff $dir/said.json $dir/kept.json && ls $dir");
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_EQ(result.output, "kept.json\nsaid.json\n");
  const Ran nowhere = run("faults --fault canary --judge campaign --seeds 1 --out /does/not/exist/kept.json");
  EXPECT_EQ(nowhere.exit_code, 2);
  EXPECT_TRUE(contains(nowhere.output, "[file-unwritable]")) << nowhere.output;
}

TEST(FaultsCommand, ShowsNoKeptFigureThatCannotBe) {
  for (const char* key : {"reached", "seconds"}) {
    const Ran negative = shell("sed 's/\"" + std::string(key) + "\": [0-9]/\"" + key +
                               "\": -1/' faults/measured/all.json | "
                               "touchstone faults --kept /dev/stdin");
    EXPECT_EQ(negative.exit_code, 2);
    EXPECT_TRUE(contains(negative.output, std::string(key) + ": expected")) << negative.output;
  }
}

TEST(FaultsCommand, HasKeptWhoFindsEachFault) {
  expect_kept("faults/measured/all.json", "$(ls faults/*.toml | grep -v time.toml)", 5);
  expect_kept("faults/measured/time.json", "faults/time.toml", 3);
}

TEST(FaultsCommand, MeasuresAFaultOfTheSchedulerOverTime) {
  const Ran result = run("faults --over-time --fault later-pods-first --seeds 2 -o json");
  EXPECT_EQ(result.exit_code, 0) << result.output;
  const nlohmann::json fault = nlohmann::json::parse(result.output)["faults"][0];
  EXPECT_EQ(fault["clause"], "QUE-ORDER-1");
  EXPECT_EQ(fault["judges"].size(), 3u);
  EXPECT_EQ(fault["judges"]["campaign"]["detected"], 2);
  EXPECT_EQ(run("faults --over-time --fault equals-are-victims").exit_code, 2);
}

TEST(FaultsCommand, TellsWhatWasMeant) {
  EXPECT_TRUE(contains(run("faults --fault canari").output, "did you mean canary? [unknown-fault]"));
  EXPECT_TRUE(contains(run("faults --judge campain").output, "did you mean campaign? [unknown-judge]"));
}

TEST(FaultTables, NameExpressionsThatStandOnceInTheReference) {
  EXPECT_EQ(generated("release.victims_sorted_again && both_groups").exit_code, 0);
  const Ran none = generated("release.no_such_switch");
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_EQ(none.output,
            "faults: fault 'one': `right` stands 0 times in reference/preemption/victims.cpp, not once: "
            "release.no_such_switch\n");
  const Ran several = generated("status.ok()");
  EXPECT_EQ(several.exit_code, 1);
  EXPECT_TRUE(
      contains(several.output, "times in reference/preemption/victims.cpp, not once; give it a `within`"));
  EXPECT_EQ(generated("status.ok()", "within = 'if (status.ok()) continue;'").exit_code, 0);
}

}  // namespace touchstone
