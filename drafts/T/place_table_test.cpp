// tests/optimized/store/place_table_test.cpp
#include "optimized/store/place_table.hpp"

#include <gtest/gtest.h>

#include <string>

#include "optimized/store/snapshot.hpp"
#include "tests/optimized/node_named.hpp"
#include "tests/support/builder.hpp"

namespace touchstone::tests::place_table_test {

namespace {

constexpr std::size_t k_places = optimized::PlaceTable::k_places;

/// A snapshot with n0, n1 and so on, and the table of its nodes in this order.
struct Table {
  explicit Table(std::size_t nodes, const Release& asked = release("v1.34")) : snapshot(asked) {
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

TEST(PlaceTable, HasOnesBehindTheLastPlace) {
  constexpr std::size_t k_nodes = 3;
  const Table made(k_nodes);
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
TEST(PlaceTable, HasTheDefaultsOfCpu) {
  Table made(1);
  Pod without = pod("a", 0, 0);
  without.containers[0].requests.clear();
  made.add(without);
  EXPECT_EQ(made.table.columns(0, false).used_cpu[0], 0.0);
  EXPECT_EQ(made.table.columns(0, true).used_cpu[0], 100.0);
}

// SCORE-REQUESTS-2: scores add up the containers alone, filters count the init container too. The amount of
// one of the two is too large for a column, or negative.
TEST(PlaceTable, LeavesOutNodesWithoutRegardToWhoReadsTheAmount) {
  struct Case {
    Quantity container;
    Quantity init;
  };
  Release asked = release("v1.34");
  asked.scored_requests_on_node = ScoredRequests::containers;
  for (const auto& [container, init] : {Case{0, Quantity{1} << 45}, Case{-1, 5}}) {
    Table made(1, asked);
    Pod both = pod("a", 0, 0);
    both.containers[0].requests["memory"] = container;
    both.init_containers.push_back({"i", {{"memory", init}}, {}, false});
    made.add(both);
    for (const bool with_defaults : {false, true})
      EXPECT_EQ(made.table.columns(0, with_defaults).left_out, 1U) << init << with_defaults;
  }
}

// Amounts of 1 are the smallest, and those of 2^45 - 1 the largest that a column may have.
TEST(PlaceTable, HasTheSmallestAndTheLargestAmounts) {
  Table made(1);
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
TEST(PlaceTable, TakesNoMoreThanItsPlaces) {
  const Table made(k_places);
  EXPECT_EQ(made.table.bytes(), 6 * k_places * sizeof(double) + 2 * sizeof(std::uint64_t));
}

}  // namespace touchstone::tests::place_table_test
