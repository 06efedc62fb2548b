#include "fuzz/engines.hpp"

#include <gtest/gtest.h>

#include <set>

#include "fuzz/campaign.hpp"
#include "fuzz/neighbours.hpp"
#include "kubernetes/written.hpp"
#include "oracle/engines.hpp"
#include "tests/support/builder.hpp"

/// Campaigns of the two engines in one process.
namespace touchstone::fuzz {

namespace {

Scenarios core_scenarios(const Release& release) {
  return {release, {Family::pdbs, Family::starts, Family::extreme, Family::nominated}, 8, 4};
}

optimized::Answer right(const optimized::Snapshot& snapshot, const Question& question) {
  optimized::Workers workers(1);
  return oracle::optimized_answer(snapshot, question, workers);
}

CampaignSetup setup_of_engines() {
  CampaignSetup setup;
  setup.right.engine = oracle::Engine::optimized;
  setup.families = {Family::pdbs, Family::starts};
  setup.seed = 5;
  setup.cases_most = 64 * 70;
  setup.jobs = 2;
  return setup;
}

}  // namespace

TEST(EnginesBlock, CountsWhatAgrees) {
  const EnginesBlock asked = ask_engines(core_scenarios(tests::release("v1.34")), 1, 0, right);
  EXPECT_EQ(asked.tally.cases, k_cases_in_a_block);
  EXPECT_EQ(asked.tally.agree, k_cases_in_a_block);
  EXPECT_EQ(asked.tally.species.cases(), 1u);
  EXPECT_GT(asked.tally.nominated, 20u);
  EXPECT_TRUE(asked.differ.empty());
}

// The canary: an engine that is wrong in one part, now and then, is found out.
TEST(EnginesBlock, FindsAWrongEngine) {
  const auto first_of_a_tie = [](const optimized::Snapshot& snapshot, const Question& question) {
    optimized::Answer answer = right(snapshot, question);
    if (answer.admissible.size() > 1) answer.admissible.pop_back();
    return answer;
  };
  const EnginesBlock asked = ask_engines(core_scenarios(tests::release("v1.34")), 1, 0, first_of_a_tie);
  EXPECT_GT(asked.differ.size(), 2u);
  EXPECT_EQ(asked.tally.differ, asked.differ.size());
  EXPECT_EQ(asked.tally.agree + asked.tally.differ, k_cases_in_a_block);
}

TEST(EnginesBlock, TakesAnAnswerThatIsLeftOutForADifference) {
  const auto lazy = [](const optimized::Snapshot&, const Question&) {
    optimized::Answer answer;
    answer.outcome = Outcome::skipped;
    return answer;
  };
  EXPECT_EQ(ask_engines(core_scenarios(tests::release("v1.34")), 1, 0, lazy).tally.differ,
            k_cases_in_a_block);
}

// What is replayed is the question, so a scenario and its neighbours are cases of their own.
TEST(Neighbours, AreOneChangeApartAndFollowedByTheSnapshot) {
  const Scenarios scenarios = all_scenarios(tests::release("v1.34"));
  std::set<std::string> seen;
  std::size_t steps = 0;
  optimized::Workers workers(1);
  for (std::uint64_t i = 0; i < 60; ++i) {
    Neighbours neighbours(numbered_scenario(scenarios, 2, i), scenarios.release);
    SeededChoices choices(i);
    for (int step = 0; step < 12; ++step, ++steps) {
      neighbours.step(choices);
      const Question& question = neighbours.question();
      seen.insert(kubernetes::written(question).dump());
      EXPECT_EQ(oracle::optimized_answer(neighbours.snapshot(), question, workers),
                oracle::optimized_answer(question, scenarios.release, workers));
    }
  }
  EXPECT_GT(seen.size(), steps / 2);
}

TEST(EnginesCampaign, AsksForEveryRelease) {
  const std::atomic<bool> stop = false;
  const Result<Tally> done = run_campaign(setup_of_engines(), stop, [](const Progress&) {});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(done.value().cases, 64u * 70);
  EXPECT_EQ(done.value().agree, 64u * 70);
  EXPECT_EQ(done.value().setup["rightRelease"], "of every release");
  EXPECT_EQ(done.value().setup["right"]["name"], "touchstone-optimized");
}

TEST(EnginesCampaign, AsksForOneRelease) {
  const std::atomic<bool> stop = false;
  CampaignSetup setup = setup_of_engines();
  setup.left.release = setup.right.release = "v1.20.15";
  setup.cases_most = 128;
  const Result<Tally> done = run_campaign(setup, stop, [](const Progress&) {});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(done.value().agree, 128u);
  EXPECT_EQ(done.value().setup["rightRelease"], "v1.20.15");
}

}  // namespace touchstone::fuzz
