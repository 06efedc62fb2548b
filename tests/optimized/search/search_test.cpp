#include "optimized/search/search.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/optimized/agreed.hpp"
#include "tests/support/storage.hpp"

/// The search for candidates: which nodes it dry-runs, on one thread or several, and what a node that needs
/// no victim means.
namespace touchstone::tests::search_test {

namespace {

constexpr std::size_t k_nodes = 1000;

std::string numbered(const char* name, std::size_t number) { return name + std::to_string(number); }

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

// PRE-NODE-6: 70 nodes tie, more than one round of the search takes. Another node is worse, so the bounds are
// not all equal. The nodes of the second round tie with those of the first.
TEST(OptimizedSearch, FindsAllNodesThatTie) {
  constexpr std::size_t k_ties = 70;
  for (const char* version : {"v1.8", "v1.16", "v1.34", "v1.37"}) {
    QuestionBuilder cluster;
    cluster.node("worse", 1000).has(pod("b", 5, 1000));
    for (std::size_t i = 0; i < k_ties; ++i)
      cluster.node(numbered("n", i), 1000).has(pod(numbered("a", i), 0, 1000));
    EXPECT_EQ(agreed(cluster.asks(pod("p", 10, 1000)), version).admissible.size(), k_ties) << version;
  }
}

// PRE-SEARCH-1: all bounds differ. The nodes with the lowest bounds are no candidates, because a pod of a
// higher priority has the host port of the preemptor. The search goes on up to the last node.
TEST(OptimizedSearch, GoesOnIfTheFirstNodesAreNoCandidates) {
  constexpr std::size_t k_visited = 80;
  for (const char* version : {"v1.8", "v1.16", "v1.34", "v1.37"}) {
    QuestionBuilder cluster;
    for (std::size_t i = 0; i < k_visited; ++i) {
      cluster.node(numbered("n", i), 1000).has(pod(numbered("a", i), static_cast<Quantity>(i), 1000));
      if (i + 1 < k_visited) cluster.has(with_host_port(pod(numbered("b", i), 1000, 0), 80));
    }
    const optimized::Answer answer = agreed(cluster.asks(with_host_port(pod("p", 500, 1000), 80)), version);
    EXPECT_EQ(answer.admissible, std::vector<NodeIndex>{k_visited - 1}) << version;
  }
}

// PRE-PDB-3 to PRE-PDB-5: each node has two pods of one PDB, which allows one disruption. From one node to
// the next, up to 64 budgets are restored as a whole, and more are restored one by one.
TEST(OptimizedSearch, GivesEachNodeTheWholeBudgets) {
  for (const std::size_t others : {0U, 62U, 63U, 64U, 70U}) {
    QuestionBuilder cluster;
    for (std::size_t i = 0; i < 3; ++i) {
      cluster.node(numbered("n", i), 2000);
      for (const char* name : {"a", "b"}) cluster.has(with_app(pod(numbered(name, i), 0, 1000), "x"));
    }
    cluster.pdb("x", 1);
    for (std::size_t i = 0; i < others; ++i) cluster.pdb(numbered("other", i), 0);
    const Question question = cluster.asks(pod("p", 10, 2000));
    for (const char* version : {"v1.9", "v1.16", "v1.18", "v1.34", "v1.37"})
      EXPECT_EQ(agreed(question, version).admissible.size(), 3U) << version << " " << others;
  }
}

// PRE-SEARCH-2, CYC-PROFILE-3: 99 % of 2 nodes is 1 node, rounded down. So the search ends at n1, though n2
// is better.
TEST(OptimizedSearch, RoundsTheNumberOfCandidatesDown) {
  Question question = QuestionBuilder()
                          .node("n1", 1000)
                          .has(pod("a", 5, 1000))
                          .node("n2", 1000)
                          .has(pod("b", 0, 1000))
                          .asks(pod("p", 10, 1000));
  question.offset = 0;
  Release asked = release("v1.34");
  asked.candidates_least = 1;
  for (const Quantity percentage : {99, 100}) {
    asked.candidate_percentage = percentage;
    EXPECT_EQ(agreed(question, asked).node, percentage == 99 ? NodeIndex{0} : NodeIndex{1});
  }
}

// PRE-SEARCH-3, PRE-VICTIM-8, PRE-CLAIM-3: in v1.29.4 the host name of the volume excludes n2 and n3, and
// both are dry-run all the same. n2 needs no victim, which is an error and no candidate. So a search for one
// candidate goes on to n3.
TEST(OptimizedSearch, CountsNoNodeThatNeedsNoVictim) {
  Question full = QuestionBuilder()
                      .node("n1", 1000)
                      .has(pod("b", 20, 1000))
                      .node("n2", 2000)
                      .has(pod("a", 0, 1000))
                      .node("n3", 1000)
                      .has(pod("c", 0, 1000))
                      .asks(with_claim(pod("p", 10, 1000), "c"));
  for (Node& node : full.cluster.nodes) {
    node.labels["kubernetes.io/hostname"] = node.name;
    if (node.name != "n1") node.labels["zone"] = "a";
  }
  PersistentVolume reached = reached_from(volume("v"), "kubernetes.io/hostname", {"n1"});
  reached.node_affinity->push_back({{{"zone", "In", {"a"}}}, {}});
  Question question = Stored(full).with(claim("c", "v")).with(reached);
  question.offset = 0;
  question.quota = 1;
  EXPECT_EQ(agreed(question, "v1.29.4").admissible, std::vector<NodeIndex>{2});
}

// PRE-SEARCH-2, PRE-OUTCOME-5: a sampling search, too, ends the attempt with the error of a dry run. The
// filter of volumes runs once the resources suffice.
TEST(OptimizedSearch, ReportsTheErrorOfANodeInASample) {
  PersistentVolumeClaim gold = waiting("c");
  gold.attributes_class = "gold";
  Stored stored(
      QuestionBuilder().node("n1", 1000).has(pod("a", 0, 1000)).asks(with_claim(pod("p", 10, 1000), "c")));
  stored.with(gold).with(available("v")).with(late("kubernetes.io/no-provisioner"));
  Question question = stored;
  question.offset = 0;
  EXPECT_EQ(agreed(question, "v1.33").outcome, Outcome::error);
}

}  // namespace touchstone::tests::search_test
