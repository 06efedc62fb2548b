#include <gtest/gtest.h>

#include "reference/queue/group_queue.hpp"
#include "tests/support/queued_groups.hpp"

namespace touchstone::tests::queued_group_entry_test {

using namespace queued_groups;

namespace {

PodObject terminating(const std::string& name) {
  PodObject object = member(name);
  object.pod.terminating = true;
  return object;
}

PodObject gated(const std::string& name) {
  PodObject object = member(name);
  object.pod.scheduling_gates = {"x"};
  return object;
}

/// A pod is updated, but not its status.
void gets_a_label(Play& play, PodObject object) {
  object.pod.labels = {{"new", "label"}};
  does(play, WriteCommand{Verb::update, object, false});
}

std::string next_group(Play& play, Choices&& choices = CanonicalChoices()) {
  const reference::GroupEntry* next = reference::next_group_to_pop(play.world, choices);
  return next == nullptr ? "" : next->name;
}

/// Groups g and h of one pod each, which come one second after the other, with these priorities.
Play with_two_groups(Quantity of_g, Quantity of_h, Quantity apart_ms = 1'000) {
  Play play = with_queued_groups();
  for (const auto& [name, priority] : {std::pair("g", of_g), std::pair("h", of_h)}) {
    PodGroupObject group = group_of({}, name);
    group.priority = priority;
    writes(play, group);
    writes(play, member(std::string("pod-of-") + name, 1000, name));
    play.advances(apart_ms);
  }
  return play;
}

/// The cycle of a, b and big waits for the patch of big.
Play with_open_cycle() {
  Play play = with_group(2000);
  writes(play, member("big", 3000));
  play.holds(CallKind::patch, "big");
  EXPECT_EQ(cycles(play), CycleOutcome::open);
  return play;
}

/// As with_open_cycle(). c is pending when the binding of p, which is of no group, fails. Then d comes.
Play with_two_entries() {
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
  play.answers(CallKind::bind, "p", CallResult::error);
  writes(play, gated("d"));
  return play;
}

}  // namespace

// NOM-COUNT-1, QUE-ENTITY-1, QUE-ENTITY-2: a nominated pod counts with its requests in the queue.
TEST(QueuedGroups, CountWithTheirNominations) {
  for (const char* group : {"incomplete", "gated"}) {
    Play play = with_queued_groups();
    play.node("n1", 1000);
    writes(play, group_of(2, "gated"));
    PodObject nominated = member("a", 1000, group);
    nominated.pod.nominated_node_name = "n1";
    writes(play, nominated);
    EXPECT_EQ(place_of(play, "a"), group == std::string("gated") ? "unschedulable" : "incomplete");
    writes(play, single("q", 9));
    EXPECT_EQ(cycles(play), CycleOutcome::none) << group;
  }
}

// QUE-ENTITY-1
TEST(QueuedGroups, WaitForTheirOwnPodGroup) {
  Play play = with_queued_groups();
  writes(play, member("a"));
  writes(play, member("x", 1000, "h"));
  writes(play, group_of({}));
  EXPECT_EQ(place_of(play, "a"), "active");
  EXPECT_EQ(place_of(play, "x"), "incomplete");
}

// QUE-ENTITY-1: a PodGroup without pods may go.
TEST(QueuedGroups, MayEndWithoutPods) {
  Play play = with_group(4000);
  writes(play, group_of({}, "h"));
  const reference::SchedulingQueue before = play.world.queue;
  writes(play, group_of({}, "h"), Verb::remove);
  EXPECT_EQ(play.world.queue.groups, before.groups);
  EXPECT_EQ(play.world.queue.incomplete, before.incomplete);
}

// QUE-ENTITY-1, QUE-ENTITY-9: a pod in flight whose PodGroup is gone is put back as incomplete, not before.
TEST(QueuedGroups, AreNotPutBackByAnUpdateWithoutTheirPodGroup) {
  Play play = with_group(1000);
  play.holds(CallKind::patch, "a");
  EXPECT_EQ(cycles(play), CycleOutcome::open);
  writes(play, group_of(2), Verb::remove);
  gets_a_label(play, member("b"));
  EXPECT_EQ(place_of(play, "b"), "elsewhere");
  play.answers(CallKind::patch, "a", CallResult::ok);
  EXPECT_EQ(place_of(play, "a"), "incomplete");
  EXPECT_EQ(place_of(play, "b"), "incomplete");
}

// QUE-POP-3
TEST(QueuedGroups, DropPodsThatTerminate) {
  Play play = with_queued_groups();
  play.node("n1", 4000);
  writes(play, group_of({}));
  writes(play, terminating("a"));
  writes(play, terminating("b"));
  EXPECT_EQ(cycles(play), CycleOutcome::dropped);
  EXPECT_TRUE(play.world.queue.groups.empty());
  EXPECT_TRUE(play.world.queue.in_flight.empty());
}

// QUE-ENTITY-9, QUE-ADD-1: a pod that was dropped joins again when it is updated, wherever its group is.
TEST(QueuedGroups, TakeBackADroppedPodThatIsUpdated) {
  for (const bool is_gated : {false, true}) {
    Play play = with_queued_groups();
    play.node("n1", 4000);
    writes(play, group_of({}));
    writes(play, terminating("a"));
    EXPECT_EQ(cycles(play), CycleOutcome::dropped);
    if (is_gated) writes(play, gated("c"));
    gets_a_label(play, member("a"));
    EXPECT_EQ(place_of(play, "a"), is_gated ? "unschedulable" : "active");
  }
}

// QUE-ENTITY-3: the higher priority comes first, then the earlier time.
TEST(QueuedGroups, ArePoppedInOrder) {
  Play first = with_two_groups(5, 5);
  EXPECT_EQ(next_group(first), "g");
  Play higher = with_two_groups(5, 6);
  EXPECT_EQ(next_group(higher), "h");
  Play tied = with_two_groups(5, 5, 0);
  EXPECT_EQ(next_group(tied), "g");
  EXPECT_EQ(next_group(tied, ScriptedChoices({1})), "h");
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
  Play play = with_two_entries();
  EXPECT_EQ(place_of(play, "d"), "unschedulable");
  EXPECT_EQ(reference::find_member(play.world.queue, "default", "c"), nullptr);
  EXPECT_NE(reference::find_member(play.world.queue, "default", "d"), nullptr);
  play.answers(CallKind::patch, "big", CallResult::ok);
  EXPECT_EQ(play.world.loop.phase, reference::Loop::Phase::idle);
  EXPECT_EQ(place_of(play, "c"), "pending");
}

// QUE-ENTITY-4: a pending pod is found by its name.
TEST(QueuedGroups, FindTheirPendingPods) {
  Play play = with_open_cycle();
  writes(play, member("c"));
  EXPECT_NE(reference::find_member(play.world.queue, "default", "c"), nullptr);
  writes(play, group_of({}, "h"));
  writes(play, member("x", 1000, "h"));
  EXPECT_NE(reference::find_member(play.world.queue, "default", "c"), nullptr);
}

// QUE-FLUSH-1
TEST(QueuedGroups, StayInBackoffUntilItIsOver) {
  Play play = with_group(1000);
  EXPECT_EQ(cycles(play), CycleOutcome::none);
  play.flushes_backoff();
  EXPECT_EQ(place_of(play, "a"), "backoff");
  waits_and_flushes(play);
  EXPECT_EQ(place_of(play, "a"), "active");
}

// QUE-FLUSH-2: the timer wakes the gated groups that waited for too long, and no other ones.
TEST(QueuedGroups, AreWokenByTheTimer) {
  Play play = with_queued_groups();
  for (const char* name : {"active", "late", "early"}) writes(play, group_of({}, name));
  PodObject early = gated("a");
  early.pod_group = "early";
  writes(play, early);
  writes(play, member("b", 1000, "active"));
  play.advances(301'000);
  PodObject late = gated("c");
  late.pod_group = "late";
  writes(play, late);
  play.world.wakes.clear();
  play.flushes_leftover();
  ASSERT_EQ(play.world.wakes.size(), 1U);
  EXPECT_EQ(play.world.wakes[0].pod, "default/a");
  EXPECT_EQ(place_of(play, "a"), "unschedulable");
}

// QUE-ENTITY-9: a group without `gang` before or after is not woken.
TEST(QueuedGroups, AreNotWokenByAGangThatBegins) {
  Play play = with_queued_groups();
  writes(play, group_of(3));
  writes(play, member("a"));
  writes(play, member("b"));
  writes(play, group_of({}), Verb::update);
  EXPECT_EQ(place_of(play, "a"), "unschedulable");
  writes(play, group_of(2), Verb::update);
  EXPECT_EQ(place_of(play, "a"), "unschedulable");
}

// EVT-AFFINITY-1: the addition of a pod that names a node may wake another pod.
TEST(QueuedGroups, WakeOtherPodsByAnAddition) {
  Play play = with_queued_groups();
  play.node("n1", 4000);
  PodObject lonely = single("p", 20);
  PodAffinityTerm term;
  term.label_selector = LabelSelector{{{"app", "x"}}, {}};
  term.topology_key = "kubernetes.io/hostname";
  lonely.pod.pod_affinity = {term};
  writes(play, lonely);
  EXPECT_EQ(cycles(play), CycleOutcome::none);
  EXPECT_EQ(play.place("p"), "unschedulable");
  play.advances(3'000);
  PodObject friendly = member("a");
  friendly.pod.labels = {{"app", "x"}};
  friendly.pod.nominated_node_name = "n1";
  writes(play, friendly);
  EXPECT_EQ(play.place("p"), "active");
}

}  // namespace touchstone::tests::queued_group_entry_test
