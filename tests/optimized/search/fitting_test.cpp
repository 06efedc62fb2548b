#include "optimized/search/fitting.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <vector>

#include "optimized/filters/affinity.hpp"
#include "optimized/filters/spread.hpp"
#include "optimized/filters/volumes.hpp"
#include "optimized/search/first_pass.hpp"
#include "optimized/store/snapshot.hpp"
#include "spec/vocabulary/seeded_choices.hpp"
#include "tests/support/any_question.hpp"
#include "tests/support/builder.hpp"
#include "tests/support/scale.hpp"
#include "tests/support/topology.hpp"

/// Whether a pod fits on many nodes, found at once, is the same as found node by node.
namespace touchstone::tests::fitting_test {

namespace {

/// 64 nodes that lack a different thing each: cpu, memory, a place, that a pod tolerates them, a label, or
/// room beside a nominated pod. Of several things, some lack one and some none. Some have just enough.
Question with_many_lacks(std::uint64_t seed) {
  SeededChoices choices(seed);
  QuestionBuilder builder;
  for (std::size_t i = 0; i < 64; ++i) {
    builder.node("n" + std::to_string(i), 1000);
    const std::size_t used = choices.pick(4, "a pod");
    if (used < 2) builder.has(pod("a" + std::to_string(i), 0, used == 0 ? 500 : 501));
    if (choices.pick(6, "a nominated pod") == 0) builder.nominated(pod("b" + std::to_string(i), 10, 600));
  }
  Question question = builder.asks(pod("p", 5, 500));
  for (Node& node : question.cluster.nodes) {
    const std::size_t memory = choices.pick(5, "memory");
    if (memory < 2) node.allocatable["memory"] = memory == 0 ? 200 : 199;
    if (choices.pick(3, "places") == 0) node.allocatable["pods"] = 1;
    if (choices.pick(5, "a taint") == 0) node.taints.push_back({"k", "v", "NoSchedule"});
    node.unschedulable = choices.pick(5, "unschedulable") == 0;
    node.labels["disk"] = choices.pick(2, "a label") == 0 ? "ssd" : "hdd";
  }
  question.pod.containers[0].requests["memory"] = 200;
  if (choices.pick(2, "a selector") == 0) question.pod.node_selector["disk"] = "ssd";
  if (choices.pick(4, "a port") == 0) question.pod = with_host_port(question.pod, 80);
  return question;
}

/// How many nodes fit. The nodes stand at the end of an order whose first word has other nodes.
std::size_t expect_equal(const optimized::Query& query, const std::vector<NodeIndex>& nodes) {
  std::vector<NodeIndex> order(optimized::PlaceTable::k_places, nodes.front());
  order.insert(order.end(), nodes.begin(), nodes.end());
  optimized::PlaceTable table;
  table.read_all(query.tables, order);
  const std::uint64_t all = ~std::uint64_t{0} >> (64 - nodes.size());
  for (const std::uint64_t places : {all & 0xAAAAAAAAAAAAAAAA, all & 8, std::uint64_t{0}, all}) {
    const std::uint64_t found = optimized::fitting(query, table, order, {1, places});
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const bool is_asked = (places >> i & 1) != 0;
      EXPECT_EQ((found >> i & 1) != 0, is_asked && optimized::fits(query, nodes[i])) << "node " << nodes[i];
    }
    EXPECT_EQ(found & ~places, 0u);
  }
  return static_cast<std::size_t>(std::popcount(optimized::fitting(query, table, order, {1, all})));
}

/// Expects that the pod fits on exactly these of the first 64 nodes, found at once and node by node.
/// `places`: a bit for each node that is examined; by default, for the first two.
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

/// n0 and n1 with a pod each.
Question two_nodes(const Pod& first, const Pod& second, const Pod& preemptor) {
  return QuestionBuilder().node("n0", 1000).has(first).node("n1", 1000).has(second).asks(preemptor);
}

}  // namespace

// PRE-FILTER-1
TEST(Fitting, FindsTheNodesOnWhichThePodFits) {
  optimized::Workers workers(1);
  std::size_t fitting = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Question question = with_many_lacks(seed);
    const optimized::Snapshot snapshot(question.cluster, release("v1.34"));
    const optimized::Query query(snapshot.tables(), question.pod, workers);
    std::vector<NodeIndex> nodes(64);
    std::iota(nodes.begin(), nodes.end(), NodeIndex{0});
    fitting += expect_equal(query, nodes);
    const std::vector<NodeIndex> some = {63, 5, 0, 40};
    expect_equal(query, some);
  }
  EXPECT_GT(fitting, 200u);
}

// PRE-FILTER-1
TEST(Fitting, FindsThemOnGeneratedClusters) {
  optimized::Workers workers(1);
  for (const char* version : {"v1.8", "v1.13", "v1.22", "v1.36"}) {
    const fuzz::Scenarios scenarios = fuzz::all_scenarios(release(version));
    for (std::uint64_t i = 0; i < scaled(100); ++i) {
      const Question question = fuzz::numbered_scenario(scenarios, 20261126, i);
      const optimized::Snapshot snapshot(question.cluster, release(version));
      const optimized::Query query(snapshot.tables(), question.pod, workers);
      if (query.volumes || query.spread) continue;  // a filter of them may err or crash
      std::vector<NodeIndex> nodes(std::min<std::size_t>(question.cluster.nodes.size(), 64));
      std::iota(nodes.begin(), nodes.end(), NodeIndex{0});
      expect_equal(query, nodes);
    }
  }
}

// PRE-PORTS-1: cpu and memory are free on both nodes, but a pod on n0 has the port.
TEST(Fitting, CountsHostPorts) {
  expect_fitting(two_nodes(with_host_port(pod("a", 0, 100), 80), with_host_port(pod("b", 0, 100), 81),
                           with_host_port(pod("p", 10, 100), 80)),
                 release("v1.34"), {1});
}

// PRE-AFFINITY-4: cpu and memory are free on both nodes, but the preemptor avoids the pod on n0.
TEST(Fitting, CountsPodsThatThePreemptorAvoids) {
  Question question = two_nodes(with_app(pod("a", 0, 100), "x"), pod("b", 0, 100),
                                away(pod("p", 10, 100), {by("rack", "x")}));
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

// PRE-FIT-2: n0 to n63, which are the places of the first word, are full. n64 to n127 are free.
TEST(Fitting, ReadsTheNodesOfOneWord) {
  QuestionBuilder cluster;
  for (std::size_t i = 0; i < 128; ++i) {
    cluster.node("n" + std::to_string(i), 1000);
    if (i < 64) cluster.has(pod("a" + std::to_string(i), 0, 1000));
  }
  expect_fitting(cluster.asks(pod("p", 10, 100)), release("v1.34"), {}, ~std::uint64_t{0});
}

}  // namespace touchstone::tests::fitting_test
