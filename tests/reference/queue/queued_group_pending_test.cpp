#include <gtest/gtest.h>

#include "reference/queue/group_queue.hpp"
#include "tests/support/queued_groups.hpp"

/// Pods that join a group during its cycle, and are pending until the cycle ends.
namespace touchstone::tests::queued_group_pending_test {

using namespace queued_groups;

namespace {

/// The cycle of a, b and big waits for the patch of big.
Play with_open_cycle() {
  Play play = with_group(2000);
  writes(play, member("big", 3000));
  play.holds(CallKind::patch, "big");
  EXPECT_EQ(cycles(play), CycleOutcome::open);
  return play;
}

/// c is pending when the binding of p, which is of no group, fails. Then `last` comes, so that the group
/// has an entry beside its pending pods big and c. The cycle is open until the patch of big is answered.
Play with_two_entries(const PodObject& last) {
  Play play = with_queued_groups();
  play.node("n1", 3000).holds(CallKind::bind, "p");
  writes(play, single("p", 20));
  play.cycle();
  writes(play, group_of(2));
  for (const char* name : {"a", "b"}) writes(play, member(name));
  writes(play, member("big", 3000));
  play.holds(CallKind::patch, "big");
  EXPECT_EQ(cycles(play), CycleOutcome::open);
  writes(play, member("c"));
  EXPECT_EQ(place_of(play, "c"), "pending");
  answers(play, CallKind::bind, "p", CallResult::error);
  writes(play, last);
  EXPECT_EQ(play.world.queue.groups.size(), 1U);
  return play;
}

}  // namespace

// QUE-ENTITY-4: a pending pod is found by its name.
TEST(QueuedGroups, FindTheirPendingPods) {
  Play play = with_open_cycle();
  writes(play, member("c"));
  EXPECT_NE(reference::find_member(play.world.queue, "default", "c"), nullptr);
  writes(play, group_of({}, "h"));
  writes(play, member("x", 1000, "h"));
  EXPECT_NE(reference::find_member(play.world.queue, "default", "c"), nullptr);
}

// QUE-ENTITY-4, QUE-ENTITY-6: a pod that joined during the cycle is put back as a new group, if the failed
// ones are gone.
TEST(QueuedGroups, RestartTheirTimeWithoutFailedPods) {
  Play play = with_open_cycle();
  play.advances(1'000);
  writes(play, member("c"));
  EXPECT_EQ(place_of(play, "c"), "pending");
  play.removes("big");
  play.answers(CallKind::patch, "big", CallResult::ok);
  EXPECT_EQ(place_of(play, "c"), "active");
  ASSERT_EQ(play.world.queue.groups.size(), 1U);
  EXPECT_EQ(play.world.queue.groups[0].since_ns, play.world.now_ns);
}

// QUE-ENTITY-6
TEST(QueuedGroups, KeepTheirTimeWithFailedPods) {
  Play play = with_open_cycle();
  play.advances(1'000);
  play.answers(CallKind::patch, "big", CallResult::ok);
  EXPECT_EQ(place_of(play, "big"), "active");
  ASSERT_EQ(play.world.queue.groups.size(), 1U);
  EXPECT_EQ(play.world.queue.groups[0].since_ns, 0);
}

// QUE-ENTITY-4, QUE-PUTBACK-2: once another pod is put back, a pod of the group is an entry, although the
// cycle of the group is open. Those that are pending stay so, and no lookup finds them.
TEST(QueuedGroups, HideTheirPendingPodsBehindANewEntry) {
  Play play = with_two_entries(gated("d"));
  EXPECT_EQ(place_of(play, "d"), "unschedulable");
  EXPECT_EQ(reference::find_member(play.world.queue, "default", "c"), nullptr);
  EXPECT_NE(reference::find_member(play.world.queue, "default", "d"), nullptr);
  play.answers(CallKind::patch, "big", CallResult::ok);
  EXPECT_EQ(play.world.loop.phase, reference::Loop::Phase::idle);
  EXPECT_EQ(place_of(play, "c"), "pending");
}

// QUE-ENTITY-4: a pending pod that is deleted beside an entry of its group stays pending. A new pod of its
// name replaces it.
TEST(QueuedGroups, ReplaceAPendingPod) {
  Play play = with_two_entries(gated("d"));
  answers(play, CallKind::patch, "big", CallResult::ok);
  play.removes("c");
  PodObject ungated = member("d", 3000);
  writes(play, ungated, Verb::update);
  play.holds(CallKind::patch, "d");
  EXPECT_EQ(cycles(play), CycleOutcome::open);
  writes(play, member("c"));
  EXPECT_EQ(reference::observe(play.world).pending, (Names{"default/big", "default/c", "default/d"}));
}

// QUE-ENTITY-9: an update of a pending pod joins the entry of its group if this entry is unschedulable.
// Otherwise the pod stays pending.
TEST(QueuedGroups, JoinAnUnschedulableEntryByAnUpdate) {
  Play unschedulable = with_two_entries(gated("d"));
  gets_a_label(unschedulable, member("c"));
  EXPECT_EQ(place_of(unschedulable, "c"), "unschedulable");
  Play active = with_two_entries(member("d"));
  gets_a_label(active, member("c"));
  EXPECT_EQ(place_of(active, "c"), "pending");
}

// QUE-ENTITY-9, QUE-ENTITY-1: an update of a pending pod whose PodGroup is gone does nothing.
TEST(QueuedGroups, IgnoreAnUpdateOfAPendingPodWithoutPodGroup) {
  Play play = with_two_entries(gated("d"));
  writes(play, group_of(2), Verb::remove);
  EXPECT_EQ(place_of(play, "c"), "pending");
  EXPECT_FALSE(gets_a_label(play, member("c")).clauses.contains("NOM-UPDATE-1"));
}

// QUE-ENTITY-6, QUE-ENTITY-1: pending pods of a group whose PodGroup is gone stay pending when the cycle
// ends.
TEST(QueuedGroups, StayPendingWithoutTheirPodGroup) {
  Play play = with_two_entries(gated("d"));
  play.removes("d");
  writes(play, group_of(2), Verb::remove);
  answers(play, CallKind::patch, "big", CallResult::ok);
  EXPECT_EQ(place_of(play, "big"), "pending");
  EXPECT_EQ(place_of(play, "c"), "pending");
  EXPECT_TRUE(play.world.queue.groups.empty());
}

// QUE-POP-3, QUE-ENTITY-6: a cycle that drops all pods is no failure, so the pending pods are active
// afterwards.
TEST(QueuedGroups, AreActiveAfterAllTheirPodsWereDropped) {
  Play play = with_two_entries(terminating("d"));
  answers(play, CallKind::patch, "big", CallResult::ok);
  EXPECT_EQ(place_of(play, "c"), "pending");
  EXPECT_EQ(cycles(play), CycleOutcome::dropped);
  EXPECT_EQ(place_of(play, "c"), "active");
}

// QUE-ENTITY-2, QUE-ACTIVATE-1: a group whose entry is active is not moved when another pod of its gang
// waits.
TEST(QueuedGroups, AreNotActivatedTwice) {
  Play play = with_queued_groups();
  play.node("n1", 3000).holds(CallKind::bind, "p");
  writes(play, single("p", 20));
  play.cycle();
  writes(play, group_of(2));
  writes(play, member("a-big", 3000));
  for (const char* name : {"b", "c"}) writes(play, member(name));
  play.holds(CallKind::patch, "a-big").holds(CallKind::bind, "b").holds(CallKind::bind, "c");
  EXPECT_EQ(cycles(play), CycleOutcome::open);
  answers(play, CallKind::bind, "p", CallResult::error);
  writes(play, member("d"));
  EXPECT_EQ(place_of(play, "d"), "active");
  const StepAnswer answer = answers(play, CallKind::patch, "a-big", CallResult::ok);
  EXPECT_EQ(answer.ended->outcome, CycleOutcome::scheduled);
  EXPECT_TRUE(answer.clauses.contains("QUE-ACTIVATE-1"));
  EXPECT_FALSE(answer.clauses.contains("QUE-ENTITY-2"));
}

// QUE-ACTIVATE-1: a pod that was queued alone and names the group later is activated alone, whether the
// group has an entry that is gated or none.
TEST(QueuedGroups, ActivateAPodThatNamesThemLater) {
  for (const bool has_entry : {false, true}) {
    Play play = with_queued_groups();
    play.node("n1", 3000).holds(CallKind::bind, "p");
    PodObject alone = single("s", 20);
    alone.pod.node_selector = {{"no", "node"}};
    writes(play, alone);
    EXPECT_EQ(cycles(play), CycleOutcome::none);
    writes(play, single("p", 20));
    EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
    writes(play, group_of(2));
    alone.pod_group = "g";
    writes(play, alone, Verb::update);
    writes(play, member("a-big", 9000));
    for (const char* name : {"b", "c"}) writes(play, member(name));
    play.holds(CallKind::patch, "a-big");
    EXPECT_EQ(cycles(play), CycleOutcome::open);
    if (has_entry) {
      answers(play, CallKind::bind, "p", CallResult::error);
      writes(play, gated("d"));
    }
    EXPECT_EQ(play.place("s"), "unschedulable");
    const StepAnswer answer = answers(play, CallKind::patch, "a-big", CallResult::ok);
    EXPECT_EQ(answer.ended->outcome, CycleOutcome::scheduled);
    EXPECT_EQ(play.place("s"), "active") << has_entry;
  }
}

}  // namespace touchstone::tests::queued_group_pending_test
