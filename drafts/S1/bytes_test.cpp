// tests/optimized/store/bytes_test.cpp (new cases; the helpers are those of the file)
#include <gtest/gtest.h>
#include <malloc.h>

#include <optional>

#include "optimized/filters/affinity.hpp"
#include "optimized/filters/spread.hpp"
#include "optimized/filters/volumes.hpp"
#include "optimized/search/memo.hpp"
#include "optimized/search/schedule.hpp"
#include "tests/optimized/node_named.hpp"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/allocator_interface.h>
#define TOUCHSTONE_SANITIZED_HEAP
#endif
#endif

namespace touchstone::tests::bytes_test {

namespace {

std::size_t heap_bytes() {
#ifdef TOUCHSTONE_SANITIZED_HEAP
  return __sanitizer_get_current_allocated_bytes();
#else
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
#endif
}

template <typename F>
double growth(const F& build) {
  const std::size_t before = heap_bytes();
  build();
  return static_cast<double>(heap_bytes()) - static_cast<double>(before);
}

void expect_close(std::size_t stated, double taken, double share, const std::string& what) {
  EXPECT_NEAR(static_cast<double>(stated), taken, share * taken) << what;
}

/// Ratings of `places` places, which are the nodes of a snapshot in turn. Expects that bytes() is close to
/// what they take from the heap, before and after all places are rated.
void expect_close_ratings(const optimized::Snapshot& snapshot, const Pod& asking, std::size_t places,
                          double share) {
  optimized::Workers workers(1);
  const optimized::Query query(snapshot.tables(), asking, workers);
  std::vector<optimized::WeightedNodeScorer> scorers;
  for (const WeightedScorer& weighted : query.release.scorers) {
    optimized::MadeScorer scorer = optimized::scorer_for(weighted.scorer, query, {}, workers);
    if (scorer) scorers.push_back({weighted, std::move(scorer)});
  }
  std::vector<NodeIndex> order(places);
  for (std::size_t i = 0; i < places; ++i) order[i] = i % snapshot.tables().nodes.size();
  optimized::PlaceTable table;
  table.read_all(query.tables, order);
  const optimized::RatingQuery asked{query, scorers, order, table};
  std::optional<optimized::KeptRatings> ratings;
  double taken = growth([&] { ratings.emplace(asked); });
  expect_close(ratings->bytes(), taken, share, "not rated");
  taken += growth([&] { ratings->rate_all(asked, workers); });
  expect_close(ratings->bytes(), taken, share, "rated");
}

}  // namespace

// A memo keeps a table of the nodes, and ratings for each kind of pod. The memory of the ratings has a limit.
TEST(Bytes, OfAMemoAreThoseOfTheHeap) {
  constexpr std::size_t k_nodes = 20'000;
  optimized::Workers workers(1);
  optimized::Snapshot snapshot(release("v1.34"));
  for (std::size_t i = 0; i < k_nodes; ++i) snapshot.add_node(node_named("n" + std::to_string(i), 4000));
  const auto place = [&](Quantity cpu, optimized::Memo& memo) {
    CanonicalChoices choices;
    optimized::schedule(snapshot, pod("p", 10, cpu), {}, workers, choices, memo);
  };
  optimized::Memo first;
  place(100, first);  // after it, the heap has the lists that a cycle makes and frees
  optimized::Memo memo;
  double taken = growth([&] { place(100, memo); });
  expect_close(memo.bytes(), taken, 0.03, "one kind");
  taken += growth([&] { place(200, memo); });
  expect_close(memo.bytes(), taken, 0.03, "two kinds");
}

// For each place: 4 bits, a sum, a raw score for each scaled score, and a total. Many places have the same
// raw score, or each has another one: then most of the memory is for the distribution of raw scores, of which
// bytes() gives an estimate.
TEST(Bytes, OfRatingsAreThoseOfTheHeap) {
  constexpr std::size_t k_bits = 10;
  optimized::Snapshot snapshot(release("v1.34"));
  Pod asking = pod("p", 10, 100);
  for (std::size_t i = 0; i < std::size_t{1} << k_bits; ++i) {
    Node node = node_named("n" + std::to_string(i), 4000);
    for (std::size_t bit = 0; bit < k_bits; ++bit) {
      if ((i >> bit & 1) != 0) node.labels["l" + std::to_string(bit)] = "";
    }
    snapshot.add_node(node);
  }
  expect_close_ratings(snapshot, asking, 320'000, 0.005);
  for (std::size_t bit = 0; bit < k_bits; ++bit)
    asking.preferred_node_affinity.push_back(
        {Quantity{1} << bit, {{{"l" + std::to_string(bit), "Exists", {}}}, {}}});
  expect_close_ratings(snapshot, asking, std::size_t{1} << k_bits, 0.3);
  asking.preferred_node_affinity.resize(1);
  expect_close_ratings(snapshot, asking, 320'000, 0.005);
}

}  // namespace touchstone::tests::bytes_test
