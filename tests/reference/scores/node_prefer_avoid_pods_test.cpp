#include <gtest/gtest.h>

#include "reference/scores/scores.hpp"
#include "tests/support/builder.hpp"

namespace touchstone::tests::node_prefer_avoid_pods_test {

namespace {

using Points = std::vector<Quantity>;

Controller controller(const std::string& kind, const std::string& uid) { return {"", kind, "", uid}; }

Points scores_of(const Question& question, std::string_view name) {
  const Release named = release(name);
  Trace trace = Trace::none();
  const reference::Cycle cycle(question, named, trace);
  return reference::node_prefer_avoid_pods(cycle, {0, 1}).value();
}

/// The scores of two nodes. The first one asks the pods of a controller to avoid it.
Points scores_of(const std::optional<Controller>& own, const Controller& avoided, std::string_view name) {
  Pod p = pod("p", 0, 100);
  p.controller = own;
  Question question = QuestionBuilder().node("n1", 4000).node("n2", 4000).asks(std::move(p));
  question.cluster.nodes[0].avoided = {controller("ReplicaSet", "another"), avoided};
  return scores_of(question, name);
}

Points scores_of(const std::optional<Controller>& own, const Controller& avoided) {
  return scores_of(own, avoided, "v1.21");
}

}  // namespace

// SCORE-AVOID-1
TEST(NodePreferAvoidPods, GivesZeroToANodeThatTheControllerShouldAvoid) {
  for (const std::string kind : {"ReplicaSet", "ReplicationController"}) {
    EXPECT_EQ(scores_of(controller(kind, "u"), controller(kind, "u")), Points({0, 100}));
    EXPECT_EQ(scores_of(controller(kind, "u"), controller(kind, "u"), "v1.8"), Points({0, 10}));
  }
}

// SCORE-AVOID-1: the second node asks to be avoided, the first one does not.
TEST(NodePreferAvoidPods, GivesZeroToALaterNode) {
  Question question = QuestionBuilder().node("n1", 4000).node("n2", 4000).asks(pod("p", 0, 100));
  question.pod.controller = controller("ReplicationController", "u");
  question.cluster.nodes[1].avoided = {controller("ReplicationController", "u")};
  EXPECT_EQ(scores_of(question, "v1.13"), Points({10, 0}));
}

// SCORE-AVOID-1
TEST(NodePreferAvoidPods, ComparesKindAndUid) {
  EXPECT_EQ(scores_of(controller("ReplicaSet", "u"), controller("ReplicaSet", "v")), Points({100, 100}));
  EXPECT_EQ(scores_of(controller("ReplicaSet", "u"), controller("ReplicationController", "u")),
            Points({100, 100}));
}

// SCORE-AVOID-1
TEST(NodePreferAvoidPods, IgnoresOtherControllers) {
  EXPECT_EQ(scores_of(controller("StatefulSet", "u"), controller("StatefulSet", "u")), Points({100, 100}));
  EXPECT_EQ(scores_of({}, controller("ReplicaSet", "")), Points({100, 100}));
}

}  // namespace touchstone::tests::node_prefer_avoid_pods_test
