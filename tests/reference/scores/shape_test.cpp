#include "reference/scores/shape.hpp"

#include <gtest/gtest.h>

#include "tests/support/builder.hpp"

namespace touchstone::tests::shape_test {

namespace {

const std::vector<ShapePoint> k_rising = {{20, 1}, {50, 3}, {80, 10}};
const std::vector<ShapePoint> k_falling = {{0, 10}, {70, 0}};

Quantity score(const std::vector<ShapePoint>& shape, Quantity utilization, std::string_view name = "v1.37") {
  return reference::score_on_shape(shape, utilization, release(name));
}

}  // namespace

// SCORE-STRATEGY-3, SCORE-CAPACITY-1
TEST(Shape, GivesTheScoreOfThePointScaledToTheHighestScore) {
  EXPECT_EQ(score(k_rising, 20), 10);
  EXPECT_EQ(score(k_rising, 50), 30);
  EXPECT_EQ(score(k_rising, 80), 100);
  EXPECT_EQ(score(k_rising, 50, "v1.16"), 3);
}

// SCORE-STRATEGY-3, SCORE-CAPACITY-1
TEST(Shape, IsFlatOutsideItsPoints) {
  EXPECT_EQ(score(k_rising, 0), 10);
  EXPECT_EQ(score(k_rising, 100), 100);
  EXPECT_EQ(score({{50, 4}}, 0), 40);
  EXPECT_EQ(score({{50, 4}}, 100), 40);
}

// SCORE-STRATEGY-3, SCORE-CAPACITY-1
TEST(Shape, TruncatesTheRiseBetweenTwoPointsTowardZero) {
  EXPECT_EQ(score(k_rising, 33), 10 + 20 * 13 / 30);
  EXPECT_EQ(score(k_rising, 51), 32);  // 30 + 2.33
  EXPECT_EQ(score(k_falling, 1), 99);  // 100 - 1.43
  EXPECT_EQ(score(k_falling, 69), 2);  // 100 - 98.57
}

}  // namespace touchstone::tests::shape_test
