#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/shell.hpp"
#include "tests/support/files.hpp"

/// `touchstone schedule`: the node of a pod, ties, and clusters in which the pod fits on no node.
namespace touchstone {

namespace tests::schedule_test {

namespace {

const std::string k_zones = "schedule -f examples/scores/two-zones.yaml ";

nlohmann::json json_of(const std::string& arguments) {
  return nlohmann::json::parse(run(arguments + " -o json 2> /dev/null").output, nullptr, false);
}

/// Expects one line of error with this code in brackets, and the exit code for bad input.
void expect_refused(const std::string& arguments, const std::string& code, const std::string& part) {
  const Ran result = run(arguments);
  EXPECT_EQ(result.exit_code, 2) << arguments << "\n" << result.output;
  EXPECT_TRUE(result.output.ends_with(" [" + code + "]\n")) << result.output;
  EXPECT_EQ(lines_of(result.output).size(), 1u) << result.output;
  EXPECT_TRUE(contains(result.output, part)) << result.output;
}

/// A file with this number of empty nodes, and a pod that is nominated to `nominated`, unless that is empty.
class Nodes : public testing::Test {
 protected:
  std::string file(int nodes, const std::string& nominated) {
    nlohmann::json items = {{{"kind", "Pod"},
                             {"metadata", {{"name", "p"}}},
                             {"spec", {{"containers", {{{"name", "c"}}}}}},
                             {"status", {{"nominatedNodeName", nominated}}}}};
    for (int i = 0; i < nodes; ++i)
      items.push_back({{"kind", "Node"},
                       {"metadata", {{"name", "n" + std::to_string(i)}}},
                       {"status", {{"allocatable", {{"cpu", "4"}, {"pods", "110"}}}}}});
    return scratch_.write("cluster.json", nlohmann::json{{"kind", "List"}, {"items", items}}.dump());
  }

