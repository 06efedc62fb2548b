#include "optimized/store/go_numbers.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "reference/scores/go_numbers.hpp"

/// Arithmetic beyond 64 bits has the results of the reference, which are those of Go.
namespace touchstone::tests::optimized_go_numbers_test {

namespace {

constexpr Quantity k_largest = std::numeric_limits<Quantity>::max();
constexpr Quantity k_smallest = std::numeric_limits<Quantity>::min();

}  // namespace

TEST(OptimizedGoNumbers, WrapAroundAsThoseOfTheReference) {
  for (const Quantity a : {k_smallest, k_smallest + 1, Quantity{-7}, Quantity{0}, Quantity{3}, k_largest}) {
    for (const Quantity b : {k_smallest, Quantity{-1}, Quantity{0}, Quantity{2}, k_largest}) {
      EXPECT_EQ(optimized::go::sum(a, b), reference::go_sum(a, b)) << a << " " << b;
      EXPECT_EQ(optimized::go::product(a, b), reference::go_product(a, b)) << a << " " << b;
      EXPECT_EQ(optimized::go::sum(optimized::go::difference(a, b), b), a) << a << " " << b;
    }
  }
}

TEST(OptimizedGoNumbers, AreTruncatedAsThoseOfTheReference) {
  const double limit = std::ldexp(1.0, 63);
  const std::vector<double> values = {0.0,
                                      -0.9,
                                      2.9,
                                      -2.9,
                                      limit,
                                      -limit,
                                      std::nextafter(limit, 0.0),
                                      std::nextafter(-limit, 0.0),
                                      std::nextafter(-limit, -2 * limit),
                                      1e300,
                                      -1e300,
                                      std::numeric_limits<double>::infinity(),
                                      -std::numeric_limits<double>::infinity(),
                                      std::numeric_limits<double>::quiet_NaN()};
  for (const double value : values)
    EXPECT_EQ(optimized::go::integer(value), reference::go_integer(value)) << value;
}

}  // namespace touchstone::tests::optimized_go_numbers_test
