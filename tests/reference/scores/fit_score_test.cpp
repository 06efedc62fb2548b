#include <gtest/gtest.h>

#include "reference/scores/scores.hpp"
#include "tests/support/builder.hpp"

namespace touchstone::tests::fit_score_test {

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

/// A question whose nodes have 4 cpu and 8 Gi.
Question with_memory(Question question, Quantity memory = 8 * k_gi) {
  for (Node& node : question.cluster.nodes) node.allocatable["memory"] = memory;
  return question;
}

std::vector<Quantity> scores_of(const Question& question, const Release& release) {
  Trace trace = Trace::none();
  const reference::Cycle cycle(question, release, trace);
  reference::Nodes nodes;
  for (const reference::NodeState& state : cycle.nodes) nodes.push_back(state.index);
  return reference::node_resources(cycle, nodes).value();
}

std::vector<Quantity> scores_of(const Question& question, std::string_view name) {
  return scores_of(question, release(name));
}

using Points = std::vector<Quantity>;

/// v1.37 with a strategy for these resources.
Release with_strategy(FitStrategy strategy, const std::vector<ScoredResource>& resources) {
  Release made = release("v1.37");
  made.fit_strategy = strategy;
  made.fit_resources = resources;
  return made;
}

Release with_shape(const std::vector<ShapePoint>& shape, const std::vector<ScoredResource>& resources) {
  Release made = with_strategy(FitStrategy::requested_to_capacity, resources);
  made.fit_shape = shape;
  return made;
}

/// A question with one empty node with this much cpu.
Question one_node(Quantity cpu, Quantity requested) {
  return QuestionBuilder().node("n1", cpu).asks(pod_of("p", requested, 0));
}

/// The score of an empty node with 100 cpu if the preemptor requests this many of them.
Quantity on_shape(const std::vector<ShapePoint>& shape, Quantity requested) {
  return scores_of(one_node(100, requested), with_shape(shape, {{"cpu", 1}}))[0];
}

}  // namespace

// SCORE-LEAST-1
TEST(LeastAllocated, PrefersTheEmptyNode) {
  const Question question = with_memory(QuestionBuilder()
                                            .node("n1", 4000)
                                            .node("n2", 4000)
                                            .has(pod_of("a", 1000, k_gi))
                                            .asks(pod_of("p", 500, k_gi / 2)));
  EXPECT_EQ(scores_of(question, "v1.8"), (Points{8, 7}));
  EXPECT_EQ(scores_of(question, "v1.16"), (Points{8, 7}));
  EXPECT_EQ(scores_of(question, "v1.17"), (Points{90, 71}));
  EXPECT_EQ(scores_of(question, "v1.37"), (Points{90, 71}));
}

// SCORE-LEAST-1
TEST(LeastAllocated, AddsUpCpuAndMemory) {
  const Question question = with_memory(QuestionBuilder()
                                            .node("n1", 4000)
                                            .has(pod_of("a", 2000, 0))
                                            .node("n2", 4000)
                                            .has(pod_of("b", 500, 4 * k_gi))
                                            .asks(pod_of("p", 1000, k_gi)));
  EXPECT_EQ(scores_of(question, "v1.16"), (Points{5, 4}));
  EXPECT_EQ(scores_of(question, "v1.21"), (Points{56, 49}));
  EXPECT_EQ(scores_of(question, "v1.22"), (Points{56, 49}));
}

// SCORE-LEAST-1
TEST(LeastAllocated, DividesByTheAllocatableOfEachNode) {
  Question question = with_memory(QuestionBuilder()
                                      .node("n1", 1000)
                                      .node("n2", 4000)
                                      .has(pod_of("a", 3000, 0))
                                      .asks(pod_of("p", 1000, k_gi)));
  question.cluster.nodes[0].allocatable["memory"] = 2 * k_gi;
  EXPECT_EQ(scores_of(question, "v1.16"), (Points{2, 4}));
  EXPECT_EQ(scores_of(question, "v1.21"), (Points{25, 43}));
  EXPECT_EQ(scores_of(question, "v1.36"), (Points{25, 43}));
}

// SCORE-LEAST-1, SCORE-REQUESTS-1
TEST(LeastAllocated, CountsDefaultsOfPodsWithoutRequests) {
  const Question question = with_memory(QuestionBuilder()
                                            .node("n1", 4000)
                                            .has(best_effort("a"))
                                            .has(best_effort("b"))
                                            .has(best_effort("c"))
                                            .has(best_effort("d"))
                                            .node("n2", 4000)
                                            .has(pod_of("e", 300, 500 * 1024 * 1024))
                                            .asks(best_effort("p")));
  EXPECT_EQ(scores_of(question, "v1.16"), (Points{8, 9}));
  for (const std::string_view name : {"v1.17", "v1.21", "v1.22.3", "v1.23", "v1.32", "v1.33", "v1.37"})
    EXPECT_EQ(scores_of(question, name), (Points{87, 90})) << name;
}

// SCORE-LEAST-1
TEST(LeastAllocated, GivesNoPointsForAnOverCommittedResource) {
  const Question question = with_memory(
      QuestionBuilder().node("n1", 1000).has(pod_of("a", 3000, 0)).asks(pod_of("p", 0, 4 * k_gi)));
  EXPECT_EQ(scores_of(question, "v1.37"), (Points{25}));
}

// SCORE-LEAST-1
TEST(LeastAllocated, LeavesOutAnAbsentResourceFrom122) {
  const Question question = with_memory(QuestionBuilder().node("n1", 0).asks(pod_of("p", 0, 2 * k_gi)));
  EXPECT_EQ(scores_of(question, "v1.21"), (Points{37}));
  EXPECT_EQ(scores_of(question, "v1.22"), (Points{75}));
}

