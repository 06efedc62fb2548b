// tests/optimized/search/fitting_test.cpp (new cases)
#include "optimized/search/fitting.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <numeric>
#include <vector>

#include "optimized/filters/affinity.hpp"
#include "optimized/filters/spread.hpp"
#include "optimized/filters/volumes.hpp"
#include "optimized/search/first_pass.hpp"
#include "optimized/store/snapshot.hpp"
#include "tests/support/builder.hpp"

namespace touchstone::tests::fitting_test {

namespace {

/// Expects that the pod fits on these nodes of at most 64, by all places at once and node by node.
void expect_fitting(const Question& question, const Release& asked, const std::vector<NodeIndex>& expected,
                    std::uint64_t places = 3) {
  optimized::Workers workers(1);
  const optimized::Snapshot snapshot(question.cluster, asked);
  const optimized::Query query(snapshot.tables(), question.pod, workers);
  std::vector<NodeIndex> order(question.cluster.nodes.size());
  std::iota(order.begin(), order.end(), NodeIndex{0});
  optimized::PlaceTable table;
  table.read_all(query.tables, order);
  const std::uint64_t found = optimized::fitting(query, table, order, {0, places});
  std::vector<NodeIndex> at_once;
  std::vector<NodeIndex> one_by_one;
  for (std::size_t i = 0; i < 64; ++i) {
    if ((places >> i & 1) == 0) continue;
    if ((found >> i & 1) != 0) at_once.push_back(order[i]);
    if (optimized::fits(query, order[i])) one_by_one.push_back(order[i]);
  }
  EXPECT_EQ(at_once, expected);
  EXPECT_EQ(one_by_one, expected);
  EXPECT_EQ(found & ~places, 0U);
}

Question two_nodes(const Pod& first, const Pod& second, const Pod& preemptor) {
  return QuestionBuilder().node("n0", 1000).has(first).node("n1", 1000).has(second).asks(preemptor);
}

}  // namespace

// PRE-PORTS-1: cpu and memory are free on both nodes, but a pod on n0 has the port.
TEST(Fitting, CountsHostPorts) {
  expect_fitting(two_nodes(with_host_port(pod("a", 0, 100), 80), with_host_port(pod("b", 0, 100), 81),
                           with_host_port(pod("p", 10, 100), 80)),
                 release("v1.34"), {1});
}

// PRE-AFFINITY-4: cpu and memory are free on both nodes, but the preemptor avoids the pod on n0.
TEST(Fitting, CountsPodsOfOtherNodes) {
  Pod preemptor = pod("p", 10, 100);
  PodAffinityTerm term;
  term.topology_key = "rack";
  term.label_selector = LabelSelector{{{"app", "x"}}, {}};
  preemptor.pod_anti_affinity = {term};
  Question question = two_nodes(with_app(pod("a", 0, 100), "x"), pod("b", 0, 100), preemptor);
  question.cluster.nodes[0].labels["rack"] = "a";
  question.cluster.nodes[1].labels["rack"] = "b";
  expect_fitting(question, release("v1.34"), {1});
}

// PRE-INPUT-3: the preemptor itself is on n0, where its own request does not count.
TEST(Fitting, LeavesThePreemptorItselfOut) {
  expect_fitting(two_nodes(pod("p", 10, 1000), pod("b", 0, 100), pod("p", 10, 1000)), release("v1.34"), {0});
}

// PRE-FIT-1, CYC-PROFILE-1: the number of pods counts if the profile has NodeResourcesFit.
TEST(Fitting, CountsPodsIfTheProfileHasTheFilter) {
  Question question = two_nodes(pod("a", 0, 100), pod("b", 0, 100), pod("p", 10, 100));
  question.cluster.nodes[0].allocatable["pods"] = 1;
  Release asked = release("v1.34");
  expect_fitting(question, asked, {1});
  std::erase(asked.filter_groups, std::vector<Filter>{Filter::node_resources_fit});
  expect_fitting(question, asked, {0, 1});
}

// PRE-TAINT-1, PRE-UNSCHEDULABLE-1: a node with a taint lets in the pods that tolerate it.
TEST(Fitting, LetsPodsInThatTolerateATaint) {
  Question question = two_nodes(pod("a", 0, 100), pod("b", 0, 100), pod("p", 10, 100));
  question.cluster.nodes[0].taints = {{"k", "v", "NoSchedule"}};
  question.cluster.nodes[1].unschedulable = true;
  expect_fitting(question, release("v1.34"), {});
  question.pod.tolerations = {{"k", "Exists", "", ""}};
  expect_fitting(question, release("v1.34"), {0});
  question.pod.tolerations = {{"", "Exists", "", ""}};
  expect_fitting(question, release("v1.34"), {0, 1});
}

// PRE-FIT-2: the first node is full, and the node behind the last place of its word is not.
TEST(Fitting, ReadsTheNodesOfOneWord) {
  QuestionBuilder cluster;
  for (std::size_t i = 0; i < 128; ++i) {
    cluster.node("n" + std::to_string(i), 1000);
    if (i < 64) cluster.has(pod("a" + std::to_string(i), 0, 1000));
  }
  expect_fitting(cluster.asks(pod("p", 10, 100)), release("v1.34"), {}, ~std::uint64_t{0});
}

}  // namespace touchstone::tests::fitting_test
