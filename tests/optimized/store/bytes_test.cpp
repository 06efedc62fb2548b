#include <gtest/gtest.h>
#include <malloc.h>

#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "optimized/filters/affinity.hpp"
#include "optimized/filters/spread.hpp"
#include "optimized/filters/volumes.hpp"
#include "optimized/search/memo.hpp"
#include "optimized/search/schedule.hpp"
#include "optimized/store/snapshot.hpp"
#include "tests/optimized/node_named.hpp"
#include "tests/optimized/store/usual_uid.hpp"
#include "tests/support/storage.hpp"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/allocator_interface.h>
#define TOUCHSTONE_SANITIZED_HEAP
#endif
#endif

/// bytes() of a table is close to the memory that it takes from malloc().
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

/// By how many bytes the heap grows while `build` runs.
template <typename F>
double growth(const F& build) {
  const std::size_t before = heap_bytes();
  build();
  return static_cast<double>(heap_bytes()) - static_cast<double>(before);
}

/// Expects that two numbers of bytes differ by less than this share.
void expect_close(std::size_t stated, double taken, double share, const std::string& what) {
  EXPECT_NEAR(static_cast<double>(stated), taken, share * taken) << what;
}

/// The part of Snapshot::bytes() that is for the table of nodes.
std::size_t bytes_of_nodes(const optimized::Snapshot& snapshot) {
  const optimized::Tables& tables = snapshot.tables();
  return snapshot.bytes() - tables.pods.bytes() - tables.names.bytes() - tables.classes.bytes() -
         tables.images.bytes() - tables.changes.bytes() -
         tables.where.capacity() * sizeof(optimized::PodPlacement) -
         tables.node_of.capacity() * sizeof(std::uint32_t);
}

/// Ratings of `places` places, which are the nodes of a snapshot in turn. Expects that bytes() is close to
/// what they take from the heap, before and after all places are rated. `share`: the largest difference.
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

// AddressSanitizer ends the program in this case.
#ifndef TOUCHSTONE_SANITIZED_HEAP
TEST(Column, ThrowsIfNoMachineHasTheMemory) {
  optimized::Column<char> column;
  EXPECT_THROW(column.resize(std::numeric_limits<std::size_t>::max() / 4), std::bad_alloc);
}
#endif

// A column that is destroyed or replaced gives its memory back.
TEST(Bytes, OfColumnsAreGivenBack) {
  constexpr std::size_t k_cells = 1 << 20;
  const double taken = growth([] {
    for (int i = 0; i < 8; ++i) {
      optimized::Column<char> column;
      optimized::Column<char> other;
      column.resize(k_cells);
      other.resize(k_cells);
      other = std::move(column);
      other[0] = 'a';
    }
  });
  EXPECT_LT(taken, static_cast<double>(k_cells));
}

