#include "optimized/store/place_table.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "optimized/store/snapshot.hpp"
#include "tests/support/builder.hpp"

/// The table of places has the amounts of the nodes as floats, and says where it has none.
namespace touchstone::tests::place_table_test {

namespace {

/// n0 to n69 with 1000m to 1069m cpu, each with a pod of 100m. The order is from the last to the first.
class PlaceTable : public ::testing::Test {
 protected:
  static constexpr std::size_t k_nodes = 70;

  PlaceTable() : snapshot_(release("v1.34")) {
    for (std::size_t i = 0; i < k_nodes; ++i) {
      snapshot_.add_node(node(i));
      Pod on_node = pod("a" + std::to_string(i), 0, 100);
      on_node.node_name = node(i).name;
      snapshot_.add_pod(on_node);
      order_.insert(order_.begin(), i);
    }
    table_.read_all(snapshot_.tables(), order_);
  }
  static Node node(std::size_t i) {
    return QuestionBuilder()
        .node("n" + std::to_string(i), 1000 + static_cast<Quantity>(i))
        .asks({})
        .cluster.nodes[0];
  }
  /// Changes n69, which has the first place, and reads it again.
  void change(const Node& changed) {
    snapshot_.change_node(k_nodes - 1, changed);
    table_.read(snapshot_.tables(), k_nodes - 1, 0);
  }

  optimized::Snapshot snapshot_;
  std::vector<NodeIndex> order_;
  optimized::PlaceTable table_;
};

}  // namespace

TEST_F(PlaceTable, HasTheAmountsInTheOrderOfTheSearch) {
  const optimized::LoadColumns first = table_.columns(0, false);
  const optimized::LoadColumns second = table_.columns(1, false);
  EXPECT_EQ(first.cpu[0], 1069.0);
  EXPECT_EQ(first.cpu[63], 1006.0);
  EXPECT_EQ(second.cpu[0], 1005.0);
  EXPECT_EQ(second.cpu[5], 1000.0);
  EXPECT_EQ(second.used_cpu[5], 100.0);
  // A pod that requests no memory counts with 200 MB for scores. SCORE-REQUESTS-1
  EXPECT_EQ(second.used_memory[5], 0.0);
  EXPECT_EQ(table_.columns(1, true).used_memory[5], 200.0 * 1024 * 1024);
}

TEST_F(PlaceTable, SaysWhichNodesArePlain) {
  EXPECT_EQ(table_.plain(0), ~std::uint64_t{0});
  EXPECT_EQ(table_.plain(1), 0x3Fu);
  Node changed = node(k_nodes - 1);
  changed.unschedulable = true;
  change(changed);
  EXPECT_EQ(table_.plain(0), ~std::uint64_t{1});
  change(node(k_nodes - 1));
  EXPECT_EQ(table_.plain(0), ~std::uint64_t{0});
  changed = node(k_nodes - 1);
  changed.taints = {{"k", "v", "NoExecute"}};
  change(changed);
  EXPECT_EQ(table_.plain(0), ~std::uint64_t{1});
  changed.taints = {{"k", "v", "PreferNoSchedule"}};
  change(changed);
  EXPECT_EQ(table_.plain(0), ~std::uint64_t{0});
  changed.allocatable["pods"] = 1;
  change(changed);
  EXPECT_EQ(table_.plain(0), ~std::uint64_t{1});
  changed.allocatable["pods"] = 2;
  change(changed);
  Pod nominated = pod("q", 10, 100);
  nominated.nominated_node_name = changed.name;
  const PodIndex number = snapshot_.add_pod(nominated);
  table_.read(snapshot_.tables(), k_nodes - 1, 0);
  EXPECT_EQ(table_.plain(0), ~std::uint64_t{1});
  snapshot_.remove_pod(number);
  table_.read(snapshot_.tables(), k_nodes - 1, 0);
  EXPECT_EQ(table_.plain(0), ~std::uint64_t{0});
}

TEST_F(PlaceTable, LeavesOutNodesWithOtherAmounts) {
  const auto left_out = [this] { return table_.columns(0, true).left_out; };
  EXPECT_EQ(left_out(), 0u);
  Node changed = node(k_nodes - 1);
  for (const Quantity amount :
       {Quantity{0}, Quantity{-1}, Quantity{1} << 45, std::numeric_limits<Quantity>::max()}) {
    for (const char* resource : {"cpu", "memory"}) {
      changed.allocatable[resource] = amount;
      change(changed);
      EXPECT_EQ(left_out(), 1u) << resource << " " << amount;
      EXPECT_EQ(table_.columns(0, false).memory[0], 1.0);
      EXPECT_EQ(table_.columns(1, true).left_out, 0u);
      changed = node(k_nodes - 1);
    }
  }
  changed.allocatable["memory"] = (Quantity{1} << 45) - 1;
  change(changed);
  EXPECT_EQ(left_out(), 0u);
  EXPECT_EQ(table_.columns(0, false).memory[0], 35184372088831.0);
  Pod large = pod("b", 0, 100);
  large.node_name = changed.name;
  large.containers[0].requests["memory"] = Quantity{1} << 45;
  snapshot_.add_pod(large);
  table_.read(snapshot_.tables(), k_nodes - 1, 0);
  EXPECT_EQ(left_out(), 1u);
}

}  // namespace touchstone::tests::place_table_test
