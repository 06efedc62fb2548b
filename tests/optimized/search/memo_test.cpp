#include "optimized/search/memo.hpp"

#include <gtest/gtest.h>

#include "optimized/search/schedule.hpp"
#include "tests/support/builder.hpp"

/// A memo keeps what earlier cycles have found. tests/optimized/cycle_test.cpp shows that placements are the
/// same with it.
namespace touchstone::tests::memo_test {

namespace {

class Memo : public ::testing::Test {
 protected:
  explicit Memo(std::size_t nodes = 3) : snapshot_(release("v1.34")) {
    for (std::size_t i = 0; i < nodes; ++i) add_node("n" + std::to_string(i));
  }

  void add_node(const std::string& name, Quantity cpu = 4000) {
    snapshot_.add_node(QuestionBuilder().node(name, cpu).asks({}).cluster.nodes[0]);
  }
  PodIndex add_pod(const std::string& name, const std::string& node, Quantity cpu) {
    Pod made = pod(name, 0, cpu);
    made.node_name = node;
    return snapshot_.add_pod(made);
  }
  optimized::Placed place(const Pod& pod) {
    CanonicalChoices choices;
    return optimized::schedule(snapshot_, pod, {}, workers_, choices, memo_);
  }

  optimized::Snapshot snapshot_;
  optimized::Workers workers_{1};
  optimized::Memo memo_;
};

}  // namespace

TEST_F(Memo, KeepsWhatALikePodFound) {
  place(pod("p", 0, 100));
  EXPECT_EQ(memo_.kinds(), 1u);
  EXPECT_EQ(memo_.reused(), 0u);
  place(pod("q", 0, 100));
  EXPECT_EQ(memo_.reused(), 1u);
  place(pod("r", 0, 200));
  EXPECT_EQ(memo_.kinds(), 2u);
  EXPECT_EQ(memo_.reused(), 1u);
}

TEST_F(Memo, LooksAtNodesThatHaveChanged) {
  EXPECT_EQ(place(pod("p", 0, 100)).host, 0u);
  const PodIndex first = add_pod("a", "n0", 1000);
  EXPECT_EQ(place(pod("q", 0, 100)).best, (std::vector<NodeIndex>{1, 2}));
  add_pod("b", "n1", 4000);
  EXPECT_EQ(place(pod("r", 0, 100)).feasible, (std::vector<NodeIndex>{0, 2}));
  snapshot_.remove_pod(first);
  EXPECT_EQ(place(pod("s", 0, 100)).best, (std::vector<NodeIndex>{0, 2}));
  EXPECT_EQ(memo_.reused(), 3u);
}

TEST_F(Memo, BeginsAnewWithOtherNodes) {
  place(pod("p", 0, 100));
  add_node("n3", 8000);
  EXPECT_EQ(place(pod("q", 0, 100)).host, 3u);
  EXPECT_EQ(memo_.reused(), 0u);
  snapshot_.remove_node(3);
  EXPECT_EQ(place(pod("r", 0, 100)).best, (std::vector<NodeIndex>{0, 1, 2}));
}

TEST_F(Memo, BeginsAnewIfTooMuchHasChanged) {
  place(pod("p", 0, 100));
  for (int i = 0; i < 5000; ++i) snapshot_.remove_pod(add_pod("a" + std::to_string(i), "n0", 100));
  add_pod("b", "n1", 4000);
  EXPECT_EQ(place(pod("q", 0, 100)).feasible, (std::vector<NodeIndex>{0, 2}));
  EXPECT_EQ(memo_.reused(), 0u);
}

// SCORE-IMAGE-1: the share of nodes with an image counts on every node.
TEST_F(Memo, BeginsAnewIfAnImageIsOnMoreNodes) {
  Node node = QuestionBuilder().node("n0", 4000).asks({}).cluster.nodes[0];
  node.images = {{{"app:latest"}, Quantity{1} << 30}};
  snapshot_.change_node(0, node);
  Pod wants = pod("p", 0, 100);
  wants.containers[0].image = "app";
  const Quantity before = place(wants).totals[0];
  node.name = "n1";
  snapshot_.change_node(1, node);
  EXPECT_GT(place(wants).totals[0], before);
  EXPECT_EQ(memo_.reused(), 0u);
}

TEST_F(Memo, ForgetsTheKindsThatWereNotAskedForRecently) {
  for (Quantity i = 0; i < 40; ++i) place(pod("p", 0, 100 + i));
  EXPECT_EQ(memo_.kinds(), optimized::Memo::k_kinds_most);
  place(pod("p", 0, 139));
  EXPECT_EQ(memo_.reused(), 1u);
  place(pod("p", 0, 100));
  EXPECT_EQ(memo_.reused(), 1u);
  memo_ = optimized::Memo(1);
  place(pod("p", 0, 100));
  place(pod("p", 0, 101));
  EXPECT_EQ(memo_.kinds(), 1u);
}

// Changes lists 4,096 changes. Just so many come after the first search, and one of them is of n1.
TEST_F(Memo, LooksAtAsManyChangesAsAreListed) {
  place(pod("p", 0, 100));
  add_pod("a", "n0", 100);
  add_pod("b", "n1", 4000);
  for (int i = 0; i < 2047; ++i) snapshot_.remove_pod(add_pod("c" + std::to_string(i), "n0", 100));
  EXPECT_EQ(place(pod("q", 0, 100)).feasible, (std::vector<NodeIndex>{0, 2}));
  EXPECT_EQ(memo_.reused(), 1U);
}

// Pods of one controller have different names and UIDs.
TEST_F(Memo, KeepsWhatAPodWithAnotherUidFound) {
  Pod asking = pod("p", 0, 100);
  for (const char* uid : {"u1", "u2", "u3"}) {
    asking.uid = uid;
    place(asking);
  }
  EXPECT_EQ(memo_.kinds(), 1U);
  EXPECT_EQ(memo_.reused(), 2U);
}

// A node may change after one kind of pod was asked for, and before another one.
TEST_F(Memo, LooksAtChangesForEachKindOfPod) {
  place(pod("p", 0, 100));
  place(pod("q", 0, 200));
  add_pod("a", "n0", 4000);
  for (const Quantity cpu : {100, 200, 100, 200})
    EXPECT_EQ(place(pod("r", 0, cpu)).feasible, (std::vector<NodeIndex>{1, 2})) << cpu;
  EXPECT_EQ(memo_.reused(), 4U);
}

// The change of n1 is no longer listed, since many changes of n0 came later.
TEST_F(Memo, ReadsAllNodesIfTooMuchHasChanged) {
  place(pod("p", 0, 100));
  add_pod("b", "n1", 4000);
  for (int i = 0; i < 5000; ++i) snapshot_.remove_pod(add_pod("a" + std::to_string(i), "n0", 100));
  EXPECT_EQ(place(pod("q", 0, 100)).feasible, (std::vector<NodeIndex>{0, 2}));
  EXPECT_EQ(memo_.reused(), 0U);
  EXPECT_EQ(memo_.kinds(), 1U);
}

}  // namespace touchstone::tests::memo_test
