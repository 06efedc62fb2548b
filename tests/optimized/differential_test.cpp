#include "tests/optimized/differential.hpp"

#include <gtest/gtest.h>

#include <map>

#include "reference/preemption/preempt.hpp"
#include "spec/vocabulary/seeded_choices.hpp"
#include "tests/optimized/oddities.hpp"
#include "tests/support/any_question.hpp"
#include "tests/support/scale.hpp"

/// The optimized engine gives the same answers as the reference. The scenarios are the same in every run, of
/// every family, for every epoch of releases. The engine skips exactly the questions that the reference
/// skips.
namespace touchstone::tests {

namespace {

constexpr std::uint64_t k_seed = 20261122;
const std::uint64_t k_cases_of_epoch = tests::scaled(150);

}  // namespace

TEST(Optimized, AnswersAsTheReferenceInEveryEpoch) {
  optimized::Workers workers(2);
  std::map<Outcome, std::size_t> outcomes;
  std::map<fuzz::Family, std::size_t> nominated;
  std::size_t skipped_by_reference = 0;
  for (const std::string& epoch : k_distinct_releases) {
    const fuzz::Scenarios scenarios = fuzz::all_scenarios(release(epoch));
    for (std::uint64_t i = 0; i < k_cases_of_epoch; ++i) {
      const fuzz::Drawn drawn = fuzz::numbered_draw(scenarios, k_seed, i);
      const optimized::Answer answer = optimized_answer(drawn.question, scenarios.release, workers);
      const Decision decision = reference::preempt(drawn.question, scenarios.release);
      ASSERT_EQ(difference(drawn.question, scenarios.release, answer, decision), "") << epoch << " " << i;
      ++outcomes[answer.outcome];
      skipped_by_reference += decision.outcome == Outcome::skipped;
      for (const fuzz::Family family : drawn.families) {
        if (answer.outcome == Outcome::nominated) ++nominated[family];
      }
    }
  }
  EXPECT_EQ(outcomes[Outcome::skipped], skipped_by_reference);
  // Of 3,000 cases. Each limit is a little below the number for this seed.
  EXPECT_GT(outcomes[Outcome::nominated], 1500u);
  EXPECT_GT(outcomes[Outcome::none], 800u);
  EXPECT_GT(outcomes[Outcome::fits], 100u);
  EXPECT_GT(outcomes[Outcome::ineligible], 45u);
  EXPECT_GT(outcomes[Outcome::error], 10u);
  EXPECT_LT(outcomes[Outcome::skipped], scaled(40));
  for (const fuzz::Family family : fuzz::preemption_families())
    EXPECT_GT(nominated[family], 20u) << fuzz::k_family_names[static_cast<std::size_t>(family)];
}

// Questions that no API server admits, or that few clusters have.
TEST(Optimized, AnswersAsTheReferenceWhereThingsAreOdd) {
  optimized::Workers workers(1);
  std::map<Outcome, std::size_t> outcomes;
  std::size_t skipped_by_reference = 0;
  for (const std::string& epoch : k_distinct_releases) {
    const fuzz::Scenarios scenarios = small_scenarios(release(epoch), 5, 4);
    for (std::uint64_t i = 0; i < k_cases_of_epoch; ++i) {
      Question question = fuzz::numbered_scenario(scenarios, k_seed + 1, i);
      SeededChoices choices(i);
      Oddities(question, choices).add();
      const optimized::Answer answer = optimized_answer(question, scenarios.release, workers);
      const Decision decision = reference::preempt(question, scenarios.release);
      ASSERT_EQ(difference(question, scenarios.release, answer, decision), "") << epoch << " " << i;
      ++outcomes[answer.outcome];
      skipped_by_reference += decision.outcome == Outcome::skipped;
    }
  }
  EXPECT_EQ(outcomes[Outcome::skipped], skipped_by_reference);
  // Of 3,000 cases. Each limit is a little below the number for this seed.
  EXPECT_GT(outcomes[Outcome::nominated], 600u);
  EXPECT_GT(outcomes[Outcome::error], 50u);
  EXPECT_GT(outcomes[Outcome::skipped], 200u);
}

// PRE-AFFINITY-4, PRE-AFFINITY-6, PRE-AFFINITY-7
TEST(Optimized, AnswersAsTheReferenceWherePodsHaveSeveralTerms) {
  optimized::Workers workers(1);
  for (const std::string& epoch : k_distinct_releases) {
    const fuzz::Scenarios scenarios = small_scenarios(release(epoch), 5, 4);
    std::size_t nominated = 0;
    for (std::uint64_t i = 0; i < k_cases_of_epoch; ++i) {
      Question question = fuzz::numbered_scenario(scenarios, k_seed, i);
      SeededChoices choices(i);
      add_terms(question, choices);
      const optimized::Answer answer = optimized_answer(question, scenarios.release, workers);
      const Decision decision = reference::preempt(question, scenarios.release);
      ASSERT_EQ(difference(question, scenarios.release, answer, decision), "") << epoch << " " << i;
      nominated += answer.outcome == Outcome::nominated;
    }
    EXPECT_GT(nominated, 30u) << epoch;
  }
}

// With many nodes, bounds exclude some of them and threads share the others.
TEST(Optimized, AnswersAlikeWithoutPruningAndOnAnyNumberOfThreads) {
  optimized::Workers one(1);
  optimized::Workers three(3);
  std::size_t saved = 0;
  for (const std::string& epoch : k_distinct_releases) {
    fuzz::Scenarios scenarios = small_scenarios(release(epoch), 8, 8);
    scenarios.most_nodes = 600;
    for (std::uint64_t i = 0; i < scaled(12); ++i) {
      const Question question = fuzz::numbered_scenario(scenarios, k_seed, i);
      const optimized::Snapshot snapshot(question.cluster, scenarios.release);
      const auto ask = [&](optimized::Workers& workers, bool prunes) {
        optimized::Options options;
        options.prunes = prunes;
        return optimized::decide(snapshot, question.pod, options, workers);
      };
      const optimized::Answer pruned = ask(one, true);
      EXPECT_EQ(pruned, ask(three, true)) << epoch << " " << i;
      optimized::Answer whole = ask(three, false);
      saved += whole.dry_runs - pruned.dry_runs;
      whole.dry_runs = pruned.dry_runs;
      EXPECT_EQ(pruned, whole) << epoch << " " << i;
    }
  }
  EXPECT_GT(saved, 120u);
}

}  // namespace touchstone::tests