// Names of a few workloads share their prefixes. With 4,000 workloads, 40,000 pods have more prefixes than
// PodNames stores.
TEST(Bytes, OfNamesAreThoseOfTheHeap) {
  constexpr std::size_t k_pods = 40'000;
  const std::string prefix = "web-" + std::string(150, 'x') + "-";
  for (const std::size_t workloads : {10U, 4'000U}) {
    std::vector<Pod> pods;
    for (std::size_t i = 0; i < k_pods; ++i) {
      const std::string workload = std::to_string(1'000 + i % workloads);
      pods.push_back(with_uid(pod(prefix + workload + "-abcde", 0, 100), usual_uid(i)));
    }
    optimized::PodNames names;
    const double taken = growth([&] {
      for (const Pod& each : pods) names.add(each, 0);
    });
    expect_close(names.bytes(), taken, 0.04, std::to_string(workloads) + " workloads");
  }
}

TEST(Bytes, OfRowsAreThoseOfTheHeap) {
  constexpr std::size_t k_nodes = 10'000;
  constexpr std::size_t k_pods = 10;
  optimized::PodTable table;
  double taken = growth([&table] {
    for (NodeIndex node = 0; node < k_nodes; ++node) table.add_node();
  });
  expect_close(table.bytes(), taken, 0.03, "nodes");
  taken += growth([&table] {
    for (NodeIndex node = 0; node < k_nodes; ++node) {
      for (std::size_t i = 0; i < k_pods; ++i) {
        optimized::PodRow row;
        row.priority = static_cast<Quantity>(i % 5);
        table.insert(node, row, [](const auto& a, const auto& b) { return a.priority > b.priority; });
      }
    }
  });
  expect_close(table.bytes(), taken, 0.03, "nodes and pods");
}

// Each node has a list of images of its own.
TEST(Bytes, OfImagesAreThoseOfTheHeap) {
  constexpr std::size_t k_nodes = 1'000;
  optimized::Symbols symbols;
  std::vector<NodeImage> images;
  for (std::size_t i = 0; i < 128; ++i) {
    images.push_back({{"image-" + std::to_string(i)}, 1});
    symbols.add(images.back().names[0]);
  }
  optimized::Images table;
  const double taken = growth([&] {
    for (NodeIndex node = 0; node < k_nodes; ++node) {
      for (NodeImage& image : images) image.size += 1;
      table.add_node();
      table.set(node, images, symbols);
    }
  });
  expect_close(table.bytes(), taken, 0.03, "images");
}

// Nodes without images, and one node with many images.
TEST(Bytes, OfNodesWithoutImagesAndOfImagesAreThoseOfTheHeap) {
  constexpr std::size_t k_nodes = 65'536;
  optimized::Images without;
  double taken = growth([&without] {
    for (std::size_t i = 0; i < k_nodes; ++i) without.add_node();
  });
  expect_close(without.bytes(), taken, 0.03, "nodes without images");

  constexpr std::size_t k_images = 16'384;
  optimized::Symbols symbols;
  std::vector<NodeImage> images;
  for (std::size_t i = 0; i < k_images; ++i) {
    images.push_back({{"image-" + std::to_string(i)}, 1});
    symbols.add(images.back().names[0]);
  }
  optimized::Images with;
  with.add_node();
  taken = growth([&] { with.set(0, images, symbols); });
  expect_close(with.bytes(), taken, 0.2, "images");
}

// Each pod is of a class of its own.
TEST(Bytes, OfClassesAreThoseOfTheHeap) {
  constexpr std::size_t k_classes = 4'096;
  optimized::Symbols symbols;
  std::vector<Pod> pods;
  for (std::size_t i = 0; i < k_classes; ++i) {
    pods.push_back(pod("a", 0, 1));
    pods.back().ns = "namespace-" + std::to_string(i);
    symbols.add(pods.back().ns);
  }
  const Release asked = release("v1.34");
  optimized::PodClasses classes;
  const double taken = growth([&] {
    for (const Pod& each : pods) classes.find_or_add(each, asked, symbols);
  });
  expect_close(classes.bytes(), taken, 0.15, "classes");
}

// The columns of nodes alone, and then with each of the lists that a node may have.
TEST(Bytes, OfNodesAreThoseOfTheHeap) {
  constexpr std::size_t k_nodes = 400;
  constexpr std::size_t k_long = 64;
  Pod with_resources = pod("a", 0, 0);
  Labels labels;
  for (std::size_t i = 0; i < k_long; ++i) {
    with_resources.containers[0].requests["example.com/r" + std::to_string(i)] = 1;
    labels["label-" + std::to_string(i)] = "a";
  }
  const auto check = [](const std::string& what, double share, const Node& like, const Pod& on_each,
                        std::size_t pods) {
    optimized::Snapshot snapshot(release("v1.34"));
    for (std::size_t i = 0; i < k_nodes; ++i) {
      Node node = like;
      node.name = "n" + std::to_string(i);
      snapshot.add_node(node);
      for (std::size_t k = 0; k < pods; ++k) {
        Pod made = on_each;
        made.name = "a" + std::to_string(i) + "-" + std::to_string(k);
        (made.nominated_node_name.empty() ? made.node_name : made.nominated_node_name) = node.name;
        snapshot.add_pod(made);
      }
    }
    std::optional<optimized::NodeTable> copy;
    const double taken = growth([&copy, &snapshot] { copy = snapshot.tables().nodes; });
    expect_close(bytes_of_nodes(snapshot), taken, share, what);
  };
  Node node;
  check("nodes without anything", 0.01, node, {}, 0);
  node.labels = labels;
  check("labels", 0.05, node, {}, 0);
  node.labels.clear();
  node.allocatable = with_resources.containers[0].requests;
  check("allocatable amounts", 0.05, node, {}, 0);
  node.allocatable.clear();
  check("used amounts", 0.05, node, with_resources, 1);
  Pod nominated = pod("a", 0, 0);
  nominated.nominated_node_name = "n";
  check("nominated pods", 0.05, node, nominated, 8);
}

TEST(Bytes, OfPodsAreThoseOfTheHeap) {
  constexpr std::size_t k_nodes = 100;
  constexpr std::size_t k_pods = 30'000;
  optimized::Snapshot snapshot(release("v1.34"));
  for (std::size_t i = 0; i < k_nodes; ++i) {
    Node node;
    node.name = "n" + std::to_string(i);
    snapshot.add_node(node);
  }
  std::vector<Pod> pods;
  for (std::size_t i = 0; i < k_pods; ++i) {
    pods.push_back(with_uid(pod("web-" + std::to_string(i), 0, 100), usual_uid(i)));
    pods.back().node_name = "n" + std::to_string(i % k_nodes);
  }
  const std::size_t before = snapshot.bytes();
  const double taken = growth([&] {
    for (const Pod& each : pods) snapshot.add_pod(each);
  });
  expect_close(snapshot.bytes() - before, taken, 0.03, "pods");
}

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

// Ratings have for each place 4 bits, a sum, a raw score for each scaled score, and a total. In the second
// case each place has another raw score. Then most of the memory is for the distribution of raw scores, which
// bytes() only estimates.
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

// bench/floor.cpp measures the time to read these columns once: cpu and memory in use by node, and four
// columns by level of priority. Only n2 has pods, on three levels.
TEST(PackedSnapshot, ShowsEveryColumnOfTheBounds) {
  constexpr std::size_t k_levels = 3;
  QuestionBuilder builder;
  builder.node("n1", 1'000).node("n2", 1'000);
  for (const Quantity priority : {1, 2, 3}) builder.has(pod("a" + std::to_string(priority), priority, 1));
  const optimized::Snapshot snapshot(builder.asks({}).cluster, release("v1.34"));
  std::vector<std::size_t> sizes;
  snapshot.tables().pods.for_each_bound_column([&sizes](auto column) { sizes.push_back(column.size()); });
  EXPECT_EQ(sizes, (std::vector<std::size_t>{2, 2, k_levels, k_levels, k_levels, k_levels}));
}

// A snapshot that is made of a whole cluster reserves no memory for more pods in these columns. The pods of
// a node have three levels of priority.
TEST(PackedSnapshot, ReservesNothingForMorePods) {
  constexpr std::size_t k_nodes = 64;
  constexpr std::size_t k_pods_of_node = 30;
  // Bytes of a pod, a level and a node in the columns of PodTable. A node has two ranges of rows, of 16 bytes
  // each.
  constexpr std::size_t k_row = 4 * sizeof(Quantity) + 3 * sizeof(std::uint32_t) + 1;
  constexpr std::size_t k_level = 5 * sizeof(Quantity) + sizeof(std::uint32_t);
  constexpr std::size_t k_node = 2 * 16 + 2 * sizeof(Quantity);
  QuestionBuilder builder;
  for (std::size_t i = 0; i < k_nodes; ++i) {
    builder.node("n" + std::to_string(i), 1'000);
    for (std::size_t k = 0; k < k_pods_of_node; ++k)
      builder.has(pod("a" + std::to_string(i) + "-" + std::to_string(k), static_cast<Quantity>(k / 10), 1));
  }
  const optimized::Snapshot snapshot(builder.asks({}).cluster, release("v1.34"));
  const optimized::Tables& tables = snapshot.tables();
  EXPECT_EQ(tables.pods.bytes(), k_nodes * (k_node + k_pods_of_node * k_row + 3 * k_level));
  EXPECT_EQ(tables.where.capacity(), k_nodes * k_pods_of_node);
  EXPECT_EQ(tables.node_of.capacity(), k_nodes * k_pods_of_node);
}

// A snapshot that is made of a whole cluster stores the names and UIDs of its pods in as many bytes as
// PodNames takes once it is packed.
TEST(PackedSnapshot, ReservesNothingForMoreNames) {
  constexpr std::size_t k_pods = 1'000;
  QuestionBuilder builder;
  builder.node("n1", 1'000);
  optimized::PodNames names;
  for (std::size_t i = 0; i < k_pods; ++i) {
    const Pod made = with_uid(pod("a-" + std::to_string(i), 0, 1), usual_uid(i));
    builder.has(made);
    names.add(made, 0);
  }
  const std::size_t before = names.bytes();
  names.pack();
  ASSERT_LT(names.bytes(), before);
  const optimized::Snapshot snapshot(builder.asks({}).cluster, release("v1.34"));
  EXPECT_EQ(snapshot.tables().names.bytes(), names.bytes());
}

}  // namespace touchstone::tests::bytes_test
