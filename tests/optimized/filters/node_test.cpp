#include "tests/optimized/agreed.hpp"
#include "tests/support/topology.hpp"

/// Small clusters for the clauses of resources, host ports and pinned nodes.
namespace touchstone::tests::optimized_filter_node_test {

namespace {

Pod with_memory_of(Pod pod, Quantity bytes) {
  pod.containers[0].requests["memory"] = bytes;
  return pod;
}

}  // namespace

// PRE-NOMINATED-1: the memory that q requests is not free, since q has the priority of the preemptor.
TEST(OptimizedFilterNode, NominatedPodsUseMemory) {
  constexpr Quantity k_node = 1 << 30;  // of QuestionBuilder
  const auto asks = [](Quantity bytes) {
    return QuestionBuilder()
        .node("n1", 1000)
        .nominated(with_memory_of(pod("q", 10, 0), k_node / 2))
        .asks(with_memory_of(pod("p", 10, 0), bytes));
  };
  for (const char* version : {"v1.13", "v1.34"}) {
    EXPECT_EQ(agreed(asks(k_node / 2), version).outcome, Outcome::fits);
    EXPECT_EQ(agreed(asks(k_node / 2 + 1), version).outcome, Outcome::none);
  }
}

// PRE-FIT-3, PRE-FIT-4: the node has a negative amount of cpu, but the preemptor requests only memory. So cpu
// does not make the node unresolvable. It lacks a place for one more pod, which an eviction frees.
TEST(OptimizedFilterNode, AResourceThatIsNotRequestedDoesNotMakeTheNodeUnresolvable) {
  Question question = QuestionBuilder().node("n1", -1000).has(pod("a", 0, 0)).asks(pod("p", 10, 0));
  question.pod.containers[0].requests["memory"] = 1;
  question.cluster.nodes[0].allocatable["pods"] = 1;
  EXPECT_EQ(agreed(question, "v1.34").outcome, Outcome::nominated);
}

// PRE-PORTS-2: evicting c frees port 80, although a still uses it. Port 81 of b stays in use.
TEST(OptimizedFilterNode, EveryPortOfThePodsThatStayConflicts) {
  const auto asks = [](Quantity other) {
    return QuestionBuilder()
        .node("n1", 1000)
        .has(with_host_port(pod("a", 30, 0), 80))
        .has(with_host_port(pod("b", 20, 0), other))
        .has(with_host_port(pod("c", 0, 0), 80))
        .asks(with_host_port(with_host_port(pod("p", 10, 0), 80), 81));
  };
  EXPECT_EQ(agreed(asks(81), "v1.34").outcome, Outcome::none);
  EXPECT_EQ(agreed(asks(82), "v1.34").outcome, Outcome::nominated);
}

// PRE-PREFILTER-1, PRE-PREFILTER-5: only requirements of metadata.name pin nodes. In v1.24.17 a pinned name
// that no node has, such as n2, is an error.
TEST(OptimizedFilterNode, OtherFieldsPinNoNode) {
  Question question = QuestionBuilder().node("n1", 1000).asks(pod("p", 10, 0));
  question.pod.node_affinity = {{{}, {{"metadata.namespace", "In", {"n2"}}}}};
  for (const char* version : {"v1.24.17", "v1.29.6", "v1.34"})
    EXPECT_EQ(agreed(question, version).outcome, Outcome::none) << version;
  question.pod.node_affinity->front().match_fields[0].key = "metadata.name";
  EXPECT_EQ(agreed(question, "v1.24.17").outcome, Outcome::error);
}

}  // namespace touchstone::tests::optimized_filter_node_test
