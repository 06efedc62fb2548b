// tests/optimized/search/memo_test.cpp (new cases; the fixture is that of the file)
#include "optimized/search/memo.hpp"

#include <gtest/gtest.h>

#include "optimized/search/schedule.hpp"
#include "tests/support/builder.hpp"

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
