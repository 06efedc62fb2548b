#include "reference/scores/go_numbers.hpp"

#include <gtest/gtest.h>

namespace touchstone::tests::go_numbers_test {

using reference::go_difference;
using reference::go_float;
using reference::go_integer;
using reference::go_product;
using reference::go_sum;

namespace {

constexpr Quantity k_largest = std::numeric_limits<Quantity>::max();
constexpr Quantity k_smallest = std::numeric_limits<Quantity>::min();

}  // namespace

TEST(GoNumbers, WrapAround) {
  EXPECT_EQ(go_sum(2, 3), 5);
  EXPECT_EQ(go_sum(k_largest, 1), k_smallest);
  EXPECT_EQ(go_difference(2, 3), -1);
  EXPECT_EQ(go_difference(k_smallest, 1), k_largest);
  EXPECT_EQ(go_product(2, 3), 6);
  EXPECT_EQ(go_product(k_largest, 2), -2);
}

TEST(GoNumbers, TruncateFloatsTowardZero) {
  EXPECT_EQ(go_integer(2.9), 2);
  EXPECT_EQ(go_integer(-2.9), -2);
  EXPECT_EQ(go_integer(go_float(1) / go_float(3) * 100), 33);
}

TEST(GoNumbers, GiveTheSmallestIntegerForAFloatThatDoesNotFit) {
  EXPECT_EQ(go_integer(std::numeric_limits<double>::quiet_NaN()), k_smallest);
  EXPECT_EQ(go_integer(std::numeric_limits<double>::infinity()), k_smallest);
  EXPECT_EQ(go_integer(go_float(k_largest)), k_smallest);  // rounded up to 2^63
  EXPECT_EQ(go_integer(-1e300), k_smallest);
  EXPECT_EQ(go_integer(go_float(k_smallest)), k_smallest);
}

}  // namespace touchstone::tests::go_numbers_test