 private:
  TemporaryDirectory scratch_;
};

}  // namespace

TEST(Schedule, NamesTheNodeAndTheScoresThatDecide) {
  const Ran ran = run(k_zones + "--pod shop/web-3 --release v1.34");
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  for (const std::string part :
       {"\nscheduled: node b1, with the highest total, 624\n", "\n4 feasible nodes, highest total first",
        "\n  b1    624    34                   200                   90                                  "
        "chosen\n",
        "\n  equal on all nodes: TaintToleration x3: 300, ImageLocality x1: 0\n",
        "\n  nothing to score: NodeAffinity x2, VolumeBinding x1, InterPodAffinity x2\n",
        "\nWhy the pod does not fit on other nodes\n", "  1 node  Insufficient cpu\n"})
    EXPECT_TRUE(contains(ran.output, part)) << part << "\n" << ran.output;
  EXPECT_LE(lines_of(ran.output).size(), 20u) << ran.output;
}

TEST(Schedule, ShowsAColumnForEachScorer) {
  const std::string asked = k_zones + "--pod shop/web-3 --release v1.34 ";
  EXPECT_FALSE(contains(run(asked).output, "  TaintToleration x3  "));
  const std::string all = run(asked + "--all").output;
  EXPECT_TRUE(contains(all, "  NODE  TOTAL  TaintToleration x3  NodeResourcesFit x1  ")) << all;
  EXPECT_FALSE(contains(all, "equal on all nodes")) << all;
}

TEST(Schedule, AnswersAsTheProtocol) {
  const nlohmann::json json = json_of(k_zones + "--pod shop/web-3 --release v1.34");
  EXPECT_EQ(json["pod"], "shop/web-3");
  EXPECT_EQ(json["release"], "v1.34.13");
  EXPECT_EQ(json["outcome"], "scheduled");
  EXPECT_EQ(json["node"], "b1");
  EXPECT_EQ(json["feasible"], nlohmann::json({"a1", "a2", "a3", "b1"}));
  EXPECT_EQ(json["totals"], nlohmann::json({{"a1", 461}, {"a2", 486}, {"a3", 486}, {"b1", 624}}));
  EXPECT_EQ(json["scores"]["b1"]["PodTopologySpread"], 200);
  EXPECT_EQ(json["best"], nlohmann::json({"b1"}));
  EXPECT_TRUE(json["filter"].contains("b2")) << json;
}

TEST(Schedule, SaysHowTheReleaseChoosesAmongNodesThatTie) {
  const std::string asked = k_zones + "--pod shop/report-3 --release ";
  for (const auto& [release, part] : std::vector<std::pair<std::string, std::string>>{
           {"v1.9",
            "takes the next one at each choice. The input does not contain the counter of choices.  "
            "[CYC-HOST-1]\n"},
           {"v1.13", "contains neither the counter of choices nor that order.  [CYC-HOST-2]\n"},
           {"v1.34", "The release chooses one of them at random.  [CYC-HOST-3]\n"},
           {"v1.36", "--start N gives the order.  [CYC-HOST-4]\n"}}) {
    const Ran ran = run(asked + release);
    EXPECT_EQ(ran.exit_code, 0) << ran.output;
    EXPECT_TRUE(contains(ran.output, "\nscheduled: one of a2, a3, each with the highest total, "))
        << ran.output;
    EXPECT_TRUE(contains(ran.output, part)) << ran.output;
    EXPECT_EQ(json_of(asked + release)["best"], nlohmann::json({"a2", "a3"})) << release;
  }
}

TEST(Schedule, BreaksTheTieIfTheStartOfTheSearchIsKnown) {
  // The zones take turns: a1, b1, a2, b2, a3, b3.
  const std::string asked = k_zones + "--pod shop/report-3 --start 0 --release ";
  const Ran heap = run(asked + "v1.36");
  EXPECT_TRUE(contains(heap.output, "\nscheduled: node a3, with the highest total, 463\n")) << heap.output;
  EXPECT_TRUE(contains(heap.output, "\n2 nodes have this total: a2, a3\n")) << heap.output;
  EXPECT_TRUE(contains(heap.output, "takes its root.  [CYC-HOST-4]\n")) << heap.output;
  EXPECT_EQ(json_of(asked + "v1.36")["best"], nlohmann::json({"a3"}));
  EXPECT_EQ(json_of(asked + "v1.34")["best"], nlohmann::json({"a2", "a3"}));
}

TEST(Schedule, ScoresNoNodeIfThereIsOnlyOne) {
  const std::string asked = "schedule -f examples/situations/fits.yaml --release ";
  const Ran one = run(asked + "v1.34");
  EXPECT_EQ(one.exit_code, 0) << one.output;
  EXPECT_TRUE(contains(one.output,
                       "\nscheduled: node n2\nThe pod fits on no other node, so the release scores none.  "
                       "[CYC-ONE-1]\n"))
      << one.output;
  EXPECT_FALSE(contains(one.output, "TOTAL")) << one.output;
  EXPECT_TRUE(contains(run(asked + "v1.34 --start 1").output, "The search found no other node, "));
  EXPECT_TRUE(contains(run(asked + "v1.8").output, "\n1 feasible node, highest total first"));
}

TEST_F(Nodes, AreNotComparedIfTheNominatedNodeFits) {
  const Ran ran = run("schedule -f " + file(3, "n1") + " --release v1.34");
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_TRUE(
      contains(ran.output, "\nscheduled: node n1\nThe pod is nominated to this node and fits on it, "))
      << ran.output;
  EXPECT_TRUE(contains(ran.output, "[CYC-NOMINATED-1]\n")) << ran.output;
}

TEST_F(Nodes, AreCutInALongList) {
  const std::string asked = "schedule -f " + file(120, "") + " --release v1.34 ";
  const Ran cut = run(asked);
  EXPECT_TRUE(contains(cut.output, "\n120 feasible nodes, ")) << cut.output;
  EXPECT_TRUE(contains(cut.output, "\n  and 110 more; --all shows all\n")) << cut.output;
  EXPECT_LE(lines_of(cut.output).size(), 22u) << cut.output;
  EXPECT_GT(lines_of(run(asked + "--all").output).size(), 120u);
}

TEST_F(Nodes, AreSearchedAsTheReleaseDoesIfItsStartIsGiven) {
  const std::string asked = "schedule -f " + file(120, "") + " --release v1.34 ";
  const std::string note = "the pod fits on 120 nodes; the release stops its search before";
  EXPECT_TRUE(contains(run(asked).output, note));
  EXPECT_TRUE(contains(json_of(asked)["notes"].dump(), note));
  const Ran searched = run(asked + "--start 30");
  EXPECT_FALSE(contains(searched.output, note)) << searched.output;
  EXPECT_TRUE(contains(searched.output, "\n100 feasible nodes, ")) << searched.output;
  EXPECT_TRUE(
      contains(searched.output, "\nThe search began at index 30, and ended before it visited 20 nodes\n"))
      << searched.output;
  EXPECT_FALSE(contains(json_of(asked + "--start 30")["feasible"].dump(), "\"n29\""));
}

TEST_F(Nodes, AreScoredWithANoteIfTheInputHasNoServices) {
  const std::string asked = "schedule -f " + file(2, "") + " --release ";
  const std::string note = "any that select the pod, the score of ";
  EXPECT_TRUE(contains(run(asked + "v1.34").output, note + "PodTopologySpread differs\n"));
  EXPECT_TRUE(contains(run(asked + "v1.9").output, note + "SelectorSpreadPriority differs\n"));
  EXPECT_FALSE(contains(run(k_zones + "--pod shop/report-3").output, note));
  EXPECT_FALSE(contains(run("schedule -f " + file(1, "") + " --release v1.34").output, note));
}

TEST(Schedule, ShowsWhatDecideShowsIfThePodFitsOnNoNode) {
  for (const std::string question :
       {"-f examples/training-job.json --release v1.34", "-f examples/training-job.json -o json",
        "-f examples/situations/policy-never.yaml --release v1.30",
        "-f examples/situations/no-candidate.yaml -o yaml"}) {
    const Ran scheduled = run("schedule " + question);
    const Ran decided = run("decide " + question);
    EXPECT_EQ(scheduled.exit_code, decided.exit_code) << question;
    EXPECT_EQ(scheduled.output, decided.output) << question;
  }
}

TEST(Schedule, RefusesAStartThatIsNoNode) {
  const std::string asked = k_zones + "--pod shop/web-3 --start ";
  expect_refused(asked + "-1", "usage", "option --start takes N, not \"-1\"");
  expect_refused(asked + "a1", "usage", "option --start takes N, not \"a1\"");
  expect_refused(asked + "6", "out-of-range",
                 "--start: expected an index below the number of nodes, 6; found 6");
  EXPECT_EQ(run(asked + "5").exit_code, 0);
}

TEST(Schedule, AppliesAConfiguration) {
  const std::string asked = k_zones + "--pod shop/report-3 --release v1.34 ";
  EXPECT_EQ(json_of(asked)["best"], nlohmann::json({"a2", "a3"}));
  const Ran packed = run(asked + "--config examples/scores/pack.yaml");
  EXPECT_EQ(packed.exit_code, 0) << packed.output;
  EXPECT_TRUE(contains(packed.output, "\nscheduled: node b1, ")) << packed.output;
  // A vector has its own configuration.
  const std::string vector = "schedule -f spec/vectors/examples/profiles.json --case examples/clauses/";
  EXPECT_EQ(json_of(vector + "CYC-PROFILE-1-b --release v1.34")["outcome"], "scheduled");
  EXPECT_EQ(json_of(vector + "CYC-PROFILE-1-b --release v1.34 --config examples/scores/pack.yaml")["outcome"],
            "nominated");
  expect_refused(vector + "CYC-PROFILE-1-b --release v1.24", "refused-configuration", "config: no kind ");
}

TEST(Schedule, RefusesAConfigurationAsTheReleaseDoes) {
  TemporaryDirectory scratch;
  const auto asked = [&](const std::string& config) {
    return k_zones + "--pod shop/web-3 --release v1.34 --config " + scratch.write("config.yaml", config);
  };
  const std::string head = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n";
  expect_refused(asked(head + "percentageOfNodesToScore: -1\n"), "refused-configuration",
                 "config.yaml: percentageOfNodesToScore: Invalid value: -1: not in valid range [0-100]");
  expect_refused(asked(head + "profiles: [{nonsense: true}]\n"), "refused-configuration",
                 "config.yaml: profiles[0].nonsense: strict decoding error: unknown field");
  expect_refused(asked(head + "profiles: [{schedulerName: other}]\n"), "unknown-profile",
                 "default-scheduler");
  expect_refused(k_zones + "--pod shop/web-3 --config /no/such/file", "file-unreadable", "/no/such/file");
}

TEST(Schedule, NamesNoOtherSchedulerIfItsProfileIsGiven) {
  TemporaryDirectory scratch;
  const std::string config =
      scratch.write("config.yaml",
                    "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"
                    "profiles: [{schedulerName: mine}]\n");
  const std::string pod =
      "printf '%s\\n' '{kind: Pod, metadata: {name: a}, spec: {schedulerName: mine, containers: [{name: "
      "c}]}}' | "
      "touchstone " +
      k_zones + "--pod-file - --release v1.34 ";
  const std::string caveat = "the pod names the scheduler mine; ";
  EXPECT_TRUE(contains(shell(pod).output, caveat));
  const Ran configured = shell(pod + "--config " + config);
  EXPECT_EQ(configured.exit_code, 0) << configured.output;
  EXPECT_FALSE(contains(configured.output, caveat)) << configured.output;
}

TEST(Decide, AppliesAConfiguration) {
  const std::string vector =
      "decide -f spec/vectors/examples/profiles.json --release v1.34 --case examples/clauses/";
  EXPECT_EQ(json_of(vector + "CYC-PROFILE-3")["victims"], nlohmann::json({"default/b"}));
  EXPECT_EQ(json_of(vector + "CYC-PROFILE-1")["outcome"], "none");
  EXPECT_EQ(json_of(vector + "CYC-PROFILE-1 --engine both --config examples/scores/pack.yaml")["outcome"],
            "nominated");
}

TEST(Schedule, GivesNoAnswerIfAFeatureIsNotModelled) {
  const std::string pod =
      "printf '%s\\n' '{kind: Pod, metadata: {name: a}, spec: {containers: [{name: c}], resourceClaims: "
      "[{name: gpu, resourceClaimName: g}]}}' | touchstone " +
      k_zones + "--pod-file - --release v1.36";
  const Ran skipped = shell(pod);
  EXPECT_EQ(skipped.exit_code, 3) << skipped.output;
  EXPECT_TRUE(contains(skipped.output, "skipped: not modelled yet: DynamicResources: ")) << skipped.output;
}

}  // namespace tests::schedule_test

}  // namespace touchstone
