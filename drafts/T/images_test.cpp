// tests/optimized/store/images_test.cpp
#include "optimized/store/images.hpp"

#include <gtest/gtest.h>

namespace touchstone::tests::images_test {

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

// SCORE-IMAGE-1: a node that reports a name twice is one node with the image. The first size counts.
TEST_F(StoredImages, CountANodeOnceThatReportsANameTwice) {
  set(0, {{{"a"}, 10}, {{"a"}, 12}});
  EXPECT_EQ(spread("a").nodes, 1U);
  EXPECT_EQ(spread("a").first_size, 10);
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

}  // namespace touchstone::tests::images_test
