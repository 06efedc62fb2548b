#include "optimized/search/workers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

/// A pool of threads does each part of the work once.
namespace touchstone::tests::workers_test {

TEST(Workers, AreAsManyAsWanted) {
  EXPECT_EQ(optimized::Workers(1).count(), 1U);
  EXPECT_EQ(optimized::Workers(3).count(), 3U);
  EXPECT_GE(optimized::Workers().count(), 1U);
}

// Without a number there is a thread for each core, and one where the number of cores is not known.
TEST(Workers, AreAsManyAsCores) {
  EXPECT_EQ(optimized::Workers(0).count(), std::max(1U, std::thread::hardware_concurrency()));
}

TEST(Workers, DoEachPartOnceInEachRound) {
  optimized::Workers workers(3);
  std::vector<int> done(3, 0);
  for (int round = 1; round <= 3; ++round) {
    workers.run([&done](std::size_t number) { done[number] += 1; });
    EXPECT_EQ(done, std::vector<int>(3, round));
  }
}

// Fewer than 512 nodes are handled by one thread.
TEST(Workers, TakeEachNodeOnce) {
  optimized::Workers workers(3);
  for (const std::size_t nodes : {0U, 1U, 511U, 512U, 1000U}) {
    std::vector<int> seen(nodes, 0);
    optimized::for_each_node(workers, nodes, [&seen](std::size_t node) { seen[node] += 1; });
    EXPECT_EQ(seen, std::vector<int>(nodes, 1));
  }
}

}  // namespace touchstone::tests::workers_test