// SCORE-LEAST-1
TEST(LeastAllocated, GivesNoPointsIfNoResourceCounts) {
  EXPECT_EQ(scores_of(with_memory(one_node(0, 0), 0), "v1.37"), (Points{0}));
}

// SCORE-STRATEGY-1
TEST(LeastAllocated, WeighsResources) {
  const Question question = with_memory(QuestionBuilder().node("n1", 1000).asks(pod_of("p", 100, 4 * k_gi)));
  const Release made = with_strategy(FitStrategy::least_allocated, {{"cpu", 3}, {"memory", 2}});
  EXPECT_EQ(scores_of(question, made), (Points{74}));
}

// SCORE-STRATEGY-2
TEST(MostAllocated, PrefersTheFullNode) {
  const Question question = QuestionBuilder()
                                .node("n1", 1000)
                                .node("n2", 1000)
                                .has(pod_of("a", 600, 0))
                                .node("n3", 1000)
                                .has(pod_of("b", 2000, 0))
                                .asks(pod_of("p", 105, 0));
  const Release made = with_strategy(FitStrategy::most_allocated, {{"cpu", 1}});
  EXPECT_EQ(scores_of(question, made), (Points{10, 70, 100}));
}

// SCORE-STRATEGY-2
TEST(MostAllocated, GivesNoPointsForAnAbsentResourceThrough121) {
  Release made = release("v1.21");
  made.fit_strategy = FitStrategy::most_allocated;
  const Question question = with_memory(QuestionBuilder().node("n1", 0).asks(pod_of("p", 0, 4 * k_gi)));
  EXPECT_EQ(scores_of(question, made), (Points{25}));
}

// SCORE-STRATEGY-3
TEST(RequestedToCapacityRatio, FollowsTheShape) {
  const Release made = with_shape({{0, 0}, {50, 3}, {100, 10}}, {{"cpu", 1}});
  EXPECT_EQ(scores_of(one_node(3, 1), made), (Points{19}));
  EXPECT_EQ(scores_of(one_node(7, 1), made), (Points{8}));
}

// SCORE-STRATEGY-3
TEST(RequestedToCapacityRatio, TakesTheNearestPointOutsideTheShape) {
  EXPECT_EQ(on_shape({{20, 4}, {60, 8}}, 10), 40);
  EXPECT_EQ(on_shape({{20, 4}, {60, 8}}, 70), 80);
}

// SCORE-STRATEGY-3: from 100 down to 0: 100 - 100 * 1 / 3 = 100 - 33.
TEST(RequestedToCapacityRatio, TruncatesTowardZeroOnAFallingEdge) {
  EXPECT_EQ(on_shape({{0, 10}, {3, 0}}, 1), 67);
}

// SCORE-STRATEGY-3
TEST(RequestedToCapacityRatio, TakesAnOverCommittedResourceAsFullyUsed) {
  const Question question =
      QuestionBuilder().node("n1", 1000).has(pod_of("a", 1500, 0)).asks(pod_of("p", 0, 0));
  EXPECT_EQ(scores_of(question, with_shape({{0, 1}, {100, 7}, {150, 10}}, {{"cpu", 1}})), (Points{70}));
}

// SCORE-STRATEGY-3, SCORE-SET-2: the pod fills the node. 100 times its request exceeds 64 bits and wraps to a
// number below 0, which scores like 0 %.
TEST(RequestedToCapacityRatio, WrapsTheUtilizationOfAFullNode) {
  constexpr Quantity k_huge = 100'000'000'000'000'000;
  const Release rising = with_shape({{0, 0}, {100, 10}}, {{"cpu", 1}});
  EXPECT_EQ(scores_of(one_node(k_huge, k_huge), rising), Points{0});
  EXPECT_EQ(scores_of(one_node(4000, 4000), rising), Points{100});
}

// SCORE-STRATEGY-3
TEST(RequestedToCapacityRatio, TakesAnAbsentResourceAsFullyUsedThrough121) {
  Release made = release("v1.21");
  made.fit_strategy = FitStrategy::requested_to_capacity;
  made.fit_shape = {{0, 1}, {100, 7}};
  made.fit_resources = {{"cpu", 1}};
  EXPECT_EQ(scores_of(one_node(0, 0), made), (Points{70}));
}

// SCORE-STRATEGY-3: cpu has 10, memory 25; (10 + 25) / 2 = 17.5.
TEST(RequestedToCapacityRatio, RoundsTheMean) {
  const Question question = with_memory(QuestionBuilder().node("n1", 100).asks(pod_of("p", 10, 2 * k_gi)));
  const std::vector<ShapePoint> shape = {{0, 0}, {100, 10}};
  EXPECT_EQ(scores_of(question, with_shape(shape, {{"cpu", 1}, {"memory", 1}})), (Points{18}));
  EXPECT_EQ(scores_of(question, with_shape(shape, {{"cpu", 3}, {"memory", 1}})), (Points{14}));
}

// SCORE-STRATEGY-3
TEST(RequestedToCapacityRatio, LeavesOutResourcesWithoutPoints) {
  const Question question = with_memory(QuestionBuilder().node("n1", 100).asks(pod_of("p", 10, 0)));
  const std::vector<ShapePoint> shape = {{0, 0}, {100, 10}};
  EXPECT_EQ(scores_of(question, with_shape(shape, {{"cpu", 1}, {"memory", 1}})), (Points{10}));
  EXPECT_EQ(scores_of(question, with_shape(shape, {{"memory", 1}})), (Points{0}));
}

}  // namespace touchstone::tests::fit_score_test
