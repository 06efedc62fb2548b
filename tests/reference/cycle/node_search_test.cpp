#include "reference/cycle/node_search.hpp"

#include <gtest/gtest.h>

#include "tests/support/builder.hpp"
#include "tests/support/storage.hpp"

namespace touchstone::tests::node_search_test {

using reference::Cycle;
using reference::filter_nodes;
using reference::nodes_in_order;
using reference::nodes_to_find;
using reference::NodeSearch;
using reference::search_nodes;

namespace {

using Nodes = std::vector<NodeIndex>;

/// Nodes of one CPU each, named n0, n1, ...; those in `full` have no room for the pod p of one CPU.
Question question_of(std::size_t count, const std::set<NodeIndex>& full = {}) {
  QuestionBuilder builder;
  for (NodeIndex i = 0; i < count; ++i) {
    builder.node("n" + std::to_string(i), 1000);
    if (full.contains(i)) builder.has(pod("a" + std::to_string(i), 100, 1000));
  }
  return builder.asks(pod("p", 10, 1000));
}

Nodes order_of(const Question& question, std::string_view name) {
  const Release r = release(name);
  Trace trace = Trace::none();
  return nodes_in_order(Cycle(question, r, trace));
}

NodeSearch search(const Question& question, std::string_view name, std::optional<Quantity> start) {
  const Release r = release(name);
  Trace trace = Trace::none();
  const Cycle cycle(question, r, trace);
  return search_nodes(cycle, filter_nodes(cycle), start);
}

/// The numbers from `first` to `last`, both included.
Nodes numbers(NodeIndex first, NodeIndex last) {
  Nodes all;
  for (NodeIndex i = first; i <= last; ++i) all.push_back(i);
  return all;
}

}  // namespace

// CYC-ORDER-1
TEST(NodeOrder, TakesOneNodeOfEachZoneInTurn) {
  Question question = question_of(6);
  const std::vector<std::string> zones = {"a", "a", "a", "b", "", ""};
  for (std::size_t i = 0; i < zones.size(); ++i) {
    if (!zones[i].empty()) question.cluster.nodes[i].labels["topology.kubernetes.io/zone"] = zones[i];
  }
  EXPECT_EQ(order_of(question, "v1.36"), (Nodes{0, 3, 4, 1, 5, 2}));
  EXPECT_EQ(order_of(question, "v1.16"), numbers(0, 5));  // v1.16 does not know the label
  for (Node& node : question.cluster.nodes) {
    if (node.labels.contains("topology.kubernetes.io/zone"))
      node.labels["failure-domain.beta.kubernetes.io/zone"] = node.labels["topology.kubernetes.io/zone"];
  }
  EXPECT_EQ(order_of(question, "v1.12"), (Nodes{0, 3, 4, 1, 5, 2}));
  EXPECT_EQ(order_of(question, "v1.11"), numbers(0, 5));
}

// CYC-SEARCH-1
TEST(NodesToFind, AreAllNodesUpToV111) {
  EXPECT_EQ(nodes_to_find(5000, release("v1.11")), 5000);
  EXPECT_EQ(nodes_to_find(99, release("v1.12")), 99);
}

// CYC-SEARCH-1
TEST(NodesToFind, AreHalfOfTheNodesInV112AndV113) {
  EXPECT_EQ(nodes_to_find(200, release("v1.12")), 100);
  EXPECT_EQ(nodes_to_find(101, release("v1.13")), 100);
  EXPECT_EQ(nodes_to_find(5000, release("v1.13")), 2500);
}

// CYC-SEARCH-1
TEST(NodesToFind, AreAShareThatFallsWithTheSizeOfTheClusterFromV114) {
  EXPECT_EQ(nodes_to_find(99, release("v1.14")), 99);
  EXPECT_EQ(nodes_to_find(100, release("v1.36")), 100);
  EXPECT_EQ(nodes_to_find(250, release("v1.36")), 120);
  EXPECT_EQ(nodes_to_find(1000, release("v1.36")), 420);
  EXPECT_EQ(nodes_to_find(2000, release("v1.36")), 680);
  EXPECT_EQ(nodes_to_find(5000, release("v1.36")), 500);
  EXPECT_EQ(nodes_to_find(6000, release("v1.36")), 300);
  EXPECT_EQ(nodes_to_find(10000, release("v1.36")), 500);
}

// CYC-SEARCH-1
TEST(NodesToFind, AreTheConfiguredShare) {
  Release configured = release("v1.36");
  configured.percentage_of_nodes = 30;
  EXPECT_EQ(nodes_to_find(1000, configured), 300);
  EXPECT_EQ(nodes_to_find(200, configured), 100);
  configured.percentage_of_nodes = 100;
  EXPECT_EQ(nodes_to_find(1000, configured), 1000);
  configured.percentage_of_nodes = 0;
  EXPECT_EQ(nodes_to_find(1000, configured), 420);
}

// CYC-SEARCH-3
TEST(NodesToFind, IsOneNodeIfThereIsNoScorer) {
  Release configured = release("v1.30");
  configured.scorers.clear();
  EXPECT_EQ(nodes_to_find(5, configured), 1);
  Release before = release("v1.29");
  before.scorers.clear();
  EXPECT_EQ(nodes_to_find(5, before), 5);
}

// CYC-SEARCH-2
TEST(NodeSearch, VisitsEveryNodeIfNoStartIsGiven) {
  const NodeSearch found = search(question_of(150, {1}), "v1.36", {});
  EXPECT_EQ(found.feasible.size(), 149U);
  EXPECT_EQ(found.seen.size(), 150U);
}

// CYC-SEARCH-2
TEST(NodeSearch, BeginsAtTheStartAndGoesRound) {
  const NodeSearch found = search(question_of(150), "v1.36", 100);
  Nodes expected = numbers(100, 149);
  const Nodes rest = numbers(0, 49);
  expected.insert(expected.end(), rest.begin(), rest.end());
  EXPECT_EQ(found.feasible, expected);
  EXPECT_EQ(found.seen.size(), 100U);
  EXPECT_EQ(search(question_of(150), "v1.36", 250).feasible, expected);
}

// CYC-SEARCH-2
TEST(NodeSearch, GoesOnUntilItMeetsOneMoreFeasibleNode) {
  const NodeSearch found = search(question_of(150, {3, 101, 102}), "v1.36", 0);
  EXPECT_EQ(found.feasible.size(), 100U);
  EXPECT_EQ(found.feasible.back(), 100U);
  EXPECT_TRUE(found.seen.contains(102));   // rejected after the last feasible node that is kept
  EXPECT_FALSE(found.seen.contains(103));  // feasible: ends the search
}

// CYC-SEARCH-2, PRE-PREFILTER-3
TEST(NodeSearch, LeavesOutNodesThatAPreFilterExcludes) {
  Question question = question_of(4);
  NodeSelectorTerm term;
  term.match_fields = {{"metadata.name", "In", {"n1"}}};
  question.pod.node_affinity = {term};
  for (const char* name : {"v1.24", "v1.36"}) {
    const NodeSearch found = search(question, name, 3);
    EXPECT_EQ(found.feasible, (Nodes{1})) << name;
    EXPECT_TRUE(found.in_order) << name;
  }
  // Excluded nodes have a status before the search begins, if the release gives them any.
  EXPECT_EQ(search(question, "v1.24", 3).seen, (std::set<NodeIndex>{1}));
  EXPECT_EQ(search(question, "v1.36", 3).seen, (std::set<NodeIndex>{0, 1, 2, 3}));
}

// CYC-SEARCH-2
TEST(NodeSearch, VisitsTheNodesOfAPreFilterInARandomOrder) {
  Question question = question_of(4);
  for (const char* name : {"n1", "n2", "n3"}) {
    NodeSelectorTerm term;
    term.match_fields = {{"metadata.name", "In", {name}}};
    if (!question.pod.node_affinity) question.pod.node_affinity.emplace();
    question.pod.node_affinity->push_back(term);
  }
  EXPECT_FALSE(search(question, "v1.36", 0).in_order);
  EXPECT_FALSE(search(question, "v1.36", 0).is_by_chance);  // it finds all of them
  EXPECT_TRUE(search(question, "v1.36", {}).in_order);
  EXPECT_TRUE(search(question, "v1.23", 0).in_order);  // no PreFilter names nodes
  Release without_scorers = release("v1.36");
  without_scorers.scorers.clear();
  Trace trace = Trace::none();
  const Cycle cycle(question, without_scorers, trace);
  EXPECT_TRUE(search_nodes(cycle, filter_nodes(cycle), 0).is_by_chance);  // it finds one of them
}

// CYC-NOMINATED-1
TEST(NodeSearch, TakesTheNominatedNodeFromV122) {
  Question question = question_of(3);
  question.pod.nominated_node_name = "n2";
  EXPECT_EQ(search(question, "v1.22", {}).feasible, (Nodes{2}));
  EXPECT_EQ(search(question, "v1.22", 0).feasible, (Nodes{2}));
  EXPECT_EQ(search(question, "v1.22", {}).seen, (std::set<NodeIndex>{2}));
  EXPECT_EQ(search(question, "v1.21", {}).feasible, numbers(0, 2));
  question.cluster.pods.push_back(pod("a", 100, 1000));
  question.cluster.pods.back().node_name = "n2";
  EXPECT_EQ(search(question, "v1.22", {}).feasible, numbers(0, 1));
}

// CYC-NOMINATED-1: it has a status even if the search ends before it comes to the node.
TEST(NodeSearch, SeesTheNominatedNodeThatIsNotFeasible) {
  Question question = question_of(150, {149});
  question.pod.nominated_node_name = "n149";
  EXPECT_TRUE(search(question, "v1.36", 0).seen.contains(149));
  EXPECT_FALSE(search(question, "v1.21", 0).seen.contains(149));
}

namespace {

std::optional<Quantity> next_start(const Question& question, std::string_view name, Quantity start) {
  return search(question, name, start).next_start;
}

}  // namespace

// CYC-SEARCH-4
TEST(NextStart, IsTheNodeAfterTheLastVisitedOne) {
  const Question question = question_of(150, {3});
  EXPECT_EQ(next_start(question, "v1.36", 0), 101);   // 100 feasible nodes and n3
  EXPECT_EQ(next_start(question, "v1.36", 100), 51);  // n100 to n149, n0 to n50
  EXPECT_EQ(next_start(question, "v1.17", 0), 101);
  EXPECT_EQ(next_start(question, "v1.16", 0), 102);  // the node that ends the search counts
  EXPECT_EQ(next_start(question, "v1.36", 250), 51);
  EXPECT_EQ(next_start(question, "v1.36", INT64_MAX), INT64_MAX % 150 + 100);  // all but n3
}

// CYC-SEARCH-4
TEST(NextStart, StaysIfTheSearchVisitsEveryNode) {
  EXPECT_EQ(next_start(question_of(5, {1}), "v1.36", 3), 3);
  EXPECT_EQ(next_start(question_of(5, {1}), "v1.13", 3), 3);
  EXPECT_EQ(next_start(question_of(2, {0, 1}), "v1.36", 1), 1);  // no node is feasible
  EXPECT_EQ(search(question_of(5), "v1.36", {}).next_start, std::nullopt);
}

// CYC-SEARCH-4, CYC-NOMINATED-1
TEST(NextStart, StaysOrIsResetWhereTheNominatedNodeIsTried) {
  Question question = question_of(3);
  question.pod.nominated_node_name = "n2";
  EXPECT_EQ(next_start(question, "v1.21", 1), 1);  // v1.21 does not try it
  EXPECT_EQ(next_start(question, "v1.22", 1), 0);
  EXPECT_EQ(next_start(question, "v1.24", 1), 0);
  EXPECT_EQ(next_start(question, "v1.25", 1), 1);
  EXPECT_EQ(search(question, "v1.24", {}).next_start, std::nullopt);
}

// CYC-SEARCH-4: n120 is tried first and rejected. Its status counts, although the search does not visit it.
TEST(NextStart, CountsTheNominatedNodeThatIsRejected) {
  Question question = question_of(150, {120});
  question.pod.nominated_node_name = "n120";
  EXPECT_EQ(next_start(question, "v1.36", 0), 101);
  question.pod.nominated_node_name = "";
  EXPECT_EQ(next_start(question, "v1.36", 0), 100);
  question.pod.nominated_node_name = "n120";
  const NodeSearch found = search(question, "v1.24", 10);
  EXPECT_EQ(found.feasible.front(), 0U);  // the search begins with 0
  EXPECT_EQ(found.next_start, 101);
}

// CYC-SEARCH-4: with a node set of two nodes, v1.24 counts modulo 2, v1.36 modulo 4.
TEST(NextStart, WrapsAtTheNodesThatTheSearchMayVisit) {
  Question question = question_of(4);
  NodeSelectorTerm first;
  first.match_fields = {{"metadata.name", "In", {"n1"}}};
  NodeSelectorTerm second;
  second.match_fields = {{"metadata.name", "In", {"n2"}}};
  question.pod.node_affinity = {first, second};
  EXPECT_EQ(next_start(question, "v1.24", 1), 1);
  EXPECT_EQ(next_start(question, "v1.36", 1), 3);
  EXPECT_EQ(next_start(question, "v1.29.5", 1), 1);  // 2 visited and 2 excluded nodes, modulo 2
}

// CYC-SEARCH-4, PRE-PREFILTER-3: the nominated node counts only if it has a status.
TEST(NextStart, CountsNoExcludedNominatedNodeThatErrs) {
  Stored stored = nominated_to_an_erring_node();
  EXPECT_EQ(next_start(stored, "v1.29.6", 0), 1);
  stored.question().cluster.pods[0].volumes.clear();
  EXPECT_EQ(next_start(stored, "v1.29.6", 0), 0);  // 2 of 2 nodes
}

// CYC-SEARCH-4, PRE-PREFILTER-4: v1.26.0 loses the rejection, and no node has a status.
TEST(NextStart, StaysIfAPreFilterRejectsThePod) {
  Question question = question_of(3);
  NodeSelectorTerm term;
  term.match_fields = {{"metadata.name", "In", {"n1"}}, {"metadata.name", "In", {"n2"}}};
  question.pod.node_affinity = {term};
  EXPECT_EQ(next_start(question, "v1.26.0", 2), 2);
  EXPECT_EQ(next_start(question, "v1.36", 2), 2);
  question.pod.nominated_node_name = "n1";
  EXPECT_EQ(next_start(question, "v1.24", 2), 2);  // the nominated node is not tried
}

}  // namespace touchstone::tests::node_search_test
