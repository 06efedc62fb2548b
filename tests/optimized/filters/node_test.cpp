#include "spec/vocabulary/node_features.hpp"
#include "tests/optimized/agreed.hpp"
#include "tests/optimized/filters/objects.hpp"
#include "tests/optimized/scores/placed.hpp"
#include "tests/support/any_question.hpp"
#include "tests/support/topology.hpp"

/// Small clusters for the clauses of resources, host ports, pinned nodes and declared features.
namespace touchstone::tests::optimized_filter_node_test {

namespace {

constexpr Quantity k_memory_of_node = 1 << 30;  // of QuestionBuilder

}  // namespace

// PRE-NOMINATED-1: the memory that q requests is not free, since q has the priority of the preemptor.
TEST(OptimizedFilterNode, NominatedPodsUseMemory) {
  const auto asks = [](Quantity bytes) {
    return QuestionBuilder()
        .node("n1", 1000)
        .nominated(with_memory_of(pod("q", 10, 0), k_memory_of_node / 2))
        .asks(with_memory_of(pod("p", 10, 0), bytes));
  };
  for (const char* version : {"v1.13", "v1.34"}) {
    EXPECT_EQ(agreed(asks(k_memory_of_node / 2), version).outcome, Outcome::fits);
    EXPECT_EQ(agreed(asks(k_memory_of_node / 2 + 1), version).outcome, Outcome::none);
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

// PRE-VICTIM-1, PRE-VICTIM-3: pod a, which has a higher priority than the preemptor, uses memory that no
// eviction frees. Only pod b can be evicted.
TEST(OptimizedFilterNode, MoreImportantPodsUseMemory) {
  const auto asks = [](Quantity of_a) {
    return one_node()
        .has(with_memory_of(pod("a", 20, 0), of_a))
        .has(with_memory_of(pod("b", 0, 0), k_memory_of_node / 4))
        .asks(with_memory_of(pod("p", 10, 0), k_memory_of_node / 2));
  };
  for (const std::string& epoch : k_distinct_releases) {
    const Release asked = release(epoch);
    EXPECT_EQ(agreed(asks(k_memory_of_node / 2), asked).outcome, Outcome::nominated) << epoch;
    EXPECT_EQ(agreed(asks(k_memory_of_node / 2 + 1), asked).outcome, Outcome::none) << epoch;
  }
}

// PRE-FEATURES-1: each node declares some of the features, and the preemptor requires some of them.
TEST(OptimizedFilterNode, ComparesTheFeaturesOfNodes) {
  const auto features_of = [](std::size_t bits) {
    std::vector<std::string> features;
    for (std::size_t i = 0; i < k_node_features.size(); ++i) {
      if ((bits >> i & 1U) != 0) features.emplace_back(k_node_features[i]);
    }
    return features;
  };
  constexpr std::size_t k_sets = std::size_t{1} << k_node_features.size();
  QuestionBuilder builder;
  for (std::size_t i = 0; i < k_sets; ++i) builder.node("n" + std::to_string(i), 1000);
  Question question = builder.asks(pod("p", 0, 100));
  for (std::size_t i = 0; i < k_sets; ++i) question.cluster.nodes[i].declared_features = features_of(i);
  for (const char* version : {"v1.35", "v1.36", "v1.37"}) {
    for (std::size_t i = 0; i < k_sets; ++i) {
      question.pod.node_features = features_of(i);
      placed_alike(question, release(version));
    }
  }
}

}  // namespace touchstone::tests::optimized_filter_node_test
