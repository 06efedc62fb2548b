#include "tests/optimized/differential.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/support/any_question.hpp"
#include "tests/support/storage.hpp"

/// The optimized engine gives the reference's answers: the same scenarios every time, of every family, for
/// every epoch of releases. What it skips is counted, so that skipping cannot pass for agreeing.
namespace touchstone::tests {

namespace {

constexpr std::uint64_t k_seed = 20261122;
constexpr std::uint64_t k_cases_of_epoch = 300;

/// Of a hundred scenarios of a family that many must be answered; of the others all.
const std::map<fuzz::Family, std::size_t> k_answered_least = {
    {fuzz::Family::affinity, 95},      {fuzz::Family::anti_affinity, 95}, {fuzz::Family::attach_limits, 65},
    {fuzz::Family::volume_zones, 80},  {fuzz::Family::disks, 80},         {fuzz::Family::rwop, 80},
    {fuzz::Family::volume_binding, 60}};

}  // namespace

TEST(Optimized, AnswersAsTheReferenceInEveryEpoch) {
  optimized::Workers workers(2);
  std::map<Outcome, std::size_t> outcomes;
  std::map<fuzz::Family, std::size_t> drawn_with;
  std::map<fuzz::Family, std::size_t> answered;
  std::map<fuzz::Family, std::size_t> nominated;
  for (const std::string& epoch : k_epochs) {
    const fuzz::Scenarios scenarios = fuzz::all_scenarios(release(epoch));
    for (std::uint64_t i = 0; i < k_cases_of_epoch; ++i) {
      const fuzz::Drawn drawn = fuzz::numbered_draw(scenarios, k_seed, i);
      const optimized::Answer answer = optimized_answer(drawn.question, scenarios.release, workers);
      const Decision decision = reference_decision(drawn.question, scenarios.release);
      ASSERT_EQ(difference(drawn.question, scenarios.release, answer, decision), "") << epoch << " " << i;
      ++outcomes[answer.outcome];
      for (const fuzz::Family family : drawn.families) {
        ++drawn_with[family];
        // What the reference cannot answer need not be answered.
        if (answer.outcome != Outcome::skipped || decision.outcome == Outcome::skipped) ++answered[family];
        if (answer.outcome == Outcome::nominated) ++nominated[family];
      }
    }
  }
  // Of 6,000; each a little below what the seed gives.
  EXPECT_GT(outcomes[Outcome::nominated], 3200u);
  EXPECT_GT(outcomes[Outcome::none], 1600u);
  EXPECT_GT(outcomes[Outcome::fits], 200u);
  EXPECT_GT(outcomes[Outcome::ineligible], 90u);
  EXPECT_GT(outcomes[Outcome::error], 20u);
  EXPECT_LT(outcomes[Outcome::skipped], 350u);
  for (std::size_t i = 0; i < fuzz::k_family_names.size(); ++i) {
    const fuzz::Family family = static_cast<fuzz::Family>(i);
    const auto least = k_answered_least.find(family);
    const std::size_t of_hundred = least == k_answered_least.end() ? 90 : least->second;
    EXPECT_GT(nominated[family], 25u) << fuzz::k_family_names[i];
    EXPECT_GE(100 * answered[family], of_hundred * drawn_with[family])
        << fuzz::k_family_names[i] << ": " << answered[family] << " of " << drawn_with[family];
  }
}

// PRE-AFFINITY-4, PRE-AFFINITY-6, PRE-AFFINITY-7
TEST(Optimized, AnswersAsTheReferenceWherePodsHaveSeveralTerms) {
  optimized::Workers workers(1);
  for (const std::string& epoch : k_epochs) {
    const fuzz::Scenarios scenarios = small_scenarios(release(epoch), 5, 4);
    std::size_t nominated = 0;
    for (std::uint64_t i = 0; i < k_cases_of_epoch; ++i) {
      Question question = fuzz::numbered_scenario(scenarios, k_seed, i);
      SeededChoices choices(i);
      add_terms(question, choices);
      const optimized::Answer answer = optimized_answer(question, scenarios.release, workers);
      const Decision decision = reference_decision(question, scenarios.release);
      ASSERT_EQ(difference(question, scenarios.release, answer, decision), "") << epoch << " " << i;
      nominated += answer.outcome == Outcome::nominated;
    }
    EXPECT_GT(nominated, 60u) << epoch;
  }
}

// Where there are many nodes, bounds leave some out and threads share the rest.
TEST(Optimized, AnswersAlikeWithoutPruningAndOnAnyNumberOfThreads) {
  optimized::Workers one(1);
  optimized::Workers three(3);
  std::size_t saved = 0;
  for (const std::string& epoch : k_epochs) {
    fuzz::Scenarios scenarios = small_scenarios(release(epoch), 8, 8);
    scenarios.most_nodes = 600;
    for (std::uint64_t i = 0; i < 30; ++i) {
      const Question question = fuzz::numbered_scenario(scenarios, k_seed, i);
      const optimized::Snapshot snapshot(question.cluster, scenarios.release);
      const auto ask = [&](optimized::Workers& workers, bool prunes) {
        CanonicalChoices choices;
        optimized::Options options;
        options.prunes = prunes;
        return optimized::decide(snapshot, question.pod, options, workers, choices);
      };
      const optimized::Answer pruned = ask(one, true);
      EXPECT_EQ(pruned, ask(three, true)) << epoch << " " << i;
      optimized::Answer whole = ask(three, false);
      saved += whole.dry_runs - pruned.dry_runs;
      whole.dry_runs = pruned.dry_runs;
      EXPECT_EQ(pruned, whole) << epoch << " " << i;
    }
  }
  EXPECT_GT(saved, 300u);
}

TEST(Optimized, SkipsWhatItDoesNotHandleByName) {
  optimized::Workers workers(1);
  VolumeSource shared = source("azureDisk", "v");
  const auto asks = [&] {
    return QuestionBuilder().node("n1", 100).asks(with_volume(pod("p", 10, 100), shared));
  };
  EXPECT_EQ(optimized_answer(asks(), release("v1.9"), workers).reason, "volumes: of v1.8 and v1.9");
  EXPECT_EQ(optimized_answer(asks(), release("v1.34"), workers).outcome, Outcome::fits);
  shared.disk_kind = "Shared";
  const optimized::Answer answer = optimized_answer(asks(), release("v1.34"), workers);
  EXPECT_EQ(answer.outcome, Outcome::skipped);
  EXPECT_EQ(answer.reason, "volumes: a disk that its CSI driver cannot have, on which filters err");
  const Question beyond = QuestionBuilder().node("n1", 100).asks(pod("p", Quantity{1} << 40, 100));
  EXPECT_EQ(optimized_answer(beyond, release("v1.34"), workers).reason,
            "the preemptor has a priority beyond 32 bits");
}

}  // namespace touchstone::tests
