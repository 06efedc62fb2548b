#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "spec/vocabulary/seeded_choices.hpp"
#include "tests/optimized/scores/placed.hpp"
#include "tests/optimized/search/cycle_with_memo.hpp"

/// Scores of a cycle with a memo are those of the reference: if a score leaves its range, and if several
/// scores have a scale.
namespace touchstone::tests::kept_scores_test {

namespace {

Release with_weight(const std::string& version, Scorer scorer, Quantity weight) {
  Release asked = release(version);
  for (WeightedScorer& each : asked.scorers) {
    if (each.scorer == scorer) each.weight = weight;
  }
  return asked;
}

/// Nodes of which all is requested, except on the nodes `chosen`, which have the label disk=ssd.
Question ssd_on(std::size_t nodes, const std::set<std::size_t>& chosen) {
  Question question = full_but_for(nodes, chosen);
  for (const std::size_t node : chosen) question.cluster.nodes[node].labels["disk"] = "ssd";
  return question;
}

bool is_scored(const optimized::Placed& placed) { return placed.answer.outcome == Outcome::fits; }

/// A case in which only the nodes of `negative` have a negative score.
struct Negative {
  std::size_t nodes;
  std::set<std::size_t> negative;
  std::set<std::size_t> unschedulable;
  std::optional<Quantity> start;
  bool is_found;  ///< whether the search finds one of them
};

const std::vector<Negative> k_negative = {
    {3, {}, {}, std::nullopt, false},
    {3, {0}, {}, std::nullopt, true},
    {3, {2}, {}, std::nullopt, true},
    {3, {2}, {0, 1}, std::nullopt, false},  // a single node has no score
    {4, {2, 3}, {0, 1}, std::nullopt, true},
    {40, {7}, {7}, std::nullopt, false},  // the node is rated with its word, but it is not feasible
    {100, {70}, {}, std::nullopt, true},
    {150, {3}, {}, 0, true},
    {150, {99}, {}, 0, true},
    {150, {120}, {}, 0, false},  // the search ends before it
    {150, {120}, {}, 60, true},
    {150, {120}, {0, 1}, 0, false},
    {150, {100}, {0, 1}, 0, true},
};

}  // namespace

// SCORE-SET-2: a cycle is skipped if a score of a node that the search finds is negative. With the weight -1
// it is the score of NodeResourcesFit where something is free, or of NodeAffinity where the label is.
TEST(KeptSearch, SeesThatAScoreLeavesItsRange) {
  for (const Scorer scorer : {Scorer::node_resources, Scorer::node_affinity}) {
    for (const Negative& each : k_negative) {
      Question question = ssd_on(each.nodes, each.negative);
      question.start = each.start;
      for (const std::size_t node : each.unschedulable) question.cluster.nodes[node].unschedulable = true;
      CycleWithMemo cycle(question, with_weight("v1.34", scorer, -1));
      EXPECT_EQ(is_scored(cycle.place()), !each.is_found)
          << static_cast<int>(scorer) << " " << each.nodes << " " << each.start.value_or(-1);
      EXPECT_EQ(cycle.memo().kinds(), 1U);
    }
  }
}

// SCORE-SET-2: a score comes back into its range when its node changes.
TEST(KeptSearch, SeesThatAScoreIsInItsRangeAgain) {
  for (const std::size_t nodes : {3U, 150U}) {
    for (const bool is_scaled : {false, true}) {
      Question question = ssd_on(nodes, {1});
      question.start = 0;
      CycleWithMemo cycle(
          question, with_weight("v1.34", is_scaled ? Scorer::node_affinity : Scorer::node_resources, -1));
      EXPECT_FALSE(is_scored(cycle.place()));
      if (is_scaled) cycle.change(1, [](Node& node) { node.labels.erase("disk"); });
      if (!is_scaled) cycle.add(1, sized("b", 4000, k_gi));
      EXPECT_TRUE(is_scored(cycle.place())) << nodes << " " << is_scaled;
      EXPECT_EQ(cycle.memo().reused(), 1U);
    }
  }
}

// SCORE-SET-2: a search that ends early sees a constant score that leaves its range.
TEST(KeptSearch, SeesAConstantScoreOutOfRangeIfItEndsEarly) {
  Question question = full_but_for(150, {});
  question.start = 0;
  CycleWithMemo cycle(question, with_weight("v1.34", Scorer::taint_toleration, -1));
  EXPECT_FALSE(is_scored(cycle.place()));
}

// CYC-ONE-1: the only feasible node is not scored, so its score cannot leave its range.
TEST(KeptSearch, ScoresNoSingleNode) {
  for (const std::size_t nodes : {3U, 150U}) {
    Question question = ssd_on(nodes, {1});
    question.start = 0;
    for (std::size_t i = 0; i < nodes; ++i) question.cluster.nodes[i].unschedulable = i != 1;
    CycleWithMemo cycle(question, with_weight("v1.34", Scorer::node_resources, -1));
    EXPECT_EQ(cycle.place().host, 1U) << nodes;
  }
}

// SCORE-NORMAL-1, SCORE-NORMAL-2, SCORE-SET-1: two scaled scores, each of which may change its scale alone,
// with weights from 0 to 2; scorers in both orders. Nodes become feasible, or no longer.
TEST(KeptSearch, FollowsTheScalesOfSeveralScores) {
  std::size_t scored = 0;
  std::size_t reused = 0;
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    SeededChoices choices(seed);
    const auto below = [&choices](std::size_t n) { return choices.pick(n, "a change"); };
    Release asked = release("v1.34");
    if (seed % 2 == 1) std::reverse(asked.scorers.begin(), asked.scorers.end());
    for (WeightedScorer& scorer : asked.scorers) scorer.weight = static_cast<Quantity>(below(3));
    const std::size_t nodes = seed % 6 == 0 ? 150 : 4;
    Question question = full_but_for(nodes, {0, 1, 2, 3});
    if (seed % 4 > 0) question.start = 2;
    question.pod.preferred_node_affinity.push_back({2, {{{"gpu", "Exists", {}}}, {}}});
    CycleWithMemo cycle(question, asked);
    std::size_t added = 0;
    for (int round = 0; round < 8; ++round) {
      scored += is_scored(cycle.place());
      ASSERT_FALSE(HasFailure()) << "seed " << seed << " round " << round;
      for (std::size_t changes = 1 + below(2); changes > 0; --changes) {
        const std::size_t node = below(4);
        const std::size_t kind = below(5);
        if (kind == 4) cycle.add(node, sized("b" + std::to_string(added++), 500, k_gi / 8));
        cycle.change(node, [&](Node& changed) {
          if (kind == 0) changed.taints.assign(below(3), {"k", "v", "PreferNoSchedule"});
          if (kind == 1) changed.labels["disk"] = below(2) == 0 ? "ssd" : "hdd";
          if (kind == 2 && changed.labels.erase("gpu") == 0) changed.labels["gpu"] = "";
          if (kind == 3) changed.unschedulable = !changed.unschedulable;
        });
      }
    }
    reused += cycle.memo().reused();
  }
  EXPECT_GT(scored, 150U);
  EXPECT_GT(reused, 100U);
}

// SCORE-NODEAFFINITY-1: few nodes are rated one by one, and the score of one scorer does not become part of
// that of the next one. Soft taints are rated before preferred nodes.
TEST(KeptSearch, AddsUpPreferredTermsOfFewNodes) {
  Question question = app_in_two_zones();
  question.pod.preferred_node_affinity = {{1, {{{"zone", "In", {"b"}}}, {}}}};
  question.cluster.nodes[0].taints = {{"k", "v", "PreferNoSchedule"}, {"l", "v", "PreferNoSchedule"}};
  for (const char* version : {"v1.16", "v1.24", "v1.34", "v1.37"})
    expect_placed_twice(question, release(version));
}

}  // namespace touchstone::tests::kept_scores_test
