// tests/reference/cycle/schedule_test.cpp
#include "reference/cycle/schedule.hpp"

#include <gtest/gtest.h>

#include "tests/support/builder.hpp"
#include "tests/support/extenders.hpp"
#include "tests/support/storage.hpp"

namespace touchstone::tests::more_schedule_test {

using reference::schedule;

namespace {

using Nodes = std::vector<NodeIndex>;

Question two_nodes(std::vector<Extender> extenders = {}) {
  Question question = QuestionBuilder().node("n0", 4000).node("n1", 4000).asks(pod("p", 10, 1000));
  question.extenders = std::move(extenders);
  return question;
}

/// Expects that a cycle has ended without scores.
void expect_no_scores(const Placement& placement, Outcome outcome, const std::string& reason) {
  EXPECT_EQ(placement.decision.outcome, outcome);
  EXPECT_NE(placement.decision.reason.find(reason), std::string::npos) << placement.decision.reason;
  EXPECT_TRUE(placement.scores.empty()) << reason;
  EXPECT_TRUE(placement.totals.empty()) << reason;
  EXPECT_TRUE(placement.best.empty()) << reason;
}

}  // namespace

// CYC-PROFILE-1, PRE-OUTCOME-4: a cycle that ends with an error of a scorer has no scores.
TEST(Schedule, HasNoScoresIfAScorerErrs) {
  Release by = release("v1.34");
  by.prescore_error = "no state";
  expect_no_scores(schedule(two_nodes(), by), Outcome::error, "no state");
}

// EXT-UNKNOWN-2: v1.31 errs on the first of two nodes that only an extender knows.
TEST(Schedule, ErrsOnTheFirstUnknownNode) {
  const Question question = two_nodes({filters({{"n0", ok()}, {"x1", ok()}, {"x2", ok()}})});
  const Placement placement = schedule(question, release("v1.31"));
  expect_no_scores(placement, Outcome::error, "x1");
  EXPECT_EQ(placement.decision.reason.find("x2"), std::string::npos);
}

// EXT-UNKNOWN-2: up to v1.16, the scorers that spread pods crash on a node that does not exist.
TEST(Schedule, CrashesIfPodsAreSpreadOverAnUnknownNode) {
  const Question question = two_nodes({filters({{"n0", ok()}, {"x1", ok()}})});
  for (const Scorer scorer :
       {Scorer::selector_spread, Scorer::service_spread, Scorer::service_anti_affinity}) {
    Release by = release("v1.13");
    by.scorers = {{scorer, "Spread", 1, {"rack"}}};
    const Placement placement = schedule(question, by);
    expect_no_scores(placement, Outcome::error, "the scheduler crashes");
    EXPECT_EQ(placement.decision.message, "");
  }
}

// SCORE-CAPACITY-1: two reports of one driver differ, and the scheduler takes one of them at random.
TEST(Schedule, HasNoScoresIfARandomReportDecidesAScore) {
  Stored stored(QuestionBuilder().node("n0", 4000).node("n1", 4000).asks(with_claim(pod("p", 10, 100), "c")));
  stored.with(late("d")).with(CsiDriver{"d", true, false}).with(waiting("c", 5));
  for (const Quantity capacity : {10, 20}) {
    CsiStorageCapacity report;
    report.name = "r" + std::to_string(capacity);
    report.storage_class = "late";
    report.node_topology = LabelSelector{};
    report.capacity = capacity;
    stored.with(report);
  }
  expect_no_scores(schedule(stored, release("v1.37")), Outcome::skipped, "VolumeBinding: a random choice");
}

// POL-APART-1: two Services select the pod, and the scheduler takes the first of a list in random order. It
// does not matter that other scorers run, too.
TEST(Schedule, HasNoScoresIfARandomServiceDecidesAScore) {
  Question question = two_nodes();
  question.pod.labels["app"] = "x";
  for (const char* name : {"s1", "s2"})
    question.cluster.selecting.push_back(
        {SelectingKind::service, "default", name, LabelSelector{{{"app", "x"}}, {}}});
  Release by = release("v1.13");
  by.scorers = {{Scorer::equal, "EqualPriority"}, {Scorer::service_anti_affinity, "Apart", 1, {"rack"}}};
  expect_no_scores(schedule(question, by), Outcome::skipped, "ServiceAntiAffinity");
}

// SCORE-SET-2: the free memory of n1, times 10, wraps to a score below 0. n0 has a score.
TEST(Schedule, HasNoScoresIfOneScoreIsBelowZero) {
  Question question = two_nodes();
  question.pod.containers[0].requests["cpu"] = 4000;
  question.cluster.nodes[1].allocatable["memory"] = 930'000'000'000'000'000;
  for (const char* name : {"v1.8", "v1.9", "v1.13"})
    expect_no_scores(schedule(question, release(name)), Outcome::skipped, "a score leaves its range");
}

// EXT-ANSWER-1: the scores of the extender are not known. Nothing is left of the cycle but the question.
TEST(Schedule, HasNothingButTheCallThatIsNotAnswered) {
  Extender extender;
  extender.prioritize_verb = "prioritize";
  Question question = two_nodes({extender});
  question.start = 0;
  const Placement placement = schedule(question, release("v1.36"));
  expect_no_scores(placement, Outcome::skipped, "prioritizeVerb");
  EXPECT_TRUE(placement.feasible.empty());
  EXPECT_FALSE(placement.next_start);
}

// CYC-SEARCH-2: the search begins with n1, the decision lists the nodes of the cluster.
TEST(Schedule, ListsTheFeasibleNodesOfTheDecisionInTheOrderOfTheCluster) {
  Question question = two_nodes();
  question.start = 1;
  const Placement placement = schedule(question, release("v1.36"));
  EXPECT_EQ(placement.feasible, (Nodes{1, 0}));
  EXPECT_EQ(placement.decision.feasible, (Nodes{0, 1}));
}

// CYC-ORDER-1: from v1.12 on the filters run zone by zone. Without a start index the feasible nodes are in
// the order of the cluster.
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

// EXT-RECORD-1, EXT-UNKNOWN-2: the extender replaces the records of n0 and adds a node. Scorers see no pods
// on n0.
TEST(Schedule, SeesNoPodsOnReplacedNodesBesideAnUnknownNode) {
  const auto load_of_first = [](std::vector<Extender> extenders) {
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
  EXPECT_EQ(load_of_first({}), 3000);
  EXPECT_EQ(load_of_first({filters({{"n0", ok()}, {"x1", ok()}})}), 1000);
}

// CYC-SEARCH-4: nodes have been removed since the last search. The only node is where the next search begins.
TEST(Schedule, WrapsTheStartIndexInAClusterOfOneNode) {
  Question one = QuestionBuilder().node("n0", 4000).asks(pod("p", 10, 1000));
  one.start = 1;
  for (const char* name : {"v1.8", "v1.20", "v1.36"})
    EXPECT_EQ(schedule(one, release(name)).next_start, 0) << name;
}

}  // namespace touchstone::tests::more_schedule_test
