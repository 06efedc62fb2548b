// tests/optimized/search/host_test.cpp (new cases)
#include "optimized/search/host.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "optimized/search/ranking.hpp"

namespace touchstone::tests::host_test {

namespace {

using Places = std::vector<std::size_t>;

Places places_of(std::size_t number, std::uint64_t word) {
  Places places;
  optimized::PlaceSet::for_each(number, word, [&places](std::size_t place) { places.push_back(place); });
  return places;
}

}  // namespace

TEST(PlaceSet, ListsThePlacesOfAWord) {
  Places all(64);
  std::iota(all.begin(), all.end(), std::size_t{64});
  EXPECT_EQ(places_of(1, ~std::uint64_t{0}), all);
  all.erase(all.begin());
  EXPECT_EQ(places_of(1, ~std::uint64_t{1}), all);
  EXPECT_EQ(places_of(2, 5), (Places{128, 130}));
}

// A memo counts them for its limit: a bit for each place; a total for each place, and one for each word.
TEST(PlaceSet, TakesABitForEachPlace) {
  EXPECT_EQ(optimized::PlaceSet(6400).bytes(), 800U);
  EXPECT_EQ(optimized::Ranking(6400).bytes(), 8 * (6400U + 100U));
}

// Words of places are skipped by their highest total. The word of place 64 has one feasible place, its first.
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

}  // namespace touchstone::tests::host_test
