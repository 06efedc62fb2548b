// tests/optimized/scores/topology_test.cpp
#include "tests/support/topology.hpp"

#include "tests/optimized/scores/placed.hpp"
#include "tests/support/any_question.hpp"

namespace touchstone::tests::topology_test {

// SCORE-AFFINITY-1, SCORE-AFFINITY-4: the required terms of other pods do not count if the configuration
// gives them the weight 0. Then no pod counts, and later releases skip the scorer.
TEST(OptimizedTopology, CountsNoRequiredTermsOfWeightZero) {
  Question question = QuestionBuilder()
                          .node("n1", 4000)
                          .has(near(pod("a", 0, 100), {by("zone", "x")}))
                          .node("n2", 4000)
                          .asks(with_app(pod("p", 0, 100), "x"));
  question = in_zones(question, {"a", "b"});
  for (const std::string& epoch : k_distinct_releases) {
    for (const Quantity weight : {0, 1}) {
      Release asked = release(epoch);
      asked.hard_pod_affinity_weight = weight;
      placed_alike(question, asked);
    }
  }
}

// CYC-ORDER-1, SCORE-SELECTOR-3: a node with a region and no zone is in a zone of its own kind: that of the
// nodes with the same region and no zone.
TEST(OptimizedTopology, HasZonesOfRegionsAlone) {
  QuestionBuilder builder;
  for (const char* name : {"n1", "n2", "n3", "n4"}) builder.node(name, 4000);
  Question question = builder.asks(with_app(pod("p", 0, 100), "x"));
  const std::vector<std::string> regions = {"r", "r", "s", ""};
  for (std::size_t i = 0; i < regions.size(); ++i) {
    Node& node = question.cluster.nodes[i];
    if (!regions[i].empty()) node.labels["failure-domain.beta.kubernetes.io/region"] = regions[i];
    for (std::size_t pods = 3 - i; pods > 0; --pods) {
      Pod made = with_app(pod("a" + std::to_string(i) + std::to_string(pods), 0, 1), "x");
      made.node_name = node.name;
      question.cluster.pods.push_back(made);
    }
  }
  question.cluster.selecting = {{SelectingKind::service, "default", "s", app_is("x")}};
  for (const std::string& epoch : k_distinct_releases) placed_alike(question, release(epoch));
}

}  // namespace touchstone::tests::topology_test
