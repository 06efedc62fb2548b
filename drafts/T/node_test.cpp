// tests/optimized/filters/node_test.cpp
#include "spec/vocabulary/node_features.hpp"
#include "tests/optimized/agreed.hpp"
#include "tests/optimized/scores/placed.hpp"
#include "tests/support/any_question.hpp"

namespace touchstone::tests::node_test {

// PRE-VICTIM-1, PRE-VICTIM-3: pod a, which is more important than the preemptor, uses the memory that pod b
// would have to free.
TEST(OptimizedFilterNode, MoreImportantPodsUseMemory) {
  constexpr Quantity k_node = 1 << 30;  // of QuestionBuilder
  const auto asks = [](Quantity of_a) {
    Pod a = sized("a", 0, of_a);
    a.priority = 20;
    Pod p = sized("p", 0, k_node / 2);
    p.priority = 10;
    return QuestionBuilder().node("n1", 1000).has(a).has(sized("b", 0, k_node / 4)).asks(p);
  };
  for (const std::string& epoch : k_distinct_releases) {
    const Release asked = release(epoch);
    EXPECT_EQ(agreed(asks(k_node / 2), asked).outcome, Outcome::nominated) << epoch;
    EXPECT_EQ(agreed(asks(k_node / 2 + 1), asked).outcome, Outcome::none) << epoch;
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

}  // namespace touchstone::tests::node_test
