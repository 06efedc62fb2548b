#include <gtest/gtest.h>

#include "reference/scores/scores.hpp"
#include "tests/support/builder.hpp"

/// Tests the table of scorers, and normalisation.
namespace touchstone::tests::scorers_test {

namespace {

using reference::Nodes;
using reference::Scores;
using Points = std::vector<Quantity>;

const Nodes k_all = {0, 1};

Points normalized(Points raw, std::string_view name) {
  return reference::normalized(std::move(raw), release(name));
}

Points in_reverse(Points raw, std::string_view name) {
  return reference::normalized_in_reverse(std::move(raw), release(name));
}

/// Two nodes. The pod prefers n1, which has its image, and it does not tolerate the taint of n1.
Question question_of_two_nodes() {
  Pod p = pod("p", 0, 100);
  p.containers[0].image = "app:v1";
  p.preferred_node_affinity = {{5, {{{"disk", "In", {"ssd"}}}, {}}}};
  Question question = QuestionBuilder().node("n1", 4000).node("n2", 4000).asks(std::move(p));
  Node& n1 = question.cluster.nodes[0];
  n1.labels["disk"] = "ssd";
  n1.taints = {{"old", "", "PreferNoSchedule"}};
  n1.images = {{{"app:v1"}, Quantity{500} << 20}};
  return question;
}

Scores run(Scorer scorer, const Question& question, std::string_view name) {
  const Release named = release(name);
  Trace trace = Trace::none();
  const reference::Cycle cycle(question, named, trace);
  return reference::run_scorer(scorer, cycle, k_all);
}

/// What the release adds to the total for a scorer.
Points weighted(Scorer scorer, const Question& question, std::string_view name) {
  Points scores = run(scorer, question, name).value();
  for (const WeightedScorer& each : release(name).scorers) {
    for (Quantity& score : scores) score *= each.scorer == scorer ? each.weight : 1;
  }
  return scores;
}

}  // namespace

// SCORE-SET-1
TEST(Scorers, RunTheFunctionOfTheScorer) {
  const Question question = question_of_two_nodes();
  const Release named = release("v1.37");
  Trace trace = Trace::none();
  const reference::Cycle cycle(question, named, trace);
  const std::vector<std::pair<Scorer, Scores (*)(const reference::Cycle&, const Nodes&)>> functions = {
      {Scorer::selector_spread, reference::selector_spread},
      {Scorer::inter_pod_affinity, reference::preferred_pod_affinity},
      {Scorer::node_resources, reference::node_resources},
      {Scorer::balanced_allocation, reference::balanced_allocation},
      {Scorer::node_prefer_avoid_pods, reference::node_prefer_avoid_pods},
      {Scorer::node_affinity, reference::preferred_node_affinity},
      {Scorer::taint_toleration, reference::untolerated_taints},
      {Scorer::image_locality, reference::image_locality},
      {Scorer::pod_topology_spread, reference::soft_spread},
      {Scorer::volume_capacity, reference::volume_capacity}};
  for (const auto& [scorer, function] : functions)
    EXPECT_EQ(reference::run_scorer(scorer, cycle, k_all), function(cycle, k_all))
        << static_cast<int>(scorer);
}

// SCORE-SET-1
TEST(Scorers, GiveAPodWithoutResourceClaimsNothingForThem) {
  EXPECT_EQ(run(Scorer::dynamic_resources, question_of_two_nodes(), "v1.37"), Points({0, 0}));
}

// SCORE-SET-1, SCORE-NODEAFFINITY-1, SCORE-TAINT-1: worked example X5
TEST(Scorers, WeighATaintAgainstAPreferenceByRelease) {
  const Question question = question_of_two_nodes();
  EXPECT_EQ(weighted(Scorer::node_affinity, question, "v1.16"), Points({10, 0}));
  EXPECT_EQ(weighted(Scorer::taint_toleration, question, "v1.16"), Points({0, 10}));
  EXPECT_EQ(weighted(Scorer::node_affinity, question, "v1.22"), Points({100, 0}));
  EXPECT_EQ(weighted(Scorer::taint_toleration, question, "v1.22"), Points({0, 100}));
  EXPECT_EQ(weighted(Scorer::node_affinity, question, "v1.23"), Points({200, 0}));
  EXPECT_EQ(weighted(Scorer::taint_toleration, question, "v1.23"), Points({0, 300}));
}

// SCORE-NORMAL-1, SCORE-SET-2
TEST(Normalized, ScalesTheLargestScoreToTheHighestScore) {
  EXPECT_EQ(normalized({5, 15, 0}, "v1.37"), Points({33, 100, 0}));
  EXPECT_EQ(normalized({5, 15, 0}, "v1.16"), Points({3, 10, 0}));
}

// SCORE-NORMAL-1
TEST(Normalized, KeepsScoresOfZero) { EXPECT_EQ(normalized({0, 0}, "v1.37"), Points({0, 0})); }

// SCORE-NORMAL-2
TEST(NormalizedInReverse, ScalesTheLargestScoreToZero) {
  EXPECT_EQ(in_reverse({1, 3, 0}, "v1.37"), Points({67, 0, 100}));
  EXPECT_EQ(in_reverse({9, 10, 0}, "v1.9"), Points({1, 0, 10}));
}

// SCORE-NORMAL-2
TEST(NormalizedInReverse, GivesTheHighestScoreIfAllScoresAreZero) {
  EXPECT_EQ(in_reverse({0, 0}, "v1.37"), Points({100, 100}));
  EXPECT_EQ(in_reverse({0, 0}, "v1.8"), Points({10, 10}));
}

// SCORE-NORMAL-2
TEST(NormalizedInReverse, LosesAPointToRoundingInV1_8) {
  EXPECT_EQ(in_reverse({1, 3, 0}, "v1.8"), Points({6, 0, 10}));
  EXPECT_EQ(in_reverse({9, 10, 0}, "v1.8"), Points({0, 0, 10}));
  EXPECT_EQ(in_reverse({1, 2, 0}, "v1.8"), Points({5, 0, 10}));
}

}  // namespace touchstone::tests::scorers_test
