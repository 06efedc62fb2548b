#include <gtest/gtest.h>

#include "reference/cycle/schedule.hpp"
#include "tests/support/builder.hpp"
#include "tests/support/extenders.hpp"

namespace touchstone::tests::extended_scores_test {

using reference::schedule;

namespace {

using Nodes = std::vector<NodeIndex>;
using Row = std::vector<Quantity>;

/// Three equal nodes, and a pod that requests 1 CPU. The search begins with the first node.
Question three_nodes(std::vector<Extender> extenders) {
  Question question =
      QuestionBuilder().node("n0", 4000).node("n1", 4000).node("n2", 4000).asks(pod("p", 10, 1000));
  question.extenders = std::move(extenders);
  question.start = 0;
  return question;
}

/// n0 with a pod of 2 CPUs and an image of 500 Mi, and n1 without a pod.
Question used_and_empty(std::vector<Extender> extenders) {
  Question question =
      QuestionBuilder().node("n0", 4000).has(pod("a", 0, 2000)).node("n1", 4000).asks(pod("p", 10, 1000));
  question.cluster.nodes[0].images = {{{"i:latest"}, 500 << 20}};
  question.pod.containers[0].image = "i";
  question.extenders = std::move(extenders);
  return question;
}

Row row_of(const Placement& placement, std::string_view scorer) {
  for (const ScoreColumn& column : placement.scores) {
    if (column.scorer.name == scorer) return column.scores;
  }
  return {};
}

Extender passes_both(bool node_cache_capable) {
  const std::map<std::string, FilterEntry> both = {{"n0", ok()}, {"n1", ok()}};
  return node_cache_capable ? filters_names(both) : filters(both);
}

}  // namespace

// EXT-SCORE-1
TEST(ExtendedScores, ScaleScoresToTheHighestScore) {
  const Question question = three_nodes({scores(2, {{"n0", 3}, {"ghost", 9}}), scores(1, {{"n0", 1}})});
  const Placement small = schedule(question, release("v1.16"));
  EXPECT_EQ(small.extender_scores, (Row{7, 0, 0}));
  EXPECT_EQ(small.totals[0] - small.totals[1], 7);
  const Placement large = schedule(question, release("v1.17"));
  EXPECT_EQ(large.extender_scores, (Row{70, 0, 0}));
  EXPECT_EQ(large.totals[0] - large.totals[1], 70);
  EXPECT_EQ(large.best, (Nodes{0}));
}

// EXT-SCORE-1
TEST(ExtendedScores, AddToZeroWithoutScorers) {
  Release without_scorers = release("v1.36");
  without_scorers.scorers.clear();
  EXPECT_EQ(schedule(three_nodes({scores(1, {})}), without_scorers).totals, (Row{0, 0, 0}));
  EXPECT_EQ(schedule(three_nodes({preempts({})}), without_scorers).feasible, (Nodes{0}));  // CYC-SEARCH-3
}

// CYC-SEARCH-3
TEST(ExtendedScores, MakeTheSearchFindEveryNode) {
  Release without_scorers = release("v1.36");
  without_scorers.scorers.clear();
  EXPECT_EQ(schedule(three_nodes({scores(1, {})}), without_scorers).feasible.size(), 3U);
  const std::map<std::string, FilterEntry> all = {{"n0", ok()}, {"n1", ok()}, {"n2", ok()}};
  EXPECT_EQ(schedule(three_nodes({filters(all)}), without_scorers).feasible.size(), 3U);
}

// EXT-SCORE-2
TEST(ExtendedScores, AreZeroIfTheExtenderFails) {
  const Placement placement = schedule(three_nodes({failing(scores(1, {}))}), release("v1.36"));
  EXPECT_EQ(placement.extender_scores, (Row{0, 0, 0}));
  EXPECT_EQ(placement.best, (Nodes{0}));
}

// EXT-SCORE-2, CYC-HOST-4
TEST(ExtendedScores, LetNodesWithAnEntryGoFirstFromV135) {
  const Question question = three_nodes({scores(1, {{"n1", 0}, {"n2", 0}})});
  EXPECT_EQ(schedule(question, release("v1.34")).best, (Nodes{0, 1, 2}));
  EXPECT_EQ(schedule(question, release("v1.35")).best, (Nodes{1, 2}));
  EXPECT_EQ(schedule(three_nodes({preempts({})}), release("v1.35")).best, (Nodes{0, 1, 2}));
  EXPECT_EQ(schedule(three_nodes({managing(preempts({}), "example.com/gpu")}), release("v1.35")).best,
            (Nodes{0}));
}

// EXT-ANSWER-1
TEST(ExtendedScores, SayWhichAnswerTheyNeed) {
  Extender silent = scores(1, {});
  silent.prioritize.reset();
  const Decision decision = schedule(three_nodes({silent}), release("v1.36")).decision;
  EXPECT_EQ(decision.outcome, Outcome::skipped);
  ASSERT_TRUE(decision.unanswered.has_value());
  EXPECT_EQ(decision.unanswered->verb, ExtenderVerb::prioritize);
  EXPECT_EQ(decision.unanswered->nodes, (Nodes{0, 1, 2}));
}

// EXT-RECORD-1
TEST(ExtendedScores, SeeNodesWithoutPodsAndImagesFromV133) {
  const Placement before = schedule(used_and_empty({passes_both(false)}), release("v1.32"));
  EXPECT_EQ(before.best, (Nodes{1}));
  EXPECT_GT(row_of(before, "ImageLocality")[0], 0);
  const Placement after = schedule(used_and_empty({passes_both(false)}), release("v1.33"));
  EXPECT_EQ(row_of(after, "NodeResourcesFit"), (Row{77, 77}));
  EXPECT_EQ(row_of(after, "ImageLocality"), (Row{0, 0}));
  EXPECT_EQ(after.best, (Nodes{0, 1}));
}

// EXT-RECORD-1
TEST(ExtendedScores, SeeWholeNodesIfTheExtenderHasANodeCache) {
  const Placement placement = schedule(used_and_empty({passes_both(true)}), release("v1.33"));
  EXPECT_GT(row_of(placement, "ImageLocality")[0], 0);
  EXPECT_NE(row_of(placement, "NodeResourcesFit")[0], row_of(placement, "NodeResourcesFit")[1]);
}

// EXT-RECORD-1
TEST(ExtendedScores, CountNoPodsOfANodeForSpreadingOverHosts) {
  Question question = used_and_empty({});
  for (Node& node : question.cluster.nodes) node.labels["kubernetes.io/hostname"] = node.name;
  question.cluster.pods[0].labels["app"] = "x";
  question.pod.labels["app"] = "x";
  question.pod.topology_spread.push_back(
      {"kubernetes.io/hostname", "ScheduleAnyway", 1, LabelSelector{{{"app", "x"}}, {}}, {}, "", "", {}});
  EXPECT_EQ(row_of(schedule(question, release("v1.33")), "PodTopologySpread"), (Row{0, 200}));
  question.extenders = {passes_both(false)};
  EXPECT_EQ(row_of(schedule(question, release("v1.32")), "PodTopologySpread"), (Row{0, 200}));
  EXPECT_EQ(row_of(schedule(question, release("v1.33")), "PodTopologySpread"), (Row{200, 200}));
}

}  // namespace touchstone::tests::extended_scores_test
