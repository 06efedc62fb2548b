#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/shell.hpp"
#include "tests/support/files.hpp"

/// `touchstone simulate`.
namespace touchstone {

namespace {

using tests::TemporaryDirectory;

const std::string k_cluster = "simulate -f examples/simulations/cluster.yaml --release v1.36.3 ";
const std::string k_preemption = k_cluster + "--timeline examples/simulations/preemption.yaml ";

}  // namespace

TEST(Simulate, ShowsEachStepWithItsClauses) {
  const Ran ran = run(k_preemption);
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  for (const char* part : {"default/p nominated on n1, evicts batch/v", "call: delete batch/v",
                           "QUE-PREEMPT-2", "ReplicaSet v creates batch/v-1", "removes batch/v",
                           "default/p scheduled on n1", "At rest after 21 s"})
    EXPECT_TRUE(contains(ran.output, part)) << part << "\n" << ran.output;
  const Ran brief = run(k_preemption + "--brief");
  EXPECT_FALSE(contains(brief.output, "QUE-")) << brief.output;
  EXPECT_FALSE(contains(brief.output, "call: ")) << brief.output;
}

TEST(Simulate, SaysWhereAPodIsAtAnyTime) {
  const Ran ran = run(k_preemption + "--pod p --until 12s");
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_TRUE(contains(ran.output, "Stopped at 12 s")) << ran.output;
  EXPECT_TRUE(contains(ran.output,
                       "default/p: unschedulable since 1 s after attempt 1, rejected by "
                       "NodeResourcesFit, woken by nothing since, nominated to node n1"))
      << ran.output;
  EXPECT_TRUE(contains(ran.output, "0/2 nodes are available")) << ran.output;
  EXPECT_FALSE(contains(ran.output, "batch/v-1:")) << ran.output;
}

TEST(Simulate, PrintsJsonOfItsSchema) {
  const TemporaryDirectory scratch;
  const std::string file = scratch.write("simulation.json", "");
  const Ran ran = run(k_preemption + "-o json 2> /dev/null");
  const nlohmann::json json = nlohmann::json::parse(ran.output);
  EXPECT_EQ(json["end"]["why"], "at rest");
  EXPECT_EQ(json["end"]["time"], 21.0);
  EXPECT_EQ(json["pods"]["default/p"]["node"], "n1");
  const Ran valid =
      shell("touchstone " + k_preemption + "-o json 2> /dev/null > " + file +
            " && python3 -c \"import json, jsonschema; "
            "jsonschema.Draft202012Validator(json.load(open('spec/schema/simulation.schema.json')))"
            ".validate(json.load(open('" +
            file + "')))\"");
  EXPECT_EQ(valid.exit_code, 0) << valid.output;
}

TEST(Simulate, IsPlayedByPlay) {
  const TemporaryDirectory scratch;
  const std::string file = scratch.write("timeline.jsonl", "");
  const Ran ran = shell("touchstone " + k_preemption + "--commands 2> /dev/null > " + file +
                        " && touchstone play " + file);
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_TRUE(contains(ran.output, "default/p scheduled on n1")) << ran.output;
  EXPECT_EQ(run(k_preemption + "--commands --seed 1").exit_code, 2);
}

TEST(Simulate, DependsOnTheReleaseAndTheSeed) {
  const std::string wakes =
      "simulate -f examples/simulations/nothing-wakes-cluster.yaml --timeline "
      "examples/simulations/nothing-wakes.yaml --pod p ";
  EXPECT_TRUE(contains(run(wakes + "--release v1.35.4").output, "woken by nothing since"));
  EXPECT_TRUE(contains(run(wakes + "--release v1.36.3").output, "default/p scheduled on n1"));
  const std::string seeded = k_preemption + "--seed 3";
  EXPECT_EQ(run(seeded).output, run(seeded).output);
}

TEST(Simulate, NamesWhatIsWrong) {
  const TemporaryDirectory scratch;
  const std::string file = scratch.write("events.yaml", "- {at: soon, delete: {kind: Node, name: n1}}\n");
  const Ran ran = run(k_cluster + "--timeline " + file);
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_TRUE(contains(ran.output, "events.yaml: [0].at: expected a duration")) << ran.output;
  const std::string twice = scratch.write("twice.yaml", "- {at: 1s, delete: {kind: Node, name: n9}}\n");
  EXPECT_TRUE(contains(run(k_cluster + "--timeline " + twice).output, "twice.yaml: [0]: unknown Node n9"));
  EXPECT_EQ(run(k_cluster + "--until soon").exit_code, 2);
  EXPECT_EQ(run(k_cluster + "--pod nobody").exit_code, 2);
  EXPECT_EQ(run(k_cluster + "--timeline no-such-file").exit_code, 2);
  EXPECT_EQ(run("simulate -f examples/simulations/cluster.yaml --release v1.20.0").exit_code, 3);
}

}  // namespace touchstone
