#include "fuzz/campaign/engines.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "fuzz/campaign/campaign.hpp"
#include "fuzz/campaign/campaign_plan.hpp"
#include "kubernetes/objects/question.hpp"
#include "kubernetes/write/written.hpp"
#include "oracle/protocol/engines.hpp"
#include "reference/cycle/schedule.hpp"
#include "reference/preemption/preempt.hpp"
#include "spec/vocabulary/seeded_choices.hpp"
#include "tests/support/builder.hpp"

/// Campaigns that compare the two engines in one process.
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
  EXPECT_EQ(asked.tally.behaviours.cases(), 1u);
  EXPECT_GT(asked.tally.nominated, 20u);
  EXPECT_TRUE(asked.differ.empty());
}

TEST(EnginesBlock, IsTheSumOfItsScenarios) {
  const Scenarios scenarios = core_scenarios(tests::release("v1.34"));
  const EnginesBlock block = ask_engines(scenarios, 1, 2, right);
  std::uint64_t cases = 0;
  std::uint64_t nominated = 0;
  for (std::uint64_t number = 2 * k_cases_in_a_block; number < 3 * k_cases_in_a_block;
       number += k_cases_of_a_scenario) {
    const EnginesBlock scenario = ask_engines_scenario(scenarios, 1, number, right);
    cases += scenario.tally.cases;
    nominated += scenario.tally.nominated;
    EXPECT_TRUE(scenario.differ.empty());
  }
  EXPECT_EQ(cases, block.tally.cases);
  EXPECT_EQ(nominated, block.tally.nominated);
}

// CYC-NOMINATED-1: the cycle ends at the nominated node; the decision has all nodes on which the pod fits.
TEST(DecisionOf, APodThatFitsWhereItIsNominatedHasAllNodes) {
  const Release release = tests::release("v1.34");
  Question question =
      tests::QuestionBuilder().node("n1", 1000).node("n2", 1000).asks(tests::pod("p", 0, 100));
  question.pod.nominated_node_name = "n1";
  const Placement placement = reference::schedule(question, release);
  ASSERT_EQ(placement.decision.feasible.size(), 1u);
  EXPECT_EQ(decision_of(placement, question, release), reference::preempt(question, release));
}

TEST(Repeat, TellsADifferenceThatDoesNotRecur) {
  const std::atomic<bool> stop = false;
  const Release release = tests::release("v1.34");
  Pair pair(for_release(setup_of_engines(), release), stop);
  ASSERT_FALSE(pair.begin());
  Participants sides{pair.left, pair.right, release};
  const Question question = tests::QuestionBuilder().node("n1", 1000).asks(tests::pod("p", 0, 100));
  const Repeated again = repeat(sides, {question, 0, false});
  EXPECT_EQ(again.exchange.verdict.kind, "not repeated: answers");
  const Difference difference = described(sides, again.sent, again.exchange, again.broken);
  EXPECT_NE(
      difference_report(sides, difference, "d.json").find("differed, but not when the question was repeated"),
      std::string::npos);
}

// The canary: an engine that is sometimes wrong in one part is detected.
TEST(EnginesBlock, FindsAWrongEngine) {
  const auto first_of_a_tie = [](const optimized::Snapshot& snapshot, const Question& question) {
    optimized::Answer answer = right(snapshot, question);
    if (answer.admissible.size() > 1) answer.admissible.pop_back();
    return answer;
  };
  const EnginesBlock asked = ask_engines(core_scenarios(tests::release("v1.34")), 1, 0, first_of_a_tie);
  EXPECT_GT(asked.differ.size(), 1u);
  EXPECT_EQ(asked.tally.differ, asked.differ.size());
  EXPECT_EQ(asked.tally.agree + asked.tally.differ, k_cases_in_a_block);
}

// The canary for whole cycles: one total is wrong, and no decision is.
TEST(EnginesBlock, FindsAWrongCycle) {
  const auto first_counts_more = [](const optimized::Snapshot& snapshot, const Question& question,
                                    optimized::Memo& memo) {
    optimized::Placed placed = optimized_cycle(snapshot, question, memo);
    if (!placed.totals.empty()) placed.totals[0] += 1;
    return placed;
  };
  const EnginesBlock asked =
      ask_engines(all_scenarios(tests::release("v1.34")), 1, 0, right, first_counts_more);
  ASSERT_FALSE(asked.differ.empty());
  EXPECT_TRUE(asked.differ[0].in_cycle_alone);
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

TEST(EnginesBlock, SeesOtherVictimsOnANodeThatTies) {
  const Scenarios scenarios = all_scenarios(tests::release("v1.34"));
  optimized::Workers workers(1);
  std::size_t ties = 0;
  for (std::uint64_t i = 0; i < 300; ++i) {
    MutableCluster changing(numbered_scenario(scenarios, 2, i), scenarios.release);
    SeededChoices choices(i);
    changing.change(choices);
    Decision decision = reference::preempt(changing.question(), scenarios.release);
    if (decision.admissible.size() < 2) continue;
    ++ties;
    const optimized::Answer answer =
        oracle::optimized_answer(changing.snapshot(), changing.question(), workers);
    EXPECT_TRUE(agree_on_ties(changing, answer, decision));
    decision.candidates[decision.admissible.back()].pdb_violations += 1;
    EXPECT_FALSE(agree_on_ties(changing, answer, decision));
  }
  EXPECT_GT(ties, 10u);
}

// A difference is replayed from its question alone, so each step must be a valid question.
TEST(MutableCluster, TakesStepsThatCanBeWrittenAndReadBack) {
  const Scenarios scenarios = all_scenarios(tests::release("v1.34"));
  std::set<std::string> seen;
  std::size_t steps = 0;
  optimized::Workers workers(1);
  for (std::uint64_t i = 0; i < 60; ++i) {
    MutableCluster changing(numbered_scenario(scenarios, 2, i), scenarios.release);
    SeededChoices choices(i);
    for (int step = 0; step < 12; ++step, ++steps) {
      changing.change(choices);
      const Question& question = changing.question();
      const std::string text = kubernetes::written(question).dump();
      const Result<Question> read = kubernetes::read_question_text(text, "question");
      ASSERT_TRUE(read) << read.error().message << "\n" << text;
      EXPECT_EQ(reference::preempt(read.value(), scenarios.release),
                reference::preempt(question, scenarios.release))
          << text;
      seen.insert(text);
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
