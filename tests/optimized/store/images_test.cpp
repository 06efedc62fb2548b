#include "optimized/store/images.hpp"

#include <gtest/gtest.h>

namespace touchstone::tests::optimized_images_test {

namespace {

class StoredImages : public ::testing::Test {
 protected:
  StoredImages() {
    for (int i = 0; i < 4; ++i) images_.add_node();
  }

  void set(NodeIndex node, const std::vector<NodeImage>& images) { images_.set(node, images, symbols_); }
  optimized::Images::Spread spread(const std::string& name) { return images_.spread_of(symbols_.find(name)); }

  optimized::Symbols symbols_;
  optimized::Images images_;
};

}  // namespace

// SCORE-IMAGE-1
TEST_F(StoredImages, KnowTheFirstNodeWithAnImage) {
  set(2, {{{"a"}, 20}});
  EXPECT_EQ(spread("a").first, 2u);
  set(1, {{{"a"}, 10}});
  set(3, {{{"a", "b"}, 30}});
  EXPECT_EQ(spread("a").nodes, 3u);
  EXPECT_EQ(spread("a").first_size, 10);
  set(1, {});
  EXPECT_EQ(spread("a").first, 2u);
  EXPECT_EQ(spread("a").first_size, 20);
  set(2, {{{"b"}, 5}});
  EXPECT_EQ(spread("a").first, 3u);
  EXPECT_EQ(spread("b").nodes, 2u);
  EXPECT_EQ(spread("b").first_size, 5);
  set(3, {});
  EXPECT_EQ(spread("a").nodes, 0u);
}

TEST_F(StoredImages, TakeTheSizeThatANodeReportsNow) {
  set(0, {{{"a"}, 10}});
  set(0, {{{"a"}, 11}, {{"a"}, 12}});
  EXPECT_EQ(spread("a").nodes, 1u);
  EXPECT_EQ(spread("a").first_size, 11);
}

// SCORE-IMAGE-1: a node that reports a name twice is one node with the image. The first size counts.
TEST_F(StoredImages, CountANodeOnceThatReportsANameTwice) {
  set(0, {{{"a"}, 10}, {{"a"}, 12}});
  EXPECT_EQ(spread("a").nodes, 1U);
  EXPECT_EQ(spread("a").first_size, 10);
}

TEST_F(StoredImages, ShareOneListAndGiveItsNumberAway) {
  set(0, {{{"a"}, 10}});
  set(1, {{{"a"}, 10}});
  EXPECT_EQ(images_.list_of(0), images_.list_of(1));
  const std::uint32_t lists = images_.lists();
  set(0, {});
  EXPECT_EQ(images_.list(images_.list_of(1)).size(), 1u);
  set(1, {});
  set(2, {{{"b"}, 1}});
  EXPECT_EQ(images_.lists(), lists);
  EXPECT_EQ(images_.list_of(0), 0u);
}

// SCORE-IMAGE-1: nodes 1 and 2 give up their lists. Node 3 then takes the list of node 0. After that, nodes 1
// and 2 take two new lists, which get the two free numbers.
TEST_F(StoredImages, GiveEachFreeNumberToOneList) {
  set(0, {{{"a"}, 10}});
  set(1, {{{"b"}, 20}});
  set(2, {{{"c"}, 30}});
  const std::uint32_t lists = images_.lists();
  set(1, {});
  set(2, {});
  set(3, {{{"a"}, 10}});
  ASSERT_EQ(images_.list_of(3), images_.list_of(0));
  EXPECT_EQ(spread("a").nodes, 2U);
  set(1, {{{"d"}, 40}});
  set(2, {{{"e"}, 50}});
  ASSERT_NE(images_.list_of(1), images_.list_of(2));
  EXPECT_EQ(images_.lists(), lists);
  EXPECT_EQ(spread("d").first_size, 40);
  EXPECT_EQ(spread("e").first_size, 50);
}

}  // namespace touchstone::tests::optimized_images_test
