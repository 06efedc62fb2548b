// tests/optimized/search/workers_test.cpp
#include "optimized/search/workers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

namespace touchstone::tests::workers_more_test {

// Without a number there is a thread for each core, and one where the number of cores is not known.
TEST(Workers, AreAsManyAsCores) {
  EXPECT_EQ(optimized::Workers(0).count(), std::max(1U, std::thread::hardware_concurrency()));
}

}  // namespace touchstone::tests::workers_more_test
