#include "reference/cycle/host.hpp"

#include <gtest/gtest.h>

namespace touchstone::tests::host_test {

using reference::best_nodes;
using reference::heap_root;
using reference::Nodes;

// CYC-HOST-1, CYC-HOST-2, CYC-HOST-3
TEST(BestNodes, AreAllNodesWithTheHighestTotalInTheOrderOfTheCluster) {
  EXPECT_EQ(best_nodes({2, 0, 1}, {7, 7, 5}), (Nodes{0, 2}));
  EXPECT_EQ(best_nodes({4}, {0}), (Nodes{4}));
}

// CYC-HOST-4
TEST(HeapRoot, IsTheFirstNodeIfAllTotalsAreEqual) { EXPECT_EQ(heap_root({3, 1, 2}, {5, 5, 5}), 3U); }

// CYC-HOST-4
TEST(HeapRoot, FollowsFromTheConstructionOfTheHeap) {
  EXPECT_EQ(heap_root({0, 1, 2}, {1, 5, 5}), 1U);
  EXPECT_EQ(heap_root({0, 1, 2, 3}, {1, 1, 5, 5}), 3U);
  EXPECT_EQ(heap_root({0, 1, 2, 3, 4}, {1, 5, 1, 5, 5}), 1U);
  EXPECT_EQ(heap_root({0, 1, 2, 3, 4, 5, 6}, {1, 1, 1, 5, 5, 5, 5}), 3U);
}

// CYC-HOST-4
TEST(HeapRoot, HasTheHighestTotal) {
  EXPECT_EQ(heap_root({0, 1, 2, 3, 4, 5}, {1, 2, 3, 4, 5, 6}), 5U);
  EXPECT_EQ(heap_root({0, 1, 2, 3}, {9, 2, 3, 4}), 0U);
  EXPECT_EQ(heap_root({6}, {0}), 6U);
  EXPECT_EQ(heap_root({0, 1}, {0, 1}), 1U);
}

}  // namespace touchstone::tests::host_test
