// tests/optimized/search/search_test.cpp
#include "optimized/search/search.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/optimized/agreed.hpp"
#include "tests/support/storage.hpp"

namespace touchstone::tests::search_more_test {

namespace {

std::string numbered(const char* name, std::size_t number) { return name + std::to_string(number); }

}  // namespace

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
  constexpr std::size_t k_nodes = 80;
  for (const char* version : {"v1.8", "v1.16", "v1.34", "v1.37"}) {
    QuestionBuilder cluster;
    for (std::size_t i = 0; i < k_nodes; ++i) {
      cluster.node(numbered("n", i), 1000).has(pod(numbered("a", i), static_cast<Quantity>(i), 1000));
      if (i + 1 < k_nodes) cluster.has(with_host_port(pod(numbered("b", i), 1000, 0), 80));
    }
    const optimized::Answer answer = agreed(cluster.asks(with_host_port(pod("p", 500, 1000), 80)), version);
    EXPECT_EQ(answer.admissible, std::vector<NodeIndex>{k_nodes - 1}) << version;
  }
}

// PRE-PDB-3 to PRE-PDB-5: each node has two pods of one PDB, which allows one disruption. The number of other
// PDBs decides how budgets are restored from one node to the next.
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

}  // namespace touchstone::tests::search_more_test
