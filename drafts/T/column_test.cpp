// tests/optimized/store/column_test.cpp
#include "optimized/store/column.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace touchstone::tests::column_test {

// A column that was moved from has no cells, so its next cell needs new memory.
TEST(Column, TakesItsCapacityAlongWhenItIsMoved) {
  optimized::Column<std::uint64_t> from;
  from.resize(800);
  optimized::Column<std::uint64_t> to;
  to = std::move(from);
  EXPECT_EQ(to.capacity(), 900U);
  ASSERT_EQ(from.capacity(), 0U);  // NOLINT(bugprone-use-after-move)
  from.push_back(7);
  EXPECT_EQ(from[0], 7U);
}

}  // namespace touchstone::tests::column_test
