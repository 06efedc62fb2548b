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

}  // namespace touchstone::tests::fitting_test
