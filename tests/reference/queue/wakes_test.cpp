#include <gtest/gtest.h>

#include "reference/queue/cluster_events.hpp"
#include "tests/support/play.hpp"

/// What the model says about the event that woke a pod.
namespace touchstone::tests::wakes_test {

namespace {

using reference::ClusterEvent;
using reference::EventType;
using reference::PodRole;

/// The last pod that was woken, and by what.
std::string last_wake(const Play& play) {
  if (play.world.wakes.empty()) return "";
  return play.world.wakes.back().pod + " by " + play.world.wakes.back().by;
}

PodObject object(Pod pod) { return {std::move(pod), 30, {}}; }

}  // namespace

TEST(Wakes, NameTheEvent) {
  const PodObject pending = object(pod("q", 0, 0));
  const PodObject running = object(placed(pod("v", 0, 0), "n1"));
  const Node node = node_with("n2", 1000);
  const std::vector<std::pair<ClusterEvent, std::string>> cases = {
      {{EventType::pod_added, PodRole::assigned, {}, running}, "default/v on node n1"},
      {{EventType::pod_deleted, PodRole::assigned, running}, "the deletion of default/v"},
      {{EventType::pod_deleted, PodRole::assigned, pending}, "the end of the nomination of default/q"},
      {{EventType::pod_labels, PodRole::assigned, running, running}, "a change of default/v"},
      {{EventType::node_added, PodRole::assigned, {}, {}, {}, node}, "the addition of node n2"},
      {{EventType::node_deleted, PodRole::assigned, {}, {}, node}, "the deletion of node n2"},
      {{EventType::node_labels, PodRole::assigned, {}, {}, node, node}, "a change of node n2"},
      {{EventType::leftover_flush}, "the timer for pods that waited too long"},
      {{EventType::forced_activation, PodRole::assigned, {}, pending},
       "the end of its preemption, in which a call failed"},
  };
  for (const auto& [event, text] : cases) EXPECT_EQ(reference::text_of(event), text);
}

// QUE-GANG-2, QUE-ENTITY-9: the addition of a pending pod, and PodGroups that are added or changed.
TEST(Wakes, NameTheEventOfAGroup) {
  ClusterEvent added;
  added.type = EventType::pod_added;
  added.new_pod = object(pod("q", 0, 0));
  EXPECT_EQ(reference::text_of(added), "the addition of default/q");
  ClusterEvent changed;
  changed.type = EventType::pod_group_changed;
  changed.new_pod_group = PodGroupObject{"default", "g", 2};
  EXPECT_EQ(reference::text_of(changed), "the addition of PodGroup default/g");
  changed.old_pod_group = changed.new_pod_group;
  EXPECT_EQ(reference::text_of(changed), "a change of PodGroup default/g");
}

TEST(Wakes, AreOfPodsInTheUnschedulablePart) {
  Play play("v1.36.3");
  play.node("n1", 1000).creates(placed(pod("v", 20, 1000), "n1")).creates(pod("p", 10, 1000));
  play.cycle();
  EXPECT_EQ(last_wake(play), "");
  play.removes("v");
  EXPECT_EQ(last_wake(play), "default/p by the deletion of default/v");
  play.world.wakes.clear();
  play.node("n2", 1000);
  EXPECT_EQ(last_wake(play), "") << "it is in backoff already";
}

TEST(Wakes, AreOfUpdatesOfThePodItself) {
  Play play("v1.36.3");
  Pod gated = pod("g", 0, 1000);
  gated.scheduling_gates = {"gate"};
  play.node("n1", 1000).creates(gated).updates(pod("g", 0, 1000));
  EXPECT_EQ(play.place("g"), "active");
  EXPECT_EQ(last_wake(play), "default/g by a change of default/g");

  Play early("v1.29.6");
  early.node("n1", 1000).creates(placed(pod("v", 20, 1000), "n1")).creates(pod("p", 10, 1000));
  early.cycle();
  Pod labelled = pod("p", 10, 1000);
  labelled.labels = {{"app", "a"}};
  early.updates(labelled);
  EXPECT_EQ(last_wake(early), "default/p by a change of default/p");
}

TEST(Wakes, AreOfAttemptsDuringWhichAnEventCame) {
  Play play("v1.32.2");
  play.node("n1", 1000).creates(placed(pod("v", 0, 1000), "n1")).creates(pod("p", 10, 1000));
  play.holds(CallKind::remove, "v");
  play.cycle();
  play.node("n2", 1000);
  EXPECT_EQ(last_wake(play), "");
  play.answers(CallKind::remove, "v", CallResult::ok);
  EXPECT_EQ(last_wake(play), "default/p by the addition of node n2");
}

TEST(Wakes, AreOfPreemptionsThatFail) {
  Play play("v1.36.3");
  play.node("n1", 1000).creates(placed(pod("v", 0, 1000), "n1")).creates(pod("p", 10, 1000));
  play.holds(CallKind::remove, "v");
  play.cycle();
  play.answers(CallKind::remove, "v", CallResult::error);
  EXPECT_EQ(play.place("p"), "active");
  EXPECT_EQ(last_wake(play), "default/p by the end of its preemption, in which a call failed");
}

TEST(Wakes, AreOfTheTimerForPodsThatWaitedTooLong) {
  Play play("v1.36.3");
  play.node("n1", 1000).creates(placed(pod("v", 20, 1000), "n1")).creates(pod("p", 10, 1000));
  play.cycle();
  play.advances(300'001).flushes_leftover();
  EXPECT_EQ(last_wake(play), "default/p by the timer for pods that waited too long");
}

}  // namespace touchstone::tests::wakes_test
