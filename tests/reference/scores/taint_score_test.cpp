#include <gtest/gtest.h>

#include "reference/scores/scores.hpp"
#include "tests/support/builder.hpp"

namespace touchstone::tests::taint_score_test {

namespace {

using Points = std::vector<Quantity>;

Taint prefer_not(const std::string& key) { return {key, "v", "PreferNoSchedule"}; }

/// The scores of nodes with these taints.
Points scores_of(const std::vector<std::vector<Taint>>& taints, const std::vector<Toleration>& tolerations,
                 std::string_view name) {
  Pod p = pod("p", 0, 100);
  p.tolerations = tolerations;
  QuestionBuilder builder;
  reference::Nodes nodes;
  for (std::size_t i = 0; i < taints.size(); ++i) {
    builder.node("n" + std::to_string(i), 4000);
    nodes.push_back(i);
  }
  Question question = builder.asks(std::move(p));
  for (std::size_t i = 0; i < taints.size(); ++i) question.cluster.nodes[i].taints = taints[i];
  const Release named = release(name);
  Trace trace = Trace::none();
  const reference::Cycle cycle(question, named, trace);
  return reference::untolerated_taints(cycle, nodes).value();
}

const std::vector<std::vector<Taint>> k_one_three_none = {
    {prefer_not("a")}, {prefer_not("a"), prefer_not("b"), prefer_not("c")}, {}};

}  // namespace

// SCORE-TAINT-1, SCORE-NORMAL-2: worked example X6
TEST(TaintScore, FallsWithTheNumberOfTaints) {
  EXPECT_EQ(scores_of(k_one_three_none, {}, "v1.8"), Points({6, 0, 10}));
  EXPECT_EQ(scores_of(k_one_three_none, {}, "v1.9"), Points({7, 0, 10}));
  EXPECT_EQ(scores_of(k_one_three_none, {}, "v1.17"), Points({67, 0, 100}));
  EXPECT_EQ(scores_of(k_one_three_none, {}, "v1.37"), Points({67, 0, 100}));
}

// SCORE-TAINT-1
TEST(TaintScore, CountsTaintsWithPreferNoScheduleAlone) {
  EXPECT_EQ(scores_of({{{"a", "v", "NoSchedule"}, {"a", "v", "NoExecute"}}, {prefer_not("a")}}, {}, "v1.37"),
            Points({100, 0}));
}

// SCORE-TAINT-1
TEST(TaintScore, IgnoresTaintsThatThePodTolerates) {
  EXPECT_EQ(scores_of(k_one_three_none, {{"a", "Exists", "", ""}}, "v1.37"), Points({100, 0, 100}));
  EXPECT_EQ(scores_of(k_one_three_none, {{"b", "Equal", "v", "PreferNoSchedule"}}, "v1.37"),
            Points({50, 0, 100}));
  EXPECT_EQ(scores_of(k_one_three_none, {{"", "Exists", "", "NoSchedule"}}, "v1.37"), Points({67, 0, 100}));
}

}  // namespace touchstone::tests::taint_score_test
