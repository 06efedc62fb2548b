#include "optimized/search/host.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "optimized/search/ranking.hpp"
#include "reference/cycle/host.hpp"

namespace touchstone::tests::optimized_host_test {

namespace {

std::vector<NodeIndex> first_nodes(std::size_t count) {
  std::vector<NodeIndex> nodes(count);
  std::iota(nodes.begin(), nodes.end(), NodeIndex{0});
  return nodes;
}

using Places = std::vector<std::size_t>;

Places places_of(std::size_t number, std::uint64_t word) {
  Places places;
  optimized::PlaceSet::for_each(number, word, [&places](std::size_t place) { places.push_back(place); });
  return places;
}

}  // namespace

// CYC-HOST-4: the four totals of the clause, and random ones against a heap that is built.
TEST(OptimizedHost, IsTheRootOfAHeap) {
  EXPECT_EQ(optimized::heap_root(first_nodes(4), {1, 1, 5, 5}), 3u);
  std::mt19937_64 random(1);
  for (std::size_t count = 1; count < 90; ++count) {
    const std::vector<NodeIndex> nodes = first_nodes(count);
    for (std::size_t i = 0; i < 200; ++i) {
      std::vector<Quantity> totals;
      for (std::size_t k = 0; k < count; ++k) totals.push_back(static_cast<Quantity>(random() % (2 + i % 9)));
      ASSERT_EQ(optimized::heap_root(nodes, totals), reference::heap_root(nodes, totals)) << count;
    }
  }
}

// CYC-HOST-1 to CYC-HOST-3
TEST(OptimizedHost, IsOneOfTheBestInTheOrderOfTheCluster) {
  EXPECT_EQ(optimized::best_nodes(std::vector<NodeIndex>{7, 3, 5}, {4, 2, 4}),
            (std::vector<NodeIndex>{5, 7}));
}

TEST(Ranks, NumberPlacesFromTheStartOn) {
  optimized::PlaceSet places(200);
  for (const std::size_t place : std::vector<std::size_t>{0, 63, 64, 130, 199}) places.set(place, true);
  const optimized::Ranks ranks(places, 64);
  EXPECT_EQ(ranks.count(), 5u);
  const std::vector<std::size_t> in_order = {64, 130, 199, 0, 63};
  for (std::size_t i = 0; i < in_order.size(); ++i) {
    EXPECT_EQ(ranks.place(i), in_order[i]);
    EXPECT_EQ(ranks.rank(in_order[i]), i);
  }
  const optimized::Ranks from_last(places, 199);
  EXPECT_EQ(from_last.place(0), 199u);
  EXPECT_EQ(from_last.rank(0), 1u);
}

TEST(Ranking, KeepsTheHighestTotalOfFeasiblePlaces) {
  optimized::PlaceSet feasible(130);
  optimized::Ranking ranking(130);
  const auto rank = [&](std::size_t place, bool is_feasible, Quantity total) {
    feasible.set(place, is_feasible);
    ranking.set(place, total);
    ranking.refresh(place / optimized::PlaceSet::k_bits, feasible);
  };
  const auto with_highest = [&] {
    std::vector<std::size_t> places;
    ranking.for_each_with(ranking.highest(feasible), feasible,
                          [&places](std::size_t place) { places.push_back(place); });
    return places;
  };
  rank(5, true, -3);
  EXPECT_EQ(with_highest(), std::vector<std::size_t>{5});
  rank(129, true, 9);
  rank(70, true, 9);
  EXPECT_EQ(with_highest(), (std::vector<std::size_t>{70, 129}));
  rank(70, true, 2);
  rank(129, false, 9);
  EXPECT_EQ(ranking.highest(feasible), 2);
  EXPECT_EQ(with_highest(), std::vector<std::size_t>{70});
}

TEST(PlaceSet, ListsThePlacesOfAWord) {
  Places all(64);
  std::iota(all.begin(), all.end(), std::size_t{64});
  EXPECT_EQ(places_of(1, ~std::uint64_t{0}), all);
  all.erase(all.begin());
  EXPECT_EQ(places_of(1, ~std::uint64_t{1}), all);
  EXPECT_EQ(places_of(2, 5), (Places{128, 130}));
}

// A memo counts these bytes for its limit. A PlaceSet has a bit for each place. A Ranking has a total of 8
// bytes for each place, and one for each word of 64 places.
TEST(PlaceSet, TakesABitForEachPlace) {
  EXPECT_EQ(optimized::PlaceSet(6400).bytes(), 800U);
  EXPECT_EQ(optimized::Ranking(6400).bytes(), 8 * (6400U + 100U));
}

// Words of places are skipped by their highest total. The word of place 64 has one feasible place, its first.
// The last argument of places_with() is the most places that it lists.
TEST(Ranking, FindsThePlacesWithATotal) {
  optimized::PlaceSet feasible(64'000);
  optimized::Ranking ranking(64'000);
  const std::vector<std::pair<std::size_t, Quantity>> totals = {{3, 9},   {5, 2},   {64, 9},
                                                                {128, 2}, {129, 2}, {130, 1}};
  for (const auto& [place, total] : totals) {
    feasible.set(place, true);
    ranking.set(place, total);
  }
  for (std::size_t word = 0; word < feasible.words(); ++word) ranking.refresh(word, feasible);
  Places with_two;
  ranking.for_each_with(2, feasible, [&with_two](std::size_t place) { with_two.push_back(place); });
  EXPECT_EQ(with_two, (Places{5, 128, 129}));
  EXPECT_EQ(ranking.places_with(2, feasible, 9), (Places{5, 128, 129}));
  EXPECT_EQ(ranking.places_with(2, feasible, 2), (Places{5, 128}));
  EXPECT_EQ(ranking.places_with(2, feasible, 1), Places{5});
  EXPECT_TRUE(ranking.has_between(3, 3, 9, feasible));
  EXPECT_TRUE(ranking.has_between(4, 200, 9, feasible));
  EXPECT_FALSE(ranking.has_between(0, 2, 9, feasible));
  EXPECT_FALSE(ranking.has_between(4, 63, 9, feasible));
  EXPECT_FALSE(ranking.has_between(65, 63'999, 9, feasible));
}

}  // namespace touchstone::tests::optimized_host_test
