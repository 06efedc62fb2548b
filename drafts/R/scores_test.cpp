// tests/reference/scores: BalancedAllocation into balanced_allocation_test.cpp, NodeResourcesFit into
// fit_score_test.cpp, NodePreferAvoidPods, SelectorSpread, InterPodAffinity and PodTopologySpread into the
// files of these scorers; PolicyScores into tests/reference/policy/policy_scores_test.cpp
#include <gtest/gtest.h>

#include <algorithm>

#include "reference/cycle/schedule.hpp"
#include "reference/scores/own_selectors.hpp"
#include "reference/scores/policy_scores.hpp"
#include "tests/optimized/scores/placed.hpp"
#include "tests/support/builder.hpp"
#include "tests/support/extenders.hpp"
#include "tests/support/topology.hpp"

namespace touchstone::tests::more_scores_test {

namespace {

constexpr Quantity k_huge = 100'000'000'000'000'000;  // times 100 it exceeds 64 bits

/// The scores by a scorer that only a Policy has, not weighted.
Row scores(const Question& question, const WeightedScorer& scorer, const char* name,
           const reference::Nodes& nodes = {0}) {
  Trace trace = Trace::none();
  const Release by = release(name);
  const reference::Cycle cycle(question, by, trace);
  return *reference::run_weighted(scorer, cycle, nodes);
}

WeightedScorer ratio(std::vector<ScoredResource> resources) {
  return {Scorer::requested_to_capacity_ratio, "R", 1, {}, {}, {{0, 0}, {100, 10}}, std::move(resources)};
}

/// n0 with so much cpu, and a pod that requests `cpu` of it.
Question cpu_of(Quantity cpu, Quantity allocatable) {
  return QuestionBuilder().node("n0", allocatable).asks(pod("p", 10, cpu));
}

Question two_nodes(Question question) {
  question.cluster.nodes.push_back(question.cluster.nodes[0]);
  question.cluster.nodes.back().name = "n1";
  return question;
}

/// n0 (rack=b) and n1 (rack=b), n2 (no label). n0 has a pod of app x, like the pod to schedule.
Question racks() {
  Question question = QuestionBuilder()
                          .node("n0", 4000)
                          .has(with_app(pod("a", 0, 1000), "x"))
                          .node("n1", 4000)
                          .node("n2", 4000)
                          .asks(with_app(pod("p", 10, 1000), "x"));
  question.cluster.nodes[0].labels["rack"] = "b";
  question.cluster.nodes[1].labels["rack"] = "b";
  question.cluster.selecting = {{SelectingKind::service, "default", "svc", app_is("x")}};
  return question;
}

const WeightedScorer k_apart = {Scorer::service_anti_affinity, "Apart", 1, {"rack"}};

TopologySpreadConstraint soft(const std::string& key) {
  TopologySpreadConstraint constraint = over(key, "x");
  constraint.when_unsatisfiable = "ScheduleAnyway";
  return constraint;
}

/// n0 (zone a) with two pods of app x, and n1 (zone b).
Question two_zones(std::vector<TopologySpreadConstraint> constraints) {
  Question question = in_zones(QuestionBuilder()
                                   .node("n0", 4000)
                                   .has(with_app(pod("a", 20, 0), "x"))
                                   .has(with_app(pod("b", 20, 0), "x"))
                                   .node("n1", 4000)
                                   .asks(spread(with_app(pod("p", 10, 1000), "x"), std::move(constraints))),
                               {"a", "b"});
  for (Node& node : question.cluster.nodes) node.labels["kubernetes.io/hostname"] = node.name;
  return question;
}

Row spread_scores(const Question& question, const char* name) {
  const Placement placement = reference::schedule(question, release(name));
  for (const ScoreColumn& column : placement.scores) {
    if (column.scorer.scorer == Scorer::pod_topology_spread) return column.scores;
  }
  return {};
}

}  // namespace

// SCORE-BALANCED-2: half of the difference of two shares is exact; the root of the mean of the squares is
// not, and would give 89.
TEST(BalancedAllocation, HalvesTheDifferenceOfTwoShares) {
  Question question = two_nodes(cpu_of(1620, 4000));
  for (Node& node : question.cluster.nodes) node.allocatable["memory"] = 4000;
  question.pod.containers[0].requests["memory"] = 820;
  for (const char* name : {"v1.23", "v1.34"})
    EXPECT_EQ(scores_by(Scorer::balanced_allocation, question, name), (Row{90, 90})) << name;
}

// SCORE-STRATEGY-3, SCORE-SET-2: the node is full, and 100 times the load wraps to a number below 0.
TEST(NodeResourcesFit, WrapsTheLoadOfAFullNode) {
  Release by = release("v1.34");
  by.fit_strategy = FitStrategy::requested_to_capacity;
  by.fit_shape = {{0, 0}, {100, 10}};
  by.fit_resources = {{"cpu", 1}};
  EXPECT_EQ(scores_by(Scorer::node_resources, two_nodes(cpu_of(k_huge, k_huge)), by), (Row{0, 0}));
  EXPECT_EQ(scores_by(Scorer::node_resources, two_nodes(cpu_of(4000, 4000)), by), (Row{100, 100}));
}

// POL-RATIO-1, SCORE-SET-2: the same for the ratio of a Policy. It is not computed if the load exceeds the
// node.
TEST(PolicyScores, WrapTheLoadOfAFullNode) {
  EXPECT_EQ(scores(cpu_of(k_huge, k_huge), ratio({{"cpu", 1}}), "v1.22"), (Row{0}));
  EXPECT_EQ(scores(cpu_of(2 * k_huge, k_huge), ratio({{"cpu", 1}}), "v1.22"), (Row{100}));
  EXPECT_EQ(scores(cpu_of(4000, 4000), ratio({{"cpu", 1}}), "v1.22"), (Row{100}));
}

// POL-RATIO-1
TEST(PolicyScores, TakeTheUsedPartIn122) {
  EXPECT_EQ(scores(cpu_of(2000, 4000), ratio({{"cpu", 1}}), "v1.21"), (Row{50}));
  EXPECT_EQ(scores(cpu_of(2000, 4000), ratio({{"cpu", 1}}), "v1.22"), (Row{50}));
}

// POL-RATIO-1: cpu scores 0, and does not count. Memory comes after it.
TEST(PolicyScores, LeaveOutTheResourcesThatScoreNothing) {
  Question question = cpu_of(1, 4000);
  question.pod.containers[0].requests["memory"] = 1 << 29;
  EXPECT_EQ(scores(question, ratio({{"cpu", 1}, {"memory", 1}}), "v1.22"), (Row{50}));
}

// POL-MOST-1, SCORE-SET-2: 10 times the load wraps to a number just below 0. Cpu and memory score -1 each,
// and their mean is not rounded up to 0.
TEST(PolicyScores, AreNotModelledIfTheyAreBelowZero) {
  constexpr Quantity k_load = 1'600'000'000'000'000'000;
  Question question = two_nodes(cpu_of(k_load, k_load));
  for (Node& node : question.cluster.nodes) node.allocatable["memory"] = k_load;
  question.pod.containers[0].requests["memory"] = k_load;
  Release by = release("v1.13");
  by.scorers = {{Scorer::most_requested, "MostRequestedPriority"}};
  EXPECT_EQ(reference::schedule(question, by).decision.outcome, Outcome::skipped);
}

// POL-APART-1: up to v1.9 the pod of n0, which is not feasible, counts among all pods, but not in its rack.
TEST(PolicyScores, CountPodsOfOtherNodesInNoRack) {
  EXPECT_EQ(scores(racks(), k_apart, "v1.9", {1, 2}), (Row{10, 0}));
  EXPECT_EQ(scores(racks(), k_apart, "v1.9", {0, 1}), (Row{0, 0}));
}

// POL-APART-1: n2, which has no label, comes first.
TEST(PolicyScores, ScoreTheNodesAfterOneWithoutTheLabel) {
  EXPECT_EQ(scores(racks(), k_apart, "v1.13", {2, 1}), (Row{0, 10}));
}

// SCORE-AVOID-1: n1 asks to be avoided, n0 does not.
TEST(NodePreferAvoidPods, AvoidsALaterNode) {
  Question question = two_nodes(cpu_of(1000, 4000));
  question.pod.controller = Controller{"v1", "ReplicationController", "rc", "u"};
  question.cluster.nodes[1].avoided = {{"", "ReplicationController", "", "u"}};
  EXPECT_EQ(scores_by(Scorer::node_prefer_avoid_pods, question, "v1.13"), (Row{100'000, 0}));
}

// SCORE-SELECTOR-2: from v1.22 on, the selector of a controller counts for the pods that it controls.
TEST(SelectorSpread, LeavesOutAControllerOfAPodWithoutOne) {
  Question question = cpu_of(1000, 4000);
  question.cluster.selecting = {{SelectingKind::replica_set, "default", "rs", app_is("x")}};
  question.pod.controller = Controller{"apps/v1", "ReplicaSet", "rs", "u"};
  const Release by = release("v1.34");
  const auto count = [&question, &by] {
    Trace trace = Trace::none();
    return reference::own_selectors(reference::Cycle(question, by, trace)).size();
  };
  EXPECT_EQ(count(), 1U);
  question.pod.controller.reset();
  EXPECT_EQ(count(), 0U);
}

// SCORE-AFFINITY-1: the label of n0 is there, but empty. n1, which lacks it, is in another domain.
TEST(InterPodAffinity, ScoresTheDomainOfALabelWithoutAValue) {
  Question question = QuestionBuilder()
                          .node("n0", 4000)
                          .has(with_app(pod("a", 20, 0), "x"))
                          .node("n1", 4000)
                          .asks(pod("p", 10, 1000));
  question.cluster.nodes[0].labels["zone"] = "";
  question.pod.preferred_pod_affinity = {{7, by("zone", "x")}};
  const Release asked = release("v1.34");
  const Row row = scores_by(Scorer::inter_pod_affinity, question, asked);
  ASSERT_EQ(row.size(), 2U);
  EXPECT_GT(row[0], 0);
  EXPECT_EQ(row[1], 0);
}

// SCORE-REQUESTS-3, SCORE-REQUESTS-4: v1.18 to v1.26 read the overhead of the preemptor in whole cores.
TEST(BalancedAllocation, NeedsNoOverhead) {
  Question question = two_nodes(cpu_of(1000, 4000));
  question.pod.pod_level_requests = ResourceList{{"cpu", 2000}, {"memory", 1 << 20}};
  for (const char* name : {"v1.18", "v1.20", "v1.24", "v1.26"})
    EXPECT_EQ(scores_by(Scorer::node_resources, question, name).size(), 2U) << name;
}

// SCORE-SPREAD-3, SCORE-SPREAD-4: n2, in a zone of its own, is full. Its pods are in no domain that counts.
TEST(PodTopologySpread, CountsNoPodsOfADomainWithoutAFeasibleNode) {
  Question question = two_zones({soft("zone")});
  Node full = question.cluster.nodes[0];
  full.name = "n2";
  full.labels = {{"zone", "c"}};
  full.allocatable["cpu"] = 0;
  question.cluster.nodes.push_back(full);
  for (int i = 0; i < 9; ++i) {
    Pod there = with_app(pod("c" + std::to_string(i), 20, 0), "x");
    there.node_name = "n2";
    question.cluster.pods.push_back(there);
  }
  for (const char* name : {"v1.18", "v1.20", "v1.24", "v1.34"}) {
    const Row row = scores_by(Scorer::pod_topology_spread, question, name);
    ASSERT_EQ(row.size(), 2U) << name;
    EXPECT_EQ(row[0], 0) << name;
    EXPECT_GT(row[1], 0) << name;
  }
}

// SCORE-SPREAD-3, SCORE-SPREAD-5: no node has the label, so no node is valid.
TEST(PodTopologySpread, GivesNothingWithoutAValidNode) {
  EXPECT_EQ(scores_by(Scorer::pod_topology_spread, two_zones({soft("rack")}), "v1.18"), (Row{0, 0}));
  EXPECT_EQ(scores_by(Scorer::pod_topology_spread, two_zones({soft("rack")}), "v1.34"), (Row{0, 0}));
}

// EXT-RECORD-1, SCORE-SPREAD-6: of a node whose record an extender replaces, scorers see no pods. Zones are
// counted before that.
TEST(PodTopologySpread, SeesNoPodsOnTheNodeAloneOfAReplacedRecord) {
  Question question = two_zones({soft("zone")});
  question.extenders = {filters({{"n0", ok()}, {"n1", ok()}})};
  const Row by_zone = spread_scores(question, "v1.34");
  ASSERT_EQ(by_zone.size(), 2U);
  EXPECT_EQ(by_zone[0], 0);
  EXPECT_GT(by_zone[1], 0);
  question = two_zones({soft("kubernetes.io/hostname"), soft("zone")});
  question.extenders = {filters({{"n0", ok()}, {"n1", ok()}})};
  Trace trace = Trace::full();
  reference::schedule(question, release("v1.34"), trace);
  for (const Step& step : trace.steps()) {
    if (step.clause == "SCORE-SPREAD-6" && step.what == "kubernetes.io/hostname")
      EXPECT_EQ(value_of(step.values, Measure::counted), 0);
  }
  EXPECT_EQ(spread_scores(question, "v1.34"), by_zone);
}

}  // namespace touchstone::tests::more_scores_test
