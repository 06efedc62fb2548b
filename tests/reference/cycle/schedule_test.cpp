#include "reference/cycle/schedule.hpp"

#include <gtest/gtest.h>

#include "reference/preemption/preempt.hpp"
#include "tests/support/builder.hpp"
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
  const Question question = QuestionBuilder().node("n0", 4000).node("n1", 4000).asks(pod("p", 10, 1000));
  EXPECT_EQ(schedule(question, release("v1.30")).best, (Nodes{0, 1}));
  EXPECT_EQ(schedule(question, release("v1.30")).host, 0U);
  ScriptedChoices last({1});
  Trace trace = Trace::none();
  EXPECT_EQ(schedule(question, release("v1.30"), last, trace).host, 1U);
}

// CYC-HOST-4
TEST(Schedule, TakesTheRootOfTheHeapIfTheOrderIsKnown) {
  Question question = QuestionBuilder().node("n0", 4000).node("n1", 4000).asks(pod("p", 10, 1000));
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

}  // namespace touchstone::tests::schedule_test
