#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/cli/shell.hpp"

/// The output and the exit code of `touchstone bench`. Times are not checked.
namespace touchstone {

namespace {

/// Very small clusters: if a real scheduler is built, it must not run for minutes.
const std::string k_tiny = "bench --nodes 4,8 --time 0 ";

}  // namespace

TEST(BenchCommand, PrintsAnObjectARow) {
  const Ran ran = run(k_tiny + "-o json 2> /dev/null");
  ASSERT_EQ(ran.exit_code, 0) << ran.output;
  const nlohmann::json rows = nlohmann::json::parse(ran.output);
  // Only the real scheduler, if it is built, checks a sample.
  const bool has_scheduler = std::any_of(rows.begin(), rows.end(),
                                         [](const auto& row) { return row["engine"] == "kube-scheduler"; });
  std::size_t decisions = 0;
  for (const nlohmann::json& row : rows) {
    EXPECT_EQ(row["release"], "v1.37.2");
    EXPECT_EQ(row["pods"].get<int>(), row["nodes"].get<int>() * 30);
    EXPECT_LE(row["lowerQuartile_ns"], row["median_ns"]);
    EXPECT_LE(row["median_ns"], row["upperQuartile_ns"]);
    if (row["figure"] == "load") {
      EXPECT_GT(row["bytesAPod"], 50);
    }
    if (row["figure"] != "decision" || row["engine"] != "optimized") continue;
    decisions += 1;
    EXPECT_EQ(row["checkedBy"].empty(), row["samples"] && !has_scheduler) << row;
    EXPECT_LE(row["nodesDryRun"], row["nodes"]);
    EXPECT_GT(row["floor_ns"], 0);
  }
  EXPECT_GE(decisions, 18u);
}

TEST(BenchCommand, MeasuresWhatIsChosen) {
  const nlohmann::json rows = nlohmann::json::parse(
      run("bench --nodes 4 --time 0 --cluster alike --preemptor spread -o json 2> /dev/null").output);
  ASSERT_FALSE(rows.empty());
  for (const nlohmann::json& row : rows) {
    EXPECT_EQ(row["cluster"], "alike");
    EXPECT_TRUE(row["figure"] == "load" || row["preemptor"] == "spread") << row;
  }
  const std::string kept = "bench --kept bench/measured/v1.36.3.json --nodes 5000 -o json ";
  for (const nlohmann::json& row : nlohmann::json::parse(run(kept + "--cluster alike,varied").output)) {
    EXPECT_EQ(row["nodes"], 5000);
    EXPECT_NE(row["cluster"], "near-ties");
  }
  EXPECT_EQ(run("bench --cluster like").exit_code, 2);
}

TEST(BenchCommand, PrintsTables) {
  const Ran ran = run(k_tiny + "--release v1.34 --reference-most 4");
  ASSERT_EQ(ran.exit_code, 0) << ran.output;
  for (const char* part : {"Release v1.34.", "BYTES PER POD", "OVER FLOOR", "PREEMPTORS IN TURN", "4 to 8",
                           "Left out: the reference is measured up to 4 nodes", "near-ties", "anti-affinity"})
    EXPECT_TRUE(contains(ran.output, part)) << part << "\n" << ran.output;
  EXPECT_FALSE(contains(ran.output, "VOID"));
}

TEST(BenchCommand, EndsWithOneWhereAnswersDiffer) {
  const Ran ran = shell(
      "d=$(mktemp -d); printf '%s\\n' '#!/bin/sh' 'read line; echo \"{\\\"protocol\\\": 1}\"' "
      "'while read line; do echo \"{\\\"seq\\\": 1, \\\"outcome\\\": \\\"none\\\"}\"; done' > $d/scheduler; "
      "chmod +x $d/scheduler; touchstone bench --nodes 2 --time 0 --scheduler $d/scheduler; code=$?; rm -r "
      "$d; exit "
      "$code");
  EXPECT_EQ(ran.exit_code, 1) << ran.output;
  EXPECT_TRUE(contains(ran.output, "VOID: kube-scheduler: outcome none")) << ran.output;
}

TEST(BenchCommand, HasNoFigureWhereAnswersDiffer) {
  const Ran ran = shell(
      "d=$(mktemp -d); printf '%s\\n' '#!/bin/sh' 'read line; echo \"{\\\"protocol\\\": 1}\"' "
      "'while read line; do echo \"{\\\"seq\\\": 1, \\\"outcome\\\": \\\"none\\\"}\"; done' > $d/scheduler; "
      "chmod +x $d/scheduler; touchstone bench --nodes 2,4 --time 0 --scheduler $d/scheduler -o json; "
      "touchstone bench --nodes 2,4 --time 0 --scheduler $d/scheduler > $d/text; "
      "grep -c 'GROW BY' $d/text >&2; rm -r $d");
  const nlohmann::json rows = nlohmann::json::parse(ran.output.substr(0, ran.output.rfind(']') + 1));
  for (const nlohmann::json& row : rows) {
    if (row["figure"] != "decision") continue;
    EXPECT_EQ(row["disagreement"], "kube-scheduler: outcome none");
    EXPECT_FALSE(row.contains("median_ns") || row.contains("cpu_ns")) << row;
  }
  EXPECT_EQ(ran.output.substr(ran.output.rfind(']') + 1), "\n0\n");
}

TEST(BenchCommand, PrintsTheRowsThatAreDoneWhenInterrupted) {
  // At its first question this scheduler interrupts touchstone, which is the parent of its supervisor. It
  // never answers.
  const Ran ran = shell(
      "d=$(mktemp -d); printf '%s\n' '#!/bin/sh' 'read line; echo \"{\\\"protocol\\\": 1}\"' "
      "'read line; kill -INT $(awk \"{print \\$4}\" /proc/$PPID/stat); sleep 600' > $d/scheduler; "
      "chmod +x $d/scheduler; "
      "touchstone bench --nodes 2,4 --time 0 --scheduler $d/scheduler -o json; code=$?; rm -r $d; exit "
      "$code");
  EXPECT_EQ(ran.exit_code, 130) << ran.output;
  const nlohmann::json rows = nlohmann::json::parse(ran.output, nullptr, false);
  ASSERT_TRUE(rows.is_array()) << ran.output;
  EXPECT_FALSE(rows.empty());
}

TEST(BenchCommand, ShowsWhatWasKept) {
  const Ran ran = shell(
      "d=$(mktemp -d); touchstone bench --nodes 2 --time 1 -o json > $d/kept.json; "
      "touchstone bench --kept $d/kept.json -o json | cmp - $d/kept.json && "
      "touchstone bench --kept $d/kept.json | grep CHECKED; code=$?; rm -r $d; exit $code");
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_TRUE(contains(run("bench --kept README.md").output, "[bench-malformed]"));
  for (const char* file : {"/no/such/file", "tests"})
    EXPECT_TRUE(contains(run("bench --kept " + std::string(file)).output, "[file-unreadable]")) << file;
  const Ran unknown = shell("echo '[{\"figure\":\"x\"}]' | touchstone bench --kept /dev/stdin");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_TRUE(contains(unknown.output, "unknown name \"x\" [bench-malformed]")) << unknown.output;
}

TEST(BenchCommand, ShowsNoKeptFigureThatCannotBe) {
  const auto with = [](const std::string& key, const std::string& value) {
    return shell("sed '0,/\"" + key + "\": [0-9]*/s//\"" + key + "\": " + value +
                 "/' bench/measured/v1.36.3.json | touchstone bench --kept /dev/stdin --nodes 500");
  };
  EXPECT_EQ(with("nodes", "500").exit_code, 0);
  for (const char* key : {"nodes", "threads", "median_ns"}) {
    const Ran negative = with(key, "-1");
    EXPECT_EQ(negative.exit_code, 2) << negative.output;
    EXPECT_TRUE(contains(negative.output, std::string(key) + ": expected a whole number")) << negative.output;
  }
  EXPECT_TRUE(contains(with("least_ns", "9007199254740992").output, "expected each to be no less"));
}

TEST(BenchCommand, NamesWhatIsWrongWithItsOptions) {
  const auto complaint = [](const std::string& options) { return run("bench " + options); };
  EXPECT_TRUE(contains(complaint("--scheduler no-such-program --nodes 1").output, "[file-unreadable]"));
  EXPECT_TRUE(contains(complaint("--release v9.9").output, "[unknown-release]"));
  EXPECT_EQ(complaint("--nodes 0").exit_code, 2);
  EXPECT_EQ(complaint("--nodes many").exit_code, 2);
}

TEST(BenchCommand, MeasuresTheModelOverTime) {
  const Ran ran = run("bench --timelines 5 --release v1.36.3 -o json");
  ASSERT_EQ(ran.exit_code, 0) << ran.output;
  const nlohmann::json json = nlohmann::json::parse(ran.output);
  EXPECT_EQ(json["timelines"], 5);
  EXPECT_GT(json["commands"], 20);
  EXPECT_GT(json["cycles"], 0);
  EXPECT_GT(json["commandsPerSecond"], 0);
  EXPECT_GT(json["steps"], json["commands"]);
  EXPECT_GT(json["stepsPerSecond"], json["commandsPerSecond"]);
  EXPECT_TRUE(contains(run("bench --timelines 2").output, " commands a second of processor time\n"));
  EXPECT_EQ(run("bench --timelines 2 --release v1.20.0").exit_code, 3);
  EXPECT_EQ(run("bench --timelines 2 --release v0.1.0").exit_code, 2);
}

}  // namespace touchstone
