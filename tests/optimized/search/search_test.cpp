#include "optimized/search/search.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/optimized/agreed.hpp"
#include "tests/support/storage.hpp"

/// The search for candidates: which nodes it dry-runs, on one thread or several, and what a node that needs
/// no victim means.
namespace touchstone::tests::search_test {

namespace {

constexpr std::size_t k_nodes = 1000;

/// One pod fills each node. Its priority is lower on each following node. On the node `best` it is 0, the
/// lowest.
Question full_nodes(std::size_t best) {
  QuestionBuilder cluster;
  for (std::size_t i = 0; i < k_nodes; ++i) {
    const auto priority = static_cast<Quantity>(k_nodes - i);
    cluster.node("n" + std::to_string(i), 1000);
    cluster.has(pod("a" + std::to_string(i), i == best ? 0 : priority, 1000));
  }
  return cluster.asks(pod("p", 2000, 1000));
}

optimized::Answer answer_of(const Question& question, const char* version, optimized::Options options,
                            optimized::Workers& workers) {
  const optimized::Snapshot snapshot(question.cluster, release(version));
  return optimized::decide(snapshot, question.pod, options, workers);
}

}  // namespace

// PRE-NODE-2: the nodes with the lowest bounds are dry-run first. After them most other nodes cannot win.
// Without pruning every node is dry-run.
TEST(OptimizedSearch, DryRunsFewNodesIfPrioritiesDecide) {
  optimized::Workers workers(1);
  const Question question = full_nodes(k_nodes - 1);
  const optimized::Answer pruned = answer_of(question, "v1.34", {}, workers);
  EXPECT_EQ(pruned.node, k_nodes - 1);
  EXPECT_GE(pruned.dry_runs, 1U);
  EXPECT_LE(pruned.dry_runs, k_nodes / 10);
  optimized::Options options;
  options.prunes = false;
  EXPECT_EQ(answer_of(question, "v1.34", options, workers).dry_runs, k_nodes);
}

// PRE-SEARCH-2, PRE-SEARCH-3: the sample is n10 to n16. The pod on n16 has the lowest priority of these.
TEST(OptimizedSearch, DryRunsNoMoreNodesThanTheSample) {
  optimized::Workers workers(1);
  optimized::Options options;
  options.offset = 10;
  options.quota = 7;
  const optimized::Answer answer = answer_of(full_nodes(0), "v1.34", options, workers);
  EXPECT_EQ(answer.dry_runs, 7U);
  EXPECT_EQ(answer.node, 16U);
}

// PRE-SEARCH-1: from 128 nodes on, each thread dry-runs a part of the nodes. The best node is in any of the
// parts.
TEST(OptimizedSearch, FindsTheBestNodeInEachPart) {
  optimized::Options options;
  options.prunes = false;
  for (const std::size_t count : {2U, 3U}) {
    optimized::Workers workers(count);
    for (const std::size_t best : {std::size_t{0}, k_nodes / 2 - 1, k_nodes / 2, k_nodes - 1}) {
      const optimized::Answer answer = answer_of(full_nodes(best), "v1.34", options, workers);
      EXPECT_EQ(answer.admissible, std::vector<NodeIndex>{static_cast<NodeIndex>(best)}) << count;
      EXPECT_EQ(answer.dry_runs, k_nodes);
    }
  }
}

// PRE-CLAIM-3, PRE-VICTIM-8, PRE-OUTCOME-5: in v1.29 the host name of the volume excludes n2, on which the
// pod fits. In v1.29.4 n2 is dry-run all the same, and needs no victim.
TEST(OptimizedSearch, ReportsANodeThatNeedsNoVictim) {
  Question full = QuestionBuilder()
                      .node("n1", 1000)
                      .has(pod("b", 20, 1000))
                      .node("n2", 2000)
                      .has(pod("a", 0, 1000))
                      .asks(with_claim(pod("p", 10, 1000), "c"));
  for (Node& node : full.cluster.nodes) node.labels["kubernetes.io/hostname"] = node.name;
  full.cluster.nodes[1].labels["zone"] = "a";
  PersistentVolume reached = reached_from(volume("v"), "kubernetes.io/hostname", {"n1"});
  reached.node_affinity->push_back({{{"zone", "In", {"a"}}}, {}});
  const Question question = Stored(full).with(claim("c", "v")).with(reached);
  EXPECT_EQ(agreed(question, "v1.29.4").reason, "expected at least one victim pod on node \"n2\"");
  EXPECT_EQ(agreed(question, "v1.29.6").outcome, Outcome::none);
  EXPECT_EQ(agreed(question, "v1.34").outcome, Outcome::fits);
}

}  // namespace touchstone::tests::search_test
