#include "optimized/store/place_table.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "optimized/store/snapshot.hpp"
#include "tests/optimized/node_named.hpp"
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
    return node_named("n" + std::to_string(i), 1000 + static_cast<Quantity>(i));
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

constexpr std::size_t k_places = optimized::PlaceTable::k_places;

/// A snapshot with n0, n1 and so on, and the table of its nodes in this order.
struct SmallTable {
  explicit SmallTable(std::size_t nodes, const Release& asked = release("v1.34")) : snapshot(asked) {
    for (std::size_t i = 0; i < nodes; ++i) {
      snapshot.add_node(node_named("n" + std::to_string(i), 1000));
      order.push_back(i);
    }
    table.read_all(snapshot.tables(), order);
  }
  /// Adds a pod to n0.
  void add(Pod made) {
    made.node_name = "n0";
    snapshot.add_pod(made);
    table.read(snapshot.tables(), 0, 0);
  }

  optimized::Snapshot snapshot;
  std::vector<NodeIndex> order;
  optimized::PlaceTable table;
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

// A column has 64 places. Those after the last node have the amount 1.
TEST(SmallPlaceTable, HasOnesAfterTheLastNode) {
  constexpr std::size_t k_nodes = 3;
  const SmallTable made(k_nodes);
  for (const bool with_defaults : {false, true}) {
    const optimized::LoadColumns columns = made.table.columns(0, with_defaults);
    for (std::size_t i = k_nodes; i < k_places; ++i) {
      ASSERT_EQ(columns.cpu[i], 1.0) << i;
      ASSERT_EQ(columns.memory[i], 1.0) << i;
      ASSERT_EQ(columns.used_cpu[i], 1.0) << i;
      ASSERT_EQ(columns.used_memory[i], 1.0) << i;
    }
  }
}

// SCORE-REQUESTS-1: a pod that requests no cpu counts with 100 milli-CPU for scores, and with none for
// filters.
TEST(SmallPlaceTable, HasTheDefaultsOfCpu) {
  SmallTable made(1);
  Pod without = pod("a", 0, 0);
  without.containers[0].requests.clear();
  made.add(without);
  EXPECT_EQ(made.table.columns(0, false).used_cpu[0], 0.0);
  EXPECT_EQ(made.table.columns(0, true).used_cpu[0], 100.0);
}

// SCORE-REQUESTS-2: scores add up only the containers, and filters also count the init container. One of the
// two amounts is too large for a column, or negative.
TEST(SmallPlaceTable, LeavesOutNodesForFiltersAndForScoresAlike) {
  struct Case {
    Quantity container;
    Quantity init;
  };
  Release asked = release("v1.34");
  asked.scored_requests_on_node = ScoredRequests::containers;
  for (const auto& [container, init] : {Case{0, Quantity{1} << 45}, Case{-1, 5}}) {
    SmallTable made(1, asked);
    Pod both = pod("a", 0, 0);
    both.containers[0].requests["memory"] = container;
    both.init_containers.push_back({"i", {{"memory", init}}, {}, false});
    made.add(both);
    for (const bool with_defaults : {false, true})
      EXPECT_EQ(made.table.columns(0, with_defaults).left_out, 1U) << init << with_defaults;
  }
}

// Amounts of 1 are the smallest, and those of 2^45 - 1 the largest that a column may have.
TEST(SmallPlaceTable, HasTheSmallestAndTheLargestAmounts) {
  SmallTable made(1);
  Node tiny = node_named("n0", 1);
  tiny.allocatable["memory"] = 1;
  made.snapshot.change_node(0, tiny);
  made.table.read(made.snapshot.tables(), 0, 0);
  EXPECT_EQ(made.table.columns(0, false).left_out, 0U);
  constexpr Quantity k_limit = Quantity{1} << 45;
  for (const Quantity amount : {Quantity{0}, Quantity{1}, k_limit - 1})
    EXPECT_TRUE(optimized::are_small_amounts(amount)) << amount;
  for (const Quantity amount : {Quantity{-1}, k_limit, -k_limit})
    EXPECT_FALSE(optimized::are_small_amounts(amount)) << amount;
}

// 64 nodes fill one word of six columns, and one of two sets of bits.
TEST(SmallPlaceTable, TakesNoMoreThanItsPlaces) {
  const SmallTable made(k_places);
  EXPECT_EQ(made.table.bytes(), 6 * k_places * sizeof(double) + 2 * sizeof(std::uint64_t));
}

}  // namespace touchstone::tests::place_table_test
