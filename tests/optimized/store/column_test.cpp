#include "optimized/store/column.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace touchstone::optimized {

TEST(Column, KeepsItsCellsWhileItGrowsAndIsPacked) {
  constexpr std::size_t k_cells = 200'000;
  Column<std::uint64_t> column;
  for (std::size_t i = 0; i < k_cells; ++i) column.push_back(i * i);
  EXPECT_LE(column.capacity(), k_cells + k_cells / 8);
  column.resize(k_cells / 2);
  column.pack();
  EXPECT_EQ(column.capacity(), k_cells / 2);
  ASSERT_EQ(column.size(), k_cells / 2);
  for (std::size_t i = 0; i < column.size(); ++i) ASSERT_EQ(column[i], i * i);
}

// Only if the cells do not fit any more.
TEST(Column, ReservesAnEighthMoreThanAsked) {
  Column<std::uint64_t> column;
  column.resize(800);
  EXPECT_EQ(column.capacity(), 900u);
  column.resize(900);
  EXPECT_EQ(column.capacity(), 900u);
  column.resize(904);
  EXPECT_EQ(column.capacity(), 1017u);
}

TEST(Column, IsEmptyAfterItWasMoved) {
  Column<std::uint32_t> from;
  from.push_back(7);
  Column<std::uint32_t> to;
  to.push_back(8);
  to = std::move(from);
  ASSERT_EQ(to.size(), 1u);
  EXPECT_EQ(to[0], 7u);
  EXPECT_EQ(from.size(), 0u);  // NOLINT(bugprone-use-after-move)
  from.pack();
  from.push_back(9);
  EXPECT_EQ(from[0], 9u);
}

// A column reserves an eighth more than its cells: 900 for 800. A column that was moved from has no cells, so
// its next cell needs new memory.
TEST(Column, TakesItsCapacityAlongWhenItIsMoved) {
  Column<std::uint64_t> from;
  from.resize(800);
  Column<std::uint64_t> to;
  to = std::move(from);
  EXPECT_EQ(to.capacity(), 900U);
  ASSERT_EQ(from.capacity(), 0U);  // NOLINT(bugprone-use-after-move)
  from.push_back(7);
  EXPECT_EQ(from[0], 7U);
}

TEST(Column, MayBePackedWithoutCells) {
  Column<std::uint8_t> column;
  column.push_back(1);
  column.resize(0);
  column.pack();
  EXPECT_EQ(column.begin(), column.end());
  column.push_back(2);
  EXPECT_EQ(column[0], 2);
}

}  // namespace touchstone::optimized
