#include "optimized/search/schedule.hpp"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "spec/vocabulary/seeded_choices.hpp"
#include "tests/optimized/scores/placed.hpp"
#include "tests/support/extenders.hpp"

/// How a cycle of the optimized engine ends in rare cases: with an error of a scorer, with a score that
/// leaves its range, and with a memo.
namespace touchstone::tests::schedule_test {

namespace {

using Nodes = std::vector<NodeIndex>;

/// Nodes n1 to n3 with 4, 3 and 2 cpu.
Question uneven_nodes() {
  return QuestionBuilder().node("n1", 4000).node("n2", 3000).node("n3", 2000).asks(pod("p", 10, 1000));
}

optimized::Options options_of(const Question& question) {
  optimized::Options options;
  options.start = question.start;
  options.extenders = &question.extenders;
  return options;
}

/// A cycle with a new memo.
optimized::Placed placed_with_memo(const Question& question, const Release& asked,
                                   const optimized::Options& options, Choices& choices) {
  optimized::Workers workers(1);
  optimized::Memo memo;
  const optimized::Snapshot snapshot(question.cluster, asked);
  return optimized::schedule(snapshot, question.pod, options, workers, choices, memo);
}
optimized::Placed placed_with_memo(const Question& question, const Release& asked) {
  CanonicalChoices choices;
  return placed_with_memo(question, asked, options_of(question), choices);
}

}  // namespace

// CYC-PROFILE-1, PRE-OUTCOME-4: the error of a PreScore, or of the first scorer that lacks its state, ends
// the attempt, and nothing else of the cycle is kept.
TEST(OptimizedSchedule, EndsWithTheErrorOfAScorer) {
  for (const char* version : {"v1.22", "v1.24", "v1.34", "v1.36.3"}) {
    Release asked = release(version);
    ASSERT_GT(asked.scorers.size(), 2U);
    Question question = uneven_nodes();
    for (const std::optional<Quantity> start : {std::optional<Quantity>{}, std::optional<Quantity>{1}}) {
      question.start = start;
      asked.prescore_error = "";
      asked.scorers_without_state = {asked.scorers[2].scorer, asked.scorers[1].scorer};
      const optimized::Placed placed = placed_alike(question, asked);
      EXPECT_EQ(placed.answer.outcome, Outcome::error) << version;
      EXPECT_NE(placed.answer.reason.find(asked.scorers[1].name), std::string::npos) << placed.answer.reason;
      EXPECT_FALSE(placed.host);
      EXPECT_TRUE(placed.feasible.empty());
      asked.prescore_error = "no state";
      EXPECT_EQ(placed_alike(question, asked).answer.reason, "no state");
    }
  }
}

// SCORE-SET-2, SCORE-SELECTOR-3: a weight is so large that the best score of one scorer becomes negative, and
// the lowest one does not. The cycle is skipped. The broken zones of v1.8 are another matter: there a score
// of SelectorSpread may be negative.
TEST(OptimizedSchedule, IsSkippedIfOneScoreLeavesItsRange) {
  Question question = uneven_nodes();
  Pod other = with_app(pod("a", 0, 100), "x");
  other.node_name = "n1";
  question.cluster.pods.push_back(other);
  question.pod.labels["app"] = "x";
  question.pod.preferred_node_affinity = {{1, {{}, {{"metadata.name", "In", {"n2"}}}}}};
  SelectingObject service;
  service.ns = "default";
  service.name = "s";
  service.selector = LabelSelector{{{"app", "x"}}, {}};
  question.cluster.selecting = {service};
  std::map<std::string, std::size_t> skipped;
  for (const char* version : {"v1.8", "v1.9", "v1.12", "v1.15", "v1.18", "v1.22", "v1.36.3"}) {
    const Release asked = release(version);
    for (std::size_t i = 0; i < asked.scorers.size(); ++i) {
      for (const Quantity weight : {Quantity{1} << 60, Quantity{1} << 57}) {
        Release heavy = asked;
        heavy.scorers[i].weight = weight;
        for (const std::optional<Quantity> start : {std::optional<Quantity>{}, std::optional<Quantity>{1}}) {
          question.start = start;
          const optimized::Placed placed = placed_alike(question, heavy);
          skipped[version] += placed.answer.outcome == Outcome::skipped;
          EXPECT_EQ(placed.host.has_value(), placed.answer.outcome == Outcome::fits);
        }
      }
    }
  }
  for (const auto& [version, count] : skipped) EXPECT_GT(count, 0U) << version;
}

// CYC-ONE-1, SCORE-SET-2: one feasible node is not scored, so its score cannot leave the range.
TEST(OptimizedSchedule, DoesNotScoreTheOnlyNodeWithAMemo) {
  const Question question = QuestionBuilder().node("n1", 4000).asks(pod("p", 10, 1000));
  Release heavy = release("v1.34");
  for (WeightedScorer& scorer : heavy.scorers) scorer.weight = Quantity{1} << 60;
  EXPECT_EQ(placed_with_memo(question, heavy), placed_alike(question, heavy));
  EXPECT_EQ(placed_with_memo(question, heavy).host, NodeIndex{0});
}

// EXT-FILTER-1: a memo does not know the answers of extenders.
TEST(OptimizedSchedule, AsksExtendersAlsoWithAMemo) {
  Question question = uneven_nodes();
  question.extenders = {filters_names({{"n3", ok()}})};
  for (const char* version : {"v1.24", "v1.36.3"}) {
    const Release asked = release(version);
    EXPECT_EQ(placed_with_memo(question, asked), placed_alike(question, asked)) << version;
    EXPECT_EQ(placed_with_memo(question, asked).host, NodeIndex{2}) << version;
  }
}

// CYC-HOST-3: with a memo, a cycle lists its feasible nodes and their scores only if they are wanted, and
// takes one choice among the best nodes.
TEST(OptimizedSchedule, ListsNothingWithAMemoIfScoresAreNotWanted) {
  const Question question =
      QuestionBuilder().node("n1", 4000).node("n2", 4000).node("n3", 4000).asks(pod("p", 10, 1000));
  const Release asked = release("v1.34");
  optimized::Options options;
  options.wants_scores = false;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    SeededChoices choices(seed);
    SeededChoices same(seed);
    const optimized::Placed placed = placed_with_memo(question, asked, options, choices);
    EXPECT_EQ(placed.best, (Nodes{0, 1, 2}));
    EXPECT_TRUE(placed.feasible.empty());
    EXPECT_TRUE(placed.scores.empty());
    EXPECT_TRUE(placed.totals.empty());
    EXPECT_EQ(placed.host, placed.best[same.pick(3, "CYC-HOST-3")]) << seed;
  }
}

}  // namespace touchstone::tests::schedule_test
