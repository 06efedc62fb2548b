// tests/optimized/store/rows_test.cpp
#include "optimized/store/rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace touchstone::tests::rows_test {

// A range that moves reserves half as much again. The columns are packed once more than half of their rows
// are left behind. A column reserves an eighth more. So all columns take less than 3.5 times what their cells
// need.
TEST(Rows, WasteLessThanTheyUseWhileTheyGrow) {
  constexpr std::size_t k_owners = 8;
  constexpr std::size_t k_rows_of_owner = 10'000;
  constexpr std::size_t k_small = 500;  // rows of an owner; smaller columns are not packed
  constexpr std::size_t k_row = sizeof(int) + sizeof(std::int64_t);
  optimized::Rows<int, std::int64_t> rows;
  for (std::size_t owner = 0; owner < k_owners; ++owner) rows.add_owner();
  double most = 0;
  for (std::size_t i = 0; i < k_rows_of_owner; ++i) {
    for (std::size_t owner = 0; owner < k_owners; ++owner) rows.insert(owner, i, 1, 2);
    const auto needed = static_cast<double>(k_owners * (i + 1) * k_row);
    if (i >= k_small) most = std::max(most, static_cast<double>(rows.bytes()) / needed);
  }
  EXPECT_LT(most, 3.5);
}

}  // namespace touchstone::tests::rows_test
