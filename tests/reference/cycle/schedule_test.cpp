#include "reference/cycle/schedule.hpp"

#include <gtest/gtest.h>

#include "reference/preemption/preempt.hpp"
#include "tests/support/builder.hpp"
#include "tests/support/extenders.hpp"
#include "tests/support/storage.hpp"

namespace touchstone::tests::schedule_test {

using reference::schedule;

namespace {

using Nodes = std::vector<NodeIndex>;

/// n0 with 4 CPUs and a pod of 1 CPU; n1 with 4 CPUs and no pod. p requests 1 CPU.
Question two_nodes() {
  return QuestionBuilder().node("n0", 4000).has(pod("a", 0, 1000)).node("n1", 4000).asks(pod("p", 10, 1000));
}

Quantity score(const Placement& placement, std::string_view scorer, std::size_t node) {
  for (const ScoreColumn& column : placement.scores) {
    if (column.scorer.name == scorer) return column.scores[node];
  }
  return -1;
}

/// n0 and n1 with 4 CPUs and no pod. p requests 1 CPU.
Question two_empty_nodes(std::vector<Extender> extenders = {}) {
  Question question = QuestionBuilder().node("n0", 4000).node("n1", 4000).asks(pod("p", 10, 1000));
  question.extenders = std::move(extenders);
  return question;
}

/// Expects this outcome and reason, and no scores.
void expect_no_scores(const Placement& placement, Outcome outcome, const std::string& reason) {
  EXPECT_EQ(placement.decision.outcome, outcome);
  EXPECT_NE(placement.decision.reason.find(reason), std::string::npos) << placement.decision.reason;
  EXPECT_TRUE(placement.scores.empty()) << reason;
  EXPECT_TRUE(placement.totals.empty()) << reason;
  EXPECT_TRUE(placement.best.empty()) << reason;
}

}  // namespace

// CYC-TOTAL-1, SCORE-SET-1
TEST(Schedule, AddsUpTheWeightedScoresOfTheRelease) {
  const Placement placement = schedule(two_nodes(), release("v1.36"));
  EXPECT_EQ(placement.decision.outcome, Outcome::fits);
  EXPECT_EQ(placement.feasible, (Nodes{0, 1}));
  EXPECT_EQ(score(placement, "TaintToleration", 0), 300);
  EXPECT_EQ(score(placement, "NodeResourcesFit", 0), 55);  // cpu 50, memory 60
  EXPECT_EQ(score(placement, "NodeResourcesFit", 1), 77);  // cpu 75, memory 80
  for (std::size_t node = 0; node < 2; ++node) {
    Quantity total = 0;
    for (const ScoreColumn& column : placement.scores) total += column.scores[node];
    EXPECT_EQ(placement.totals[node], total);
  }
  EXPECT_EQ(placement.best, (Nodes{1}));
  EXPECT_EQ(placement.host, 1U);
}

// SCORE-SET-1, SCORE-SET-2
TEST(Schedule, NamesScorersAsTheReleaseDoes) {
  EXPECT_EQ(score(schedule(two_nodes(), release("v1.13")), "LeastRequestedPriority", 1), 7);
  EXPECT_EQ(score(schedule(two_nodes(), release("v1.17")), "NodePreferAvoidPodsPriority", 1), 1000000);
  EXPECT_EQ(score(schedule(two_nodes(), release("v1.21")), "NodeResourcesLeastAllocated", 1), 77);
}

// CYC-ONE-1
TEST(Schedule, DoesNotScoreOneFeasibleNodeFromV19) {
  const Question question = QuestionBuilder().node("n0", 4000).node("n1", 500).asks(pod("p", 10, 1000));
  const Placement placement = schedule(question, release("v1.9"));
  EXPECT_TRUE(placement.scores.empty());
  EXPECT_TRUE(placement.totals.empty());
  EXPECT_EQ(placement.best, (Nodes{0}));
  EXPECT_EQ(placement.host, 0U);
  EXPECT_EQ(placement.decision.filter.at(1).code, Code::unschedulable);
  EXPECT_EQ(schedule(question, release("v1.8")).scores.size(), 7U);
}

// CYC-TOTAL-1
TEST(Schedule, GivesEveryNodeOnePointIfThereIsNoScorer) {
  Release configured = release("v1.29");
  configured.scorers.clear();
  const Placement placement = schedule(two_nodes(), configured);
  EXPECT_EQ(placement.totals, (std::vector<Quantity>{1, 1}));
  EXPECT_EQ(placement.best, (Nodes{0, 1}));
}

// CYC-HOST-3
TEST(Schedule, PicksOneOfTheBestNodes) {
  const Question question = two_empty_nodes();
  EXPECT_EQ(schedule(question, release("v1.30")).best, (Nodes{0, 1}));
  EXPECT_EQ(schedule(question, release("v1.30")).host, 0U);
  ScriptedChoices last({1});
  Trace trace = Trace::none();
  EXPECT_EQ(schedule(question, release("v1.30"), last, trace).host, 1U);
}

// CYC-HOST-4
TEST(Schedule, TakesTheRootOfTheHeapIfTheOrderIsKnown) {
  Question question = two_empty_nodes();
  EXPECT_EQ(schedule(question, release("v1.35")).best, (Nodes{0, 1}));
  question.start = 1;
  EXPECT_EQ(schedule(question, release("v1.35")).best, (Nodes{1}));
  EXPECT_EQ(schedule(question, release("v1.34")).best, (Nodes{0, 1}));
}

// CYC-NOMINATED-1
TEST(Schedule, TakesAFeasibleNominatedNodeWithoutScores) {
  Question question = two_nodes();
  question.pod.nominated_node_name = "n0";
  const Placement placement = schedule(question, release("v1.36"));
  EXPECT_EQ(placement.host, 0U);
  EXPECT_TRUE(placement.scores.empty());
}

// CYC-SEES-1
TEST(Schedule, ScoresWithoutNominatedPods) {
  Question question = two_nodes();
  Pod nominated = pod("q", 100, 2000);
  nominated.nominated_node_name = "n1";
  question.cluster.pods.push_back(nominated);
  EXPECT_EQ(schedule(question, release("v1.36")).totals, schedule(two_nodes(), release("v1.36")).totals);
}

// CYC-SEARCH-2
TEST(Schedule, ListsOnlyNodesThatTheSearchVisited) {
  QuestionBuilder builder;
  builder.node("full", 1000).has(pod("a", 100, 1000));
  for (int i = 0; i < 120; ++i) builder.node("n" + std::to_string(i), 4000);
  Question question = builder.asks(pod("p", 10, 1000));
  question.start = 1;
  const Placement placement = schedule(question, release("v1.36"));
  EXPECT_EQ(placement.feasible.size(), 100U);
  EXPECT_EQ(placement.decision.feasible.size(), 100U);
  EXPECT_TRUE(placement.decision.filter.empty());
  question.start = 0;
  EXPECT_EQ(schedule(question, release("v1.36")).decision.filter.size(), 1U);
}

// CYC-SEARCH-2, CYC-HOST-4: a random order leaves every node with the highest total, and which nodes are
// found is not known if not all of them are.
TEST(Schedule, KnowsNoOrderOfNodesThatAPreFilterNames) {
  Question question = two_nodes();
  for (const Node& node : question.cluster.nodes) {
    NodeSelectorTerm term;
    term.match_fields = {{"metadata.name", "In", {node.name}}};
    if (!question.pod.node_affinity) question.pod.node_affinity.emplace();
    question.pod.node_affinity->push_back(term);
  }
  question.cluster.pods.clear();
  question.start = 0;
  EXPECT_EQ(schedule(question, release("v1.36")).best.size(), 2U);
  Release without_scorers = release("v1.36");
  without_scorers.scorers.clear();
  EXPECT_EQ(schedule(question, without_scorers).decision.outcome, Outcome::skipped);
}

// PRE-CYCLE-1
TEST(Schedule, PreemptsIfNoNodeIsFeasible) {
  const Question question =
      QuestionBuilder().node("n0", 1000).has(pod("a", 0, 1000)).asks(pod("p", 10, 1000));
  const Placement placement = schedule(question, release("v1.36"));
  EXPECT_EQ(placement.decision, reference::preempt(question, release("v1.36")));
  EXPECT_EQ(placement.decision.outcome, Outcome::nominated);
  EXPECT_FALSE(placement.host);
}

// PRE-CYCLE-2
TEST(Schedule, IsAnErrorWithoutNodes) {
  const Placement placement = schedule(QuestionBuilder().asks(pod("p", 10, 1000)), release("v1.36"));
  EXPECT_EQ(placement.decision.outcome, Outcome::error);
  Question question = QuestionBuilder().asks(pod("p", 10, 1000));
  question.start = 0;
  EXPECT_EQ(schedule(question, release("v1.36")).decision.outcome, Outcome::error);
}

TEST(Schedule, SkipsWhatIsNotModelled) {
  Question question = two_nodes();
  question.pod.resource_claims = {"gpu"};
  EXPECT_EQ(schedule(question, release("v1.36")).decision.outcome, Outcome::skipped);
}

TEST(Schedule, SkipsScoresOutOfTheirRange) {
  Question question = two_nodes();
  // A hundred times this amount does not fit into 64 bits: the release computes -98 points for memory.
  for (Node& node : question.cluster.nodes) node.allocatable["memory"] = 93'000'000'000'000'000;
  question.cluster.pods[0].containers[0].requests["memory"] = 0;
  question.pod.containers[0].requests["memory"] = 0;
  EXPECT_EQ(schedule(question, release("v1.36")).decision.outcome, Outcome::skipped);
  EXPECT_EQ(schedule(question, release("v1.36")).decision.reason,
            "scores: an amount is so large that a score leaves its range");
}

// CYC-SEARCH-2: where every node is visited, an error of a filter ends the cycle wherever the search begins.
// A search that ends early may miss the node.
TEST(Schedule, HasAnErrorOfAFilterIfTheSearchVisitsEveryNode) {
  Release errs = release("v1.36");
  errs.filters_without_state = {Filter::node_resources_fit};
  Question question = two_nodes();
  question.start = 1;
  EXPECT_EQ(schedule(question, errs).decision.outcome, Outcome::error);
  EXPECT_EQ(schedule(question, errs).next_start, std::nullopt);
  QuestionBuilder builder;
  for (int i = 0; i < 101; ++i) builder.node("n" + std::to_string(i), 4000);
  Question many = builder.asks(pod("p", 10, 1000));
  EXPECT_EQ(schedule(many, errs).decision.outcome, Outcome::error);
  many.start = 0;
  EXPECT_EQ(schedule(many, errs).decision.outcome, Outcome::skipped);
}

// PRE-MESSAGE-6, CYC-ORDER-1, CYC-SEARCH-2: the search visits n0, n2, n1, by zone.
TEST(Schedule, HasTheErrorOfTheFirstNodeOfTheSearch) {
  const Question question = erring_nodes({"a", "a", "b"});
  const auto pod_of_error = [&question](std::optional<Quantity> start, const char* name = "v1.36",
                                        const std::string& nominated = "") {
    Question asked = question;
    asked.start = start;
    asked.pod.nominated_node_name = nominated;
    return pod_named_last(schedule(asked, release(name)).decision.message);
  };
  EXPECT_EQ(pod_of_error(0), "on-n0");
  EXPECT_EQ(pod_of_error(1), "on-n2");
  EXPECT_EQ(pod_of_error(2), "on-n1");
  EXPECT_EQ(pod_of_error(4), "on-n2");
  EXPECT_EQ(pod_of_error({}), "on-n0");
  // CYC-SEARCH-4: the nominated node is tried first. Its error is dropped, but the start index is then 0.
  EXPECT_EQ(pod_of_error(2, "v1.24", "n2"), "on-n0");
  EXPECT_EQ(pod_of_error(2, "v1.25", "n2"), "on-n1");
}

// CYC-SEARCH-4
TEST(Schedule, SaysWhereTheNextSearchBegins) {
  Question question = two_nodes();
  EXPECT_EQ(schedule(question, release("v1.36")).next_start, std::nullopt);
  question.start = 1;
  EXPECT_EQ(schedule(question, release("v1.36")).next_start, 1);
  question.pod.containers[0].requests["cpu"] = 5000;  // fits nowhere
  EXPECT_EQ(schedule(question, release("v1.36")).next_start, 1);
}

// CYC-GATES-1
TEST(Schedule, IsSkippedIfTheEffectOfAGateIsNotModelled) {
  Release gated = release("v1.36");
  gated.unmodelled_gate = "GenericWorkload=true";
  EXPECT_EQ(schedule(two_nodes(), gated).decision.reason, "feature gate GenericWorkload=true");
}

// CYC-PROFILE-1: the PreScore of a scorer errs, so the attempt ends with its error.
TEST(Schedule, HasNoScoresIfAScorerErrs) {
  Release by = release("v1.34");
  by.prescore_error = "no state";
  expect_no_scores(schedule(two_empty_nodes(), by), Outcome::error, "no state");
}

// EXT-UNKNOWN-2: no node has the names x1 and x2. The error of v1.31 is about the first one.
TEST(Schedule, ErrsOnTheFirstUnknownNode) {
  const Question question = two_empty_nodes({filters({{"n0", ok()}, {"x1", ok()}, {"x2", ok()}})});
  const Placement placement = schedule(question, release("v1.31"));
  expect_no_scores(placement, Outcome::error, "x1");
  EXPECT_EQ(placement.decision.reason.find("x2"), std::string::npos);
}

// EXT-UNKNOWN-2: up to v1.16, the scorers that spread pods crash on a node that does not exist.
TEST(Schedule, CrashesIfPodsAreSpreadOverAnUnknownNode) {
  const Question question = two_empty_nodes({filters({{"n0", ok()}, {"x1", ok()}})});
  for (const Scorer scorer :
       {Scorer::selector_spread, Scorer::service_spread, Scorer::service_anti_affinity}) {
    Release by = release("v1.13");
    by.scorers = {{scorer, "Spread", 1, {"rack"}}};
    const Placement placement = schedule(question, by);
    expect_no_scores(placement, Outcome::error, "the scheduler crashes");
    EXPECT_EQ(placement.decision.message, "");  // a crash reports nothing
  }
}

// SCORE-CAPACITY-1: the driver reports two capacities, and the scheduler takes one of them at random.
TEST(Schedule, HasNoScoresIfARandomReportDecidesAScore) {
  Stored stored(QuestionBuilder().node("n0", 4000).node("n1", 4000).asks(with_claim(pod("p", 10, 100), "c")));
  stored.with(late("d")).with(CsiDriver{"d", true, false}).with(waiting("c", 5));
  stored.with(report_of(10, "r1")).with(report_of(20, "r2"));
  expect_no_scores(schedule(stored, release("v1.37")), Outcome::skipped, "VolumeBinding: a random choice");
}

// POL-APART-1: two Services select the pod, and the scheduler takes one of them at random. Another scorer
// comes first.
TEST(Schedule, HasNoScoresIfARandomServiceDecidesAScore) {
  Question question = two_empty_nodes();
  question.pod.labels["app"] = "x";
  for (const char* name : {"s1", "s2"})
    question.cluster.selecting.push_back(
        {SelectingKind::service, "default", name, LabelSelector{{{"app", "x"}}, {}}});
  Release by = release("v1.13");
  by.scorers = {{Scorer::equal, "EqualPriority"}, {Scorer::service_anti_affinity, "Apart", 1, {"rack"}}};
  expect_no_scores(schedule(question, by), Outcome::skipped, "ServiceAntiAffinity");
}

// SCORE-SET-2: 10 times the free memory of n1 exceeds 64 bits, so the score of n1 is below 0. The score of n0
// is not.
TEST(Schedule, HasNoScoresIfOneScoreIsBelowZero) {
  Question question = two_empty_nodes();
  question.pod.containers[0].requests["cpu"] = 4000;
  question.cluster.nodes[1].allocatable["memory"] = 930'000'000'000'000'000;
  for (const char* name : {"v1.8", "v1.9", "v1.13"})
    expect_no_scores(schedule(question, release(name)), Outcome::skipped, "a score leaves its range");
}

// EXT-ANSWER-1: the extender has no table for its prioritizeVerb, so its answer is not known. The placement
// has nothing but the call.
TEST(Schedule, HasNothingButTheCallWhoseAnswerIsNotKnown) {
  Extender extender;
  extender.prioritize_verb = "prioritize";
  Question question = two_empty_nodes({extender});
  question.start = 0;
  const Placement placement = schedule(question, release("v1.36"));
  expect_no_scores(placement, Outcome::skipped, "prioritizeVerb");
  ASSERT_TRUE(placement.decision.unanswered);
  EXPECT_EQ(placement.decision.unanswered->verb, ExtenderVerb::prioritize);
  EXPECT_TRUE(placement.feasible.empty());
  EXPECT_FALSE(placement.next_start);
}

// CYC-SEARCH-2: the search begins with n1, so it finds n1 first. The decision lists the feasible nodes in the
// order of the cluster.
TEST(Schedule, ListsTheFeasibleNodesOfTheDecisionInTheOrderOfTheCluster) {
  Question question = two_empty_nodes();
  question.start = 1;
  const Placement placement = schedule(question, release("v1.36"));
  EXPECT_EQ(placement.feasible, (Nodes{1, 0}));
  EXPECT_EQ(placement.decision.feasible, (Nodes{0, 1}));
}

// CYC-ORDER-1, CYC-SEARCH-2: from v1.12 the search visits n0, n2, n1, by zone. If the question has no start
// index, the feasible nodes are in the order of the cluster.
TEST(Schedule, ListsTheFeasibleNodesInTheOrderOfTheClusterWithoutAStart) {
  Question question =
      QuestionBuilder().node("n0", 4000).node("n1", 4000).node("n2", 4000).asks(pod("p", 10, 1000));
  const std::vector<std::string> zones = {"a", "a", "b"};
  for (std::size_t i = 0; i < zones.size(); ++i)
    question.cluster.nodes[i].labels = {{"failure-domain.beta.kubernetes.io/zone", zones[i]},
                                        {"topology.kubernetes.io/zone", zones[i]}};
  for (const char* name : {"v1.12", "v1.18", "v1.36"})
    EXPECT_EQ(schedule(question, release(name)).feasible, (Nodes{0, 1, 2})) << name;
}

// EXT-RECORD-1, EXT-UNKNOWN-2: the answer of the extender has n0 and an unknown node. It replaces the record
// of n0, so NodeResourcesFit does not count the 2 CPUs of a there.
TEST(Schedule, SeesNoPodsOnReplacedNodesBesideAnUnknownNode) {
  const auto cpu_on_n0 = [](std::vector<Extender> extenders) {
    Question question =
        QuestionBuilder().node("n0", 4000).has(pod("a", 20, 2000)).node("n1", 4000).asks(pod("p", 10, 1000));
    question.extenders = std::move(extenders);
    Trace trace = Trace::full();
    schedule(question, release("v1.34"), trace);
    for (const Step& step : trace.steps()) {
      if (step.clause == "SCORE-LEAST-1" && step.what == "cpu" && step.node == 0U)
        return value_of(step.values, Measure::requested);
    }
    return Quantity{-1};
  };
  EXPECT_EQ(cpu_on_n0({}), 3000);
  EXPECT_EQ(cpu_on_n0({filters({{"n0", ok()}, {"x1", ok()}})}), 1000);
}

// CYC-SEARCH-4: the start index counts modulo the number of nodes, which is 1 here.
TEST(Schedule, WrapsTheStartIndexInAClusterOfOneNode) {
  Question one = QuestionBuilder().node("n0", 4000).asks(pod("p", 10, 1000));
  one.start = 1;
  for (const char* name : {"v1.8", "v1.20", "v1.36"})
    EXPECT_EQ(schedule(one, release(name)).next_start, 0) << name;
}

}  // namespace touchstone::tests::schedule_test
