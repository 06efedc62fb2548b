#include "optimized/search/node_search.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reference/cycle/node_search.hpp"
#include "tests/optimized/pinned.hpp"
#include "tests/optimized/scores/placed.hpp"
#include "tests/support/storage.hpp"

/// The search of the optimized engine finds the nodes that the reference finds, and the next search begins at
/// the same node.
namespace touchstone::tests::node_search_test {

namespace {

using Nodes = std::vector<NodeIndex>;

/// Releases with each rule about excluded nodes and about the next start. v1.29.5 and v1.30.1 alone give an
/// excluded node a reason of its own.
const std::vector<const char*> k_versions = {"v1.11",   "v1.13.0",  "v1.18",   "v1.21",   "v1.22",
                                             "v1.24",   "v1.26.15", "v1.27.1", "v1.28.1", "v1.29.5",
                                             "v1.30.1", "v1.31.0",  "v1.36.3"};

/// Nodes n0, n1, ... for a pod that needs 1000 milli of cpu.
Question with_cpu(const std::vector<Quantity>& cpu) {
  QuestionBuilder builder;
  for (std::size_t i = 0; i < cpu.size(); ++i) builder.node("n" + std::to_string(i), cpu[i]);
  return builder.asks(pod("p", 10, 1000));
}

}  // namespace

// CYC-SEARCH-1: the number of nodes to find is that of the reference, for any number of nodes.
TEST(OptimizedNodeSearch, FindsAsManyNodesAsTheReference) {
  for (const char* version : {"v1.11", "v1.13.0", "v1.36.3"}) {
    for (const Quantity percentage : {0, 1, 70, 100}) {
      Release asked = release(version);
      asked.percentage_of_nodes = percentage;
      for (std::size_t nodes = 1; nodes < 7000; ++nodes)
        ASSERT_EQ(optimized::nodes_to_find(nodes, asked),
                  static_cast<std::size_t>(reference::nodes_to_find(static_cast<Quantity>(nodes), asked)))
            << version << " " << nodes;
    }
  }
}

// CYC-ORDER-1: up to v1.11 the search visits the nodes in the order of the list. From v1.12 on it takes a
// node of each zone in turn.
TEST(OptimizedNodeSearch, VisitsTheNodesInTheOrderOfTheRelease) {
  Question question = with_cpu({1000, 1000, 1000});
  for (Node& node : question.cluster.nodes)
    node.labels["failure-domain.beta.kubernetes.io/zone"] = node.name == "n2" ? "b" : "a";
  question.start = 0;
  EXPECT_EQ(placed_alike(question, release("v1.11")).feasible, (Nodes{0, 1, 2}));
  EXPECT_EQ(placed_alike(question, release("v1.12")).feasible, (Nodes{0, 2, 1}));
}

// CYC-SEARCH-4, PRE-PREFILTER-3: which nodes count for the next start if the pod is pinned to some of them,
// and perhaps nominated to one of them or to another one, where it fits or not. n2 and n4 are too small.
TEST(OptimizedNodeSearch, BeginsTheNextSearchAsTheReferenceDoes) {
  const std::vector<std::vector<std::string>> pins = {
      {}, {"n1"}, {"n2"}, {"n0", "n1"}, {"n1", "n2"}, {"n1", "n3", "n4"}, {"n0", "n1", "n2", "n3", "n4"}};
  for (const char* version : k_versions) {
    for (const std::vector<std::string>& names : pins) {
      for (const char* nominated : {"", "n1", "n2", "n3", "n4"}) {
        for (const Quantity start : {0, 1, 4, 7}) {
          Question question = with_cpu({1000, 1000, 500, 1000, 500});
          if (!names.empty()) question.pod.node_affinity = on_one_of(names);
          question.pod.nominated_node_name = nominated;
          question.start = start;
          placed_alike(question, release(version));
        }
      }
    }
  }
}

// CYC-SEARCH-4, PRE-PREFILTER-3: removed nodes are not excluded nodes. n0 and n6 are removed.
TEST(OptimizedNodeSearch, CountsNoRemovedNodes) {
  for (const char* version : {"v1.24", "v1.29.5", "v1.30.1", "v1.36.3"}) {
    Question question = with_cpu({1000, 1000, 1000, 1000, 1000, 1000, 1000});
    question.pod.node_affinity = on_one_of({"n1", "n2", "n3"});
    question.start = 1;
    const Release asked = release(version);
    optimized::Snapshot snapshot(question.cluster, asked);
    snapshot.remove_node(0);
    snapshot.remove_node(6);
    optimized::Workers workers(1);
    const optimized::Placed placed = oracle::optimized_placed(snapshot, question, workers);
    question.cluster.nodes.pop_back();
    question.cluster.nodes.erase(question.cluster.nodes.begin());
    EXPECT_EQ(placed.next_start, reference::schedule(question, asked).next_start) << version;
  }
}

// CYC-SEARCH-4, PRE-PREFILTER-3: no number of nodes changes the rule.
TEST(OptimizedNodeSearch, CountsTheExcludedNodesOfAnyNumberOfNodes) {
  for (const std::size_t nodes : {7U, 8U, 24U, 40U, 64U}) {
    Question question = with_cpu(std::vector<Quantity>(nodes, 1000));
    question.pod.node_affinity = on_one_of({"n1", "n2", "n3", "n4", "n5"});
    question.start = 1;
    for (const char* version : {"v1.29.5", "v1.30.1", "v1.36.3"}) placed_alike(question, release(version));
  }
}

// CYC-SEARCH-4, PRE-PREFILTER-3: a filter errs on the nominated node n2, and the volume of the pod names
// another host. So the node is excluded, and it counts only where excluded nodes do.
TEST(OptimizedNodeSearch, LeavesOutANominatedNodeThatErrsAndIsExcluded) {
  for (const char* version : k_versions) {
    for (const Quantity start : {0, 1}) {
      for (const Quantity cpu : {500, 1000}) {
        Question question = nominated_to_an_erring_node();
        question.cluster.nodes[0].allocatable["cpu"] = cpu;
        question.start = start;
        for (int added = 0; added < 2; ++added) {
          placed_alike(question, release(version));
          question.cluster.nodes.push_back(question.cluster.nodes[0]);
          question.cluster.nodes.back().name = "n3";
          question.cluster.nodes.back().labels["kubernetes.io/hostname"] = "n3";
        }
      }
    }
  }
}

// CYC-SEARCH-4: the search ends after n0 to n99, before it reaches the nominated node, which is full. That
// one still has a status.
TEST(OptimizedNodeSearch, CountsANominatedNodeThatItDoesNotReach) {
  std::vector<Quantity> cpu(104, 1000);
  cpu[102] = 500;
  for (const char* version :
       {"v1.13.0", "v1.20", "v1.22", "v1.24", "v1.29.5", "v1.30.1", "v1.31.0", "v1.36.3"}) {
    for (const char* nominated : {"", "n102"}) {
      for (const Quantity start : {0, 3}) {
        Question question = with_cpu(cpu);
        question.pod.nominated_node_name = nominated;
        question.start = start;
        placed_alike(question, release(version));
      }
    }
  }
}

// CYC-SEARCH-3, CYC-SEARCH-4: without scorers the search finds one node. It goes on up to the next feasible
// node, over nodes that are too small.
TEST(OptimizedNodeSearch, EndsAtTheFirstFeasibleNodeThatItDoesNotKeep) {
  Release asked = release("v1.36.3");
  asked.scorers.clear();
  Question question = with_cpu({1000, 500, 500, 1000, 1000});
  for (const Quantity start : {0, 1, 3, 4}) {
    question.start = start;
    placed_alike(question, asked);
  }
  question.start = 0;
  EXPECT_EQ(placed_alike(question, asked).next_start, Quantity{3});
}

// CYC-SEARCH-2, CYC-SEARCH-3: the release visits the nodes to which the pod is pinned in a random order. If
// it finds one of two, the cycle is skipped. If it finds both, no order of a heap is known (CYC-HOST-4).
TEST(OptimizedNodeSearch, VisitsPinnedNodesInARandomOrder) {
  Release one_is_found = release("v1.36.3");
  one_is_found.scorers.clear();
  Question question = with_cpu({1000, 1000, 1000});
  question.start = 0;
  question.pod.node_affinity = on_one_of({"n1", "n2"});
  EXPECT_EQ(placed_alike(question, one_is_found).answer.outcome, Outcome::skipped);
  EXPECT_EQ(placed_alike(question, release("v1.36.3")).best, (Nodes{1, 2}));
  question.pod.node_affinity = on_one_of({"n0", "n1", "n2"});
  EXPECT_EQ(placed_alike(question, release("v1.36.3")).best, (Nodes{0, 1, 2}));
  question.pod.node_affinity = on_one_of({"n1"});
  EXPECT_EQ(placed_alike(question, one_is_found).host, NodeIndex{1});
}

}  // namespace touchstone::tests::node_search_test
