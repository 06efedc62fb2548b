#include <gtest/gtest.h>

#include "reference/scores/scores.hpp"
#include "tests/support/builder.hpp"

namespace touchstone::tests::balanced_allocation_test {

namespace {

constexpr Quantity k_gi = 1024 * 1024 * 1024;

Pod pod_of(const std::string& name, Quantity cpu, Quantity memory) {
  Pod made = pod(name, 0, cpu);
  made.containers[0].requests["memory"] = memory;
  return made;
}

Pod best_effort(const std::string& name) {
  Pod made = pod(name, 0, 0);
  made.containers[0].requests.clear();
  return made;
}

Question with_memory(Question question, Quantity memory = 8 * k_gi) {
  for (Node& node : question.cluster.nodes) node.allocatable["memory"] = memory;
  return question;
}

reference::Scores result_of(const Question& question, const Release& release) {
  Trace trace = Trace::none();
  const reference::Cycle cycle(question, release, trace);
  reference::Nodes nodes;
  for (const reference::NodeState& state : cycle.nodes) nodes.push_back(state.index);
  return reference::balanced_allocation(cycle, nodes);
}

std::vector<Quantity> scores_of(const Question& question, std::string_view name) {
  return result_of(question, release(name)).value();
}

using Points = std::vector<Quantity>;

/// One node with `cpu` and `memory`, a pod on it that requests `used_cpu` and `used_memory`, and a preemptor.
Question one_node(Quantity cpu, Quantity memory, Quantity used_cpu, Quantity used_memory,
                  const Pod& preemptor) {
  return with_memory(
      QuestionBuilder().node("n1", cpu).has(pod_of("a", used_cpu, used_memory)).asks(preemptor), memory);
}

/// A question in which n1 has four pods without requests, and the preemptor has none either.
Question best_effort_question() {
  return with_memory(QuestionBuilder()
                         .node("n1", 4000)
                         .has(best_effort("a"))
                         .has(best_effort("b"))
                         .has(best_effort("c"))
                         .has(best_effort("d"))
                         .node("n2", 4000)
                         .has(pod_of("e", 300, 500 * 1024 * 1024))
                         .asks(best_effort("p")));
}

}  // namespace

// SCORE-BALANCED-1, SCORE-BALANCED-2, SCORE-BALANCED-5
TEST(BalancedAllocation, PrefersEqualShares) {
  const Question question = with_memory(QuestionBuilder()
                                            .node("n1", 4000)
                                            .node("n2", 4000)
                                            .has(pod_of("a", 1000, k_gi))
                                            .asks(pod_of("p", 500, k_gi / 2)));
  EXPECT_EQ(scores_of(question, "v1.8"), (Points{9, 8}));
  EXPECT_EQ(scores_of(question, "v1.16"), (Points{9, 8}));
  EXPECT_EQ(scores_of(question, "v1.17"), (Points{93, 81}));
  EXPECT_EQ(scores_of(question, "v1.21"), (Points{93, 81}));
  EXPECT_EQ(scores_of(question, "v1.22"), (Points{96, 90}));
  EXPECT_EQ(scores_of(question, "v1.35"), (Points{96, 90}));
  EXPECT_EQ(scores_of(question, "v1.36"), (Points{73, 73}));
}

// SCORE-BALANCED-1, SCORE-BALANCED-2, SCORE-BALANCED-5
TEST(BalancedAllocation, RewardsAPodThatBalancesTheNodeFrom136) {
  const Question question = with_memory(QuestionBuilder()
                                            .node("n1", 4000)
                                            .has(pod_of("a", 2000, 0))
                                            .node("n2", 4000)
                                            .has(pod_of("b", 500, 4 * k_gi))
                                            .asks(pod_of("p", 1000, k_gi)));
  EXPECT_EQ(scores_of(question, "v1.16"), (Points{3, 7}));
  EXPECT_EQ(scores_of(question, "v1.21"), (Points{37, 75}));
  EXPECT_EQ(scores_of(question, "v1.35"), (Points{68, 87}));
  EXPECT_EQ(scores_of(question, "v1.36"), (Points{71, 78}));
}

// SCORE-BALANCED-1, SCORE-BALANCED-2, SCORE-BALANCED-5
TEST(BalancedAllocation, GivesNoPointsToAFullNodeThrough121) {
  Question question = with_memory(QuestionBuilder()
                                      .node("n1", 1000)
                                      .node("n2", 4000)
                                      .has(pod_of("a", 3000, 0))
                                      .asks(pod_of("p", 1000, k_gi)));
  question.cluster.nodes[0].allocatable["memory"] = 2 * k_gi;
  EXPECT_EQ(scores_of(question, "v1.16"), (Points{0, 0}));
  EXPECT_EQ(scores_of(question, "v1.21"), (Points{0, 0}));
  EXPECT_EQ(scores_of(question, "v1.22"), (Points{75, 56}));
  EXPECT_EQ(scores_of(question, "v1.36"), (Points{62, 72}));
}

// SCORE-BALANCED-3
TEST(BalancedAllocation, CountsRealRequestsFrom1224) {
  EXPECT_EQ(scores_of(best_effort_question(), "v1.16"), (Points{9, 9}));
  EXPECT_EQ(scores_of(best_effort_question(), "v1.21"), (Points{99, 98}));
  EXPECT_EQ(scores_of(best_effort_question(), "v1.22.3"), (Points{99, 99}));
  EXPECT_EQ(scores_of(best_effort_question(), "v1.22.4"), (Points{100, 99}));
  EXPECT_EQ(scores_of(best_effort_question(), "v1.32"), (Points{100, 99}));
}

// SCORE-BALANCED-4
TEST(BalancedAllocation, IsSkippedForABestEffortPodFrom133) {
  EXPECT_TRUE(result_of(best_effort_question(), release("v1.32")));
  EXPECT_FALSE(result_of(best_effort_question(), release("v1.33")));
  EXPECT_FALSE(result_of(best_effort_question(), release("v1.37")));
}

// SCORE-BALANCED-4: with requests, nothing changes without the PreScore.
TEST(BalancedAllocation, GivesABestEffortPodNothingWithoutItsPreScore) {
  const Question with_requests = one_node(1000, k_gi, 0, 0, pod_of("p", 100, 0));
  for (const char* name : {"v1.32", "v1.33", "v1.37"}) {
    Release made = release(name);
    const reference::Scores usual = result_of(with_requests, made);
    made.balance_prescore_off = true;
    EXPECT_EQ(result_of(with_requests, made), usual) << name;
    EXPECT_EQ(result_of(best_effort_question(), made),
              std::string_view(name) == "v1.32" ? Points({100, 99}) : Points({0, 0}))
        << name;
  }
}

// SCORE-BALANCED-4
TEST(BalancedAllocation, IsSkippedIfThePodRequestsNoneOfTheConfiguredResources) {
  const Question question = one_node(1000, k_gi, 0, 0, pod_of("p", 100, 0));
  Release made = release("v1.33");
  EXPECT_TRUE(result_of(question, made));
  made.balanced_resources = {{"memory", 1}};
  EXPECT_FALSE(result_of(question, made));
}

// SCORE-BALANCED-1: a resource that the node lacks counts as full.
TEST(BalancedAllocation, GivesNoPointsForAnAbsentResourceThrough121) {
  const Question question = one_node(0, k_gi, 0, 0, pod_of("p", 0, k_gi / 2));
  EXPECT_EQ(scores_of(question, "v1.21"), (Points{0}));
  EXPECT_EQ(scores_of(question, "v1.22"), (Points{100}));
}

// SCORE-BALANCED-2
TEST(BalancedAllocation, GivesAllPointsIfNoResourceCounts) {
  EXPECT_EQ(scores_of(one_node(0, 0, 0, 0, best_effort("p")), "v1.32"), (Points{100}));
}

// SCORE-BALANCED-2: cpu is requested twice, and counts once: (1 - (1 - 0.5) / 2) * 100.
TEST(BalancedAllocation, CountsAnOverCommittedResourceAsFull) {
  const Question question = one_node(1000, k_gi, 2000, 0, pod_of("p", 0, k_gi / 2));
  EXPECT_EQ(scores_of(question, "v1.35"), (Points{75}));
}

// SCORE-BALANCED-2: with two shares the deviation is half of their difference, which is exact here. The root
// of the mean of the squares would give 89.
TEST(BalancedAllocation, HalvesTheDifferenceOfTwoShares) {
  const Question question =
      with_memory(QuestionBuilder().node("n1", 4000).asks(pod_of("p", 1620, 820)), 4000);
  for (const char* name : {"v1.23", "v1.34"}) EXPECT_EQ(scores_of(question, name), Points{90}) << name;
}

// SCORE-BALANCED-2, SCORE-STRATEGY-1: the shares 0.9, 0.5 and 0.1 deviate by 0.3266 from their mean.
TEST(BalancedAllocation, TakesTheDeviationOfThreeShares) {
  Question question = one_node(1000, k_gi, 0, 0, pod_of("p", 900, k_gi / 2));
  question.cluster.nodes[0].allocatable["ephemeral-storage"] = 10;
  question.pod.containers[0].requests["ephemeral-storage"] = 1;
  Release made = release("v1.35");
  made.balanced_resources = {{"cpu", 1}, {"memory", 1}, {"ephemeral-storage", 1}};
  EXPECT_EQ(result_of(question, made).value(), (Points{67}));
}

// SCORE-BALANCED-5
TEST(BalancedAllocation, GivesThreeQuartersFrom136IfThePodChangesNothing) {
  EXPECT_EQ(scores_of(one_node(1000, k_gi, 0, 0, pod_of("p", 500, k_gi / 2)), "v1.36"), (Points{75}));
}

}  // namespace touchstone::tests::balanced_allocation_test
