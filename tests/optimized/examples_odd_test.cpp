#include <limits>

#include "tests/optimized/agreed.hpp"
#include "tests/support/topology.hpp"

/// Numbers and terms that no API server admits, or no cluster has.
namespace touchstone::tests {

namespace {

constexpr Quantity k_wide = Quantity{1} << 40;

}  // namespace

// PRE-NODE-2
TEST(OptimizedOdd, PrioritiesHaveMoreThan32Bits) {
  const Question question = QuestionBuilder()
                                .node("n1", 1000)
                                .has(pod("a", k_wide + 1, 1000))
                                .node("n2", 1000)
                                .has(pod("b", k_wide, 1000))
                                .asks(pod("p", k_wide + 2, 1000));
  EXPECT_EQ(agreed(question, "v1.34").node, 1u);
}

// PRE-NODE-3: a priority that stays negative with the offset makes the sum less, so no dry run may stop
// early.
TEST(OptimizedOdd, AVictimOfVeryLowPriorityMakesTheSumLess) {
  const Question question = QuestionBuilder()
                                .node("n1", 1000)
                                .has(pod("a", 0, 1000))
                                .node("n2", 1000)
                                .has(pod("b", 0, 300))
                                .has(pod("c", 0, 300))
                                .has(pod("d", -k_wide, 400))
                                .asks(pod("p", 10, 1000));
  EXPECT_EQ(agreed(question, "v1.34").node, 1u);
}

// PRE-VICTIM-3: a pod with a negative request frees capacity while it stays.
TEST(OptimizedOdd, RequestsAreBelowNothing) {
  const Question stays = QuestionBuilder()
                             .node("n1", 1000)
                             .has(pod("a", 20, -500))
                             .has(pod("b", 0, 800))
                             .asks(pod("p", 10, 900));
  EXPECT_EQ(agreed(stays, "v1.34").outcome, Outcome::nominated);
  const Question goes = QuestionBuilder()
                            .node("n1", 3000)
                            .has(pod("a", 20, 2500))
                            .has(pod("b", 0, -1000))
                            .has(pod("c", 0, 1000))
                            .asks(pod("p", 10, 1000));
  EXPECT_EQ(agreed(goes, "v1.34").outcome, Outcome::none);
}

// PRE-FIT-3
TEST(OptimizedOdd, AResourceThatIsNotAskedForIsUsedWithoutBounds) {
  Pod large = pod("a", 20, 0);
  large.containers[0].requests["memory"] = Quantity{1} << 62;
  const Question question =
      QuestionBuilder().node("n1", 1000).has(large).has(pod("b", 0, 1000)).asks(pod("p", 10, 1000));
  EXPECT_EQ(agreed(question, "v1.34").outcome, Outcome::nominated);
}

// PRE-NODE-5, PRE-VICTIM-4
TEST(OptimizedOdd, APodThatStartsAtTheEndOfTimeHasStarted) {
  constexpr Quantity k_end = std::numeric_limits<Quantity>::max();
  const Question question = QuestionBuilder()
                                .node("n1", 1000)
                                .has(started(pod("a", 0, 1000), k_end))
                                .node("n2", 1000)
                                .has(unstarted(pod("b", 0, 1000)))
                                .node("n3", 1000)
                                .has(started(pod("c", 0, 1000), std::numeric_limits<Quantity>::min()))
                                .asks(pod("p", 10, 1000));
  EXPECT_EQ(agreed(question, "v1.34").admissible, std::vector<NodeIndex>{1});
  const Question one_goes = QuestionBuilder()
                                .node("n1", 2000)
                                .has(unstarted(pod("a", 0, 1000)))
                                .has(started(pod("b", 0, 1000), k_end))
                                .asks(pod("p", 10, 1000));
  EXPECT_EQ(agreed(one_goes, "v1.34").victims, std::vector<PodIndex>{0});
}

// PRE-SPREAD-7
TEST(OptimizedOdd, APodHasMoreThan32Constraints) {
  std::vector<TopologySpreadConstraint> constraints(40, over("zone", "other"));
  constraints.push_back(over("zone", "x"));
  const Question question = in_zones(QuestionBuilder()
                                         .node("n1", 2000)
                                         .has(with_app(pod("a", 0, 500), "x"))
                                         .has(with_app(pod("b", 5, 500), "x"))
                                         .node("n2", 0)
                                         .asks(spread(with_app(pod("p", 10, 500), "x"), constraints)),
                                     {"a", "b"});
  EXPECT_EQ(agreed(question, "v1.34").victims, (std::vector<PodIndex>{1, 0}));
}

// PRE-AFFINITY-1
TEST(OptimizedOdd, ALostPodMattersUpToV111WhereAffinityIsLookedAt) {
  Question question = QuestionBuilder().node("n1", 1000).has(pod("a", 0, 1000)).asks(pod("p", 10, 1000));
  question.pod.labels["app"] = "x";
  question.cluster.pods.push_back(pod("lost", 0, 100));
  question.cluster.pods.back().node_name = "nowhere";
  EXPECT_EQ(agreed(question, "v1.11").outcome, Outcome::nominated);
  question.cluster.pods.push_back(away(pod("done", 0, 100), {by("zone", "x")}));
  question.cluster.pods.back().phase = "Failed";
  EXPECT_EQ(agreed(question, "v1.11").outcome, Outcome::skipped);
  EXPECT_EQ(agreed(question, "v1.12").outcome, Outcome::nominated);
}

// PRE-AFFINITY-5
TEST(OptimizedOdd, ANominatedPodMattersInV110WhereATermOverHostsSelectsIt) {
  const auto asks = [](const std::string& app, Quantity priority) {
    return QuestionBuilder()
        .node("n1", 1000)
        .has(pod("a", 0, 1000))
        .nominated(with_app(pod("q", priority, 0), app))
        .asks(away(pod("p", 10, 1000), {by("kubernetes.io/hostname", "x")}));
  };
  EXPECT_EQ(agreed(asks("x", 20), "v1.10").outcome, Outcome::skipped);
  EXPECT_EQ(agreed(asks("y", 20), "v1.10").outcome, Outcome::nominated);
  EXPECT_EQ(agreed(asks("x", 5), "v1.10").outcome, Outcome::nominated);
  EXPECT_EQ(agreed(asks("x", 20), "v1.11").outcome, Outcome::nominated);
}

// PRE-INPUT-3: an entry of the preemptor itself in the list of pods does not count.
TEST(OptimizedOdd, AnInvalidTermMattersButForThePreemptorsOwnPod) {
  PodAffinityTerm invalid = by("zone", "x");
  invalid.label_selector->match_expressions = {{"app", "Near", {"x"}}};
  Question question = QuestionBuilder()
                          .node("n1", 1000)
                          .has(pod("a", 0, 1000))
                          .has(away(pod("p", 10, 0), {invalid}))
                          .asks(pod("p", 10, 1000));
  EXPECT_EQ(agreed(question, "v1.34").outcome, Outcome::nominated);
  question.pod.name = "q";
  EXPECT_EQ(agreed(question, "v1.34").outcome, Outcome::skipped);
}

}  // namespace touchstone::tests
