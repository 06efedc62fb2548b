#include "reference/scores/policy_scores.hpp"

#include <gtest/gtest.h>

#include "reference/cycle/schedule.hpp"
#include "tests/support/builder.hpp"

namespace touchstone::tests::policy_scores_test {

namespace {

using Row = std::vector<Quantity>;

Row scores(const Question& question, const WeightedScorer& scorer, const char* name = "v1.13",
           reference::Nodes nodes = {0, 1, 2}) {
  Trace trace = Trace::none();
  const Release by = release(name);
  const reference::Cycle cycle(question, by, trace);
  return *reference::run_weighted(scorer, cycle, nodes);
}

/// n0 (rack=a) with a pod of app x, n1 (rack=b) and n2 (no label). The pod to schedule is of app x.
Question racks() {
  Question question = QuestionBuilder()
                          .node("n0", 4000)
                          .has(with_app(pod("a", 0, 1000), "x"))
                          .node("n1", 4000)
                          .node("n2", 4000)
                          .asks(with_app(pod("p", 10, 1000), "x"));
  question.cluster.nodes[0].labels["rack"] = "a";
  question.cluster.nodes[1].labels["rack"] = "b";
  question.cluster.selecting = {
      {SelectingKind::service, "default", "svc", LabelSelector{{{"app", "x"}}, {}}}};
  return question;
}

const WeightedScorer k_apart = {Scorer::service_anti_affinity, "Apart", 1, {"rack"}};

/// RequestedToCapacityRatio over these resources, with a score that rises with the utilization.
WeightedScorer rising_ratio(std::vector<ScoredResource> resources) {
  return {Scorer::requested_to_capacity_ratio, "R", 1, {}, {}, {{0, 0}, {100, 10}}, std::move(resources)};
}

/// n0 with `allocatable` milli cpu, and a pod that requests `cpu` of it.
Question cpu_of(Quantity cpu, Quantity allocatable) {
  return QuestionBuilder().node("n0", allocatable).asks(pod("p", 10, cpu));
}

/// n0 with 3 CPUs and 8 GiB; a pod that requests 1 CPU and 1 GiB.
Question one_third() {
  constexpr Quantity k_gibibyte = 1 << 30;
  Question question = QuestionBuilder().node("n0", 3000).asks(pod("p", 10, 1000));
  question.cluster.nodes[0].allocatable["memory"] = 8 * k_gibibyte;
  question.pod.containers[0].requests["memory"] = k_gibibyte;
  return question;
}

}  // namespace

// POL-EQUAL-1
TEST(PolicyScores, GiveEachNodeOneByEqualPriority) {
  EXPECT_EQ(scores(racks(), {Scorer::equal, "EqualPriority"}), (Row{1, 1, 1}));
}

// POL-MOST-1
TEST(PolicyScores, PreferRequestedNodesByMostRequestedPriority) {
  const WeightedScorer most = {Scorer::most_requested, "MostRequestedPriority"};
  EXPECT_EQ(scores(one_third(), most, "v1.13", {0}), (Row{2}));  // cpu 3, memory 1
  Question question = one_third();
  question.pod.containers[0].requests["cpu"] = 3001;
  EXPECT_EQ(scores(question, most, "v1.13", {0}), (Row{0}));  // cpu 0, memory 1
  question.cluster.nodes[0].allocatable["cpu"] = 0;
  EXPECT_EQ(scores(question, most, "v1.13", {0}), (Row{0}));
}

// POL-MOST-1
TEST(PolicyScores, LeaveOutAbsentResourcesInV122) {
  const WeightedScorer most = {Scorer::most_requested, "NodeResourcesMostAllocated"};
  Question question = one_third();
  question.cluster.nodes[0].allocatable["cpu"] = 0;
  EXPECT_EQ(scores(question, most, "v1.21", {0}), (Row{6}));  // cpu 0, memory 12
  EXPECT_EQ(scores(question, most, "v1.22", {0}), (Row{12}));
  question.cluster.nodes[0].allocatable["cpu"] = 999;
  EXPECT_EQ(scores(question, most, "v1.20.8", {0}), (Row{6}));
  EXPECT_EQ(scores(question, most, "v1.20.9", {0}), (Row{56}));  // cpu 100
}

// POL-RATIO-1
TEST(PolicyScores, WeighTheResourcesOfARatio) {
  WeightedScorer ratio = {
      Scorer::requested_to_capacity_ratio, "R", 1, {}, {}, {{0, 0}, {100, 10}}, {{"cpu", 3}}};
  EXPECT_EQ(scores(one_third(), ratio, "v1.21", {0}), (Row{34}));  // 100 - 66
  EXPECT_EQ(scores(one_third(), ratio, "v1.22", {0}), (Row{33}));
  ratio.resources = {{"cpu", 3}, {"memory", 1}};
  EXPECT_EQ(scores(one_third(), ratio, "v1.22", {0}), (Row{28}));  // (3 * 33 + 12) / 4
  ratio.resources = {{"cpu", 1}, {"example.com/gpu", 1}};
  EXPECT_EQ(scores(one_third(), ratio, "v1.21", {0}), (Row{67}));  // a resource that is absent: 100
  EXPECT_EQ(scores(one_third(), ratio, "v1.22", {0}), (Row{33}));
  Question question = one_third();
  question.cluster.nodes[0].allocatable["example.com/gpu"] = 4;
  EXPECT_EQ(scores(question, ratio, "v1.21", {0}), (Row{34}));  // 0 points do not count
  EXPECT_EQ(scores(question, ratio, "v1.22", {0}), (Row{33}));
  ratio.resources.clear();
  EXPECT_EQ(scores(question, ratio, "v1.22", {0}), (Row{0}));
}

// POL-RATIO-1, SCORE-SET-2: the pod fills the node. 100 times its request exceeds 64 bits and wraps to a
// number below 0. If more is requested than the node has, v1.22 takes 100 % without this product.
TEST(PolicyScores, WrapTheUtilizationOfAFullNode) {
  constexpr Quantity k_huge = 100'000'000'000'000'000;
  EXPECT_EQ(scores(cpu_of(k_huge, k_huge), rising_ratio({{"cpu", 1}}), "v1.22", {0}), (Row{0}));
  EXPECT_EQ(scores(cpu_of(2 * k_huge, k_huge), rising_ratio({{"cpu", 1}}), "v1.22", {0}), (Row{100}));
  EXPECT_EQ(scores(cpu_of(4000, 4000), rising_ratio({{"cpu", 1}}), "v1.22", {0}), (Row{100}));
}

// POL-RATIO-1: half of the cpu is requested, so the score is half of the highest one. v1.21 computes the
// utilization from the free cpu, v1.22 from the requested cpu.
TEST(PolicyScores, RiseWithTheUtilizationByARisingRatio) {
  EXPECT_EQ(scores(cpu_of(2000, 4000), rising_ratio({{"cpu", 1}}), "v1.21", {0}), (Row{50}));
  EXPECT_EQ(scores(cpu_of(2000, 4000), rising_ratio({{"cpu", 1}}), "v1.22", {0}), (Row{50}));
}

// POL-RATIO-1: cpu scores 0 and does not count. The score is that of memory, the second resource, of which
// the pod requests half.
TEST(PolicyScores, LeaveOutTheResourcesThatScoreNothing) {
  Question question = cpu_of(1, 4000);
  question.pod.containers[0].requests["memory"] = 1 << 29;
  EXPECT_EQ(scores(question, rising_ratio({{"cpu", 1}, {"memory", 1}}), "v1.22", {0}), (Row{50}));
}

// POL-MOST-1, SCORE-SET-2: 10 times the request exceeds 64 bits. Cpu and memory score -1 each, and their mean
// is not rounded up to 0.
TEST(PolicyScores, AreNotModelledIfTheyAreBelowZero) {
  constexpr Quantity k_request = 1'600'000'000'000'000'000;
  Question question =
      QuestionBuilder().node("n0", k_request).node("n1", k_request).asks(pod("p", 10, k_request));
  for (Node& node : question.cluster.nodes) node.allocatable["memory"] = k_request;
  question.pod.containers[0].requests["memory"] = k_request;
  Release by = release("v1.13");
  by.scorers = {{Scorer::most_requested, "MostRequestedPriority"}};
  EXPECT_EQ(reference::schedule(question, by).decision.outcome, Outcome::skipped);
}

// POL-RATIO-1
TEST(PolicyScores, FollowTheShapeByRequestedToCapacityRatio) {
  WeightedScorer ratio = {Scorer::requested_to_capacity_ratio, "Shape", 1, {}, {}, {{0, 10}, {100, 0}}};
  EXPECT_EQ(scores(one_third(), ratio, "v1.13", {0}), (Row{8}));  // cpu 7 at 34, memory 9 at 13
  ratio.shape = {{34, 0}, {50, 10}};
  Question question = one_third();
  question.pod.containers[0].requests["cpu"] = 1300;
  EXPECT_EQ(scores(question, ratio, "v1.13", {0}), (Row{3}));  // cpu 6 at 44, memory 0
  EXPECT_EQ(scores(question, ratio, "v1.16", {0}), (Row{6}));
  EXPECT_EQ(scores(one_third(), ratio, "v1.16", {0}), (Row{0}));
  question.pod.containers[0].requests["cpu"] = 3001;
  EXPECT_EQ(scores(question, ratio, "v1.16", {0}), (Row{10}));
  question.cluster.nodes[0].allocatable["cpu"] = 0;
  EXPECT_EQ(scores(question, ratio, "v1.16", {0}), (Row{10}));
}

// POL-PREFER-1
TEST(PolicyScores, PreferNodesByALabel) {
  EXPECT_EQ(scores(racks(), {Scorer::label_preference, "Has", 1, {"rack"}}), (Row{10, 10, 0}));
  EXPECT_EQ(scores(racks(), {Scorer::label_preference, "Lacks", 1, {}, {"rack"}}), (Row{0, 0, 10}));
}

// POL-PREFER-1
TEST(PolicyScores, PreferNodesByTheShareOfLabelsFromV117) {
  Question question = racks();
  question.cluster.nodes[0].labels["disk"] = "ssd";
  const WeightedScorer prefers = {Scorer::label_preference, "NodeLabel", 3, {"rack", "disk"}, {"old"}};
  EXPECT_EQ(scores(question, prefers, "v1.17"), (Row{100, 66, 33}));
  question.cluster.nodes[0].labels["old"] = "";
  EXPECT_EQ(scores(question, prefers, "v1.22"), (Row{66, 66, 33}));
}

// POL-APART-1
TEST(PolicyScores, SpreadAServiceOverTheValuesOfALabel) {
  EXPECT_EQ(scores(racks(), k_apart), (Row{0, 10, 0}));
  Question question = racks();
  question.cluster.pods.push_back(question.cluster.pods[0]);
  question.cluster.pods.back().name = "b";
  question.cluster.pods.push_back(question.cluster.pods[0]);
  question.cluster.pods.back().name = "c";
  question.cluster.pods.back().node_name = "n1";
  EXPECT_EQ(scores(question, k_apart), (Row{3, 6, 0}));
}

// POL-APART-1
TEST(PolicyScores, SpreadAServiceOverTheValuesOfSeveralLabels) {
  Question question = racks();
  question.cluster.nodes[0].labels["zone"] = "z";
  question.cluster.nodes[1].labels["zone"] = "z";
  question.cluster.pods.push_back(question.cluster.pods[0]);
  question.cluster.pods.back().name = "b";
  question.cluster.pods.push_back(question.cluster.pods[0]);
  question.cluster.pods.back().name = "c";
  question.cluster.pods.back().node_name = "n1";
  const WeightedScorer twice = {Scorer::service_anti_affinity, "ServiceAffinity", 2, {"rack", "zone"}};
  EXPECT_EQ(scores(question, twice, "v1.17"), (Row{16, 33, 0}));  // racks 33 and 66, one zone 0
  question.cluster.selecting.clear();
  EXPECT_EQ(scores(question, twice, "v1.22"), (Row{100, 100, 0}));
}

// POL-APART-1
TEST(PolicyScores, CountPodsOfTheFirstServiceThatDoNotTerminate) {
  Question question = racks();
  question.cluster.selecting.clear();
  EXPECT_EQ(scores(question, k_apart), (Row{10, 10, 0}));
  question = racks();
  question.cluster.pods[0].ns = "other";
  EXPECT_EQ(scores(question, k_apart), (Row{10, 10, 0}));
  question = racks();
  question.cluster.pods[0].labels["app"] = "y";
  EXPECT_EQ(scores(question, k_apart), (Row{10, 10, 0}));
  question = racks();
  question.cluster.pods[0].terminating = true;
  EXPECT_EQ(scores(question, k_apart), (Row{10, 10, 0}));
  EXPECT_EQ(scores(question, k_apart, "v1.9"), (Row{0, 10, 0}));
}

// POL-APART-1
TEST(PolicyScores, CountPodsOfFeasibleNodesAloneFromV110) {
  EXPECT_EQ(scores(racks(), k_apart, "v1.10", {1}), (Row{10}));
  Question question = racks();
  question.cluster.pods.push_back(question.cluster.pods[0]);
  question.cluster.pods.back().name = "b";
  question.cluster.pods.back().node_name = "n1";
  EXPECT_EQ(scores(question, k_apart, "v1.10", {1}), (Row{0}));
  EXPECT_EQ(scores(question, k_apart, "v1.9", {1}), (Row{5}));
}

// POL-APART-1: n0 and n1 are in rack b. In v1.9 the pod of n0 is one of the n pods of the Service, although
// n0 is not feasible. It is not one of the k pods in the rack. If n0 is feasible, it is both.
TEST(PolicyScores, CountPodsOfOtherNodesInNoRackThroughV19) {
  Question question = racks();
  question.cluster.nodes[0].labels["rack"] = "b";
  EXPECT_EQ(scores(question, k_apart, "v1.9", {1, 2}), (Row{10, 0}));
  EXPECT_EQ(scores(question, k_apart, "v1.9", {0, 1}), (Row{0, 0}));
}

// POL-APART-1: n2, which lacks the label, is the first feasible node.
TEST(PolicyScores, ScoreTheNodesAfterOneWithoutTheLabel) {
  Question question = racks();
  question.cluster.nodes[0].labels["rack"] = "b";
  EXPECT_EQ(scores(question, k_apart, "v1.13", {2, 1}), (Row{0, 10}));
}

// POL-APART-1
TEST(PolicyScores, AreUnclearIfSeveralServicesSelectThePod) {
  Question question = racks();
  Release with_policy = release("v1.13");
  with_policy.scorers = {k_apart};
  EXPECT_EQ(reference::schedule(question, with_policy).decision.outcome, Outcome::fits);
  question.cluster.selecting.push_back(
      {SelectingKind::service, "default", "other", LabelSelector{{{"app", "x"}}, {}}});
  EXPECT_EQ(reference::schedule(question, with_policy).decision.reason,
            "ServiceAntiAffinity: a random choice among Services decides a score");
  EXPECT_EQ(reference::schedule(question, release("v1.13")).decision.outcome, Outcome::fits);
}

// POL-SPREAD-1
TEST(PolicyScores, SpreadServicesAloneInV18) {
  const WeightedScorer spread = {Scorer::service_spread, "ServiceSpreadingPriority"};
  Question question = racks();
  EXPECT_EQ(scores(question, spread, "v1.8"), (Row{0, 10, 10}));
  question.cluster.selecting[0].kind = SelectingKind::replica_set;
  EXPECT_EQ(scores(question, spread, "v1.8"), (Row{10, 10, 10}));
  EXPECT_EQ(scores(question, spread, "v1.9"), (Row{0, 10, 10}));
}

}  // namespace touchstone::tests::policy_scores_test
