// tests/optimized/store/bytes_test.cpp
#include <gtest/gtest.h>
#include <malloc.h>

#include <string>

#include "optimized/store/snapshot.hpp"
#include "tests/optimized/store/usual_uid.hpp"
#include "tests/support/storage.hpp"

namespace touchstone::tests::bytes_test {

namespace {

/// As in bytes_test.cpp.
std::size_t heap_bytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
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

}  // namespace

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
