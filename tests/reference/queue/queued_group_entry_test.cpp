#include <gtest/gtest.h>

#include "reference/queue/group_queue.hpp"
#include "tests/reference/queue/choices_at.hpp"
#include "tests/support/queued_groups.hpp"
#include "tests/support/topology.hpp"

namespace touchstone::tests::queued_group_entry_test {

using namespace queued_groups;

namespace {

Names names_of(const reference::GroupEntry& group) {
  Names names;
  for (const Entry& each : group.members) names.push_back(each.object.pod.name);
  return names;
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

// QUE-ENTITY-1: the answer cites the clause where the PodGroup of a pod is missing, comes or goes.
TEST(QueuedGroups, CiteThatTheirPodGroupIsMissing) {
  Play play = with_queued_groups();
  const auto is_cited = [](const StepAnswer& answer) { return answer.clauses.contains("QUE-ENTITY-1"); };
  EXPECT_TRUE(is_cited(writes(play, member("a"))));
  EXPECT_TRUE(is_cited(writes(play, group_of({}))));
  EXPECT_TRUE(is_cited(writes(play, group_of({}), Verb::remove)));
  EXPECT_EQ(place_of(play, "a"), "incomplete");
  EXPECT_FALSE(is_cited(writes(play, group_of({}, "h"))));
  EXPECT_FALSE(is_cited(writes(play, group_of({}, "h"), Verb::remove)));
}

// QUE-ENTITY-1: pods that were added at the same time join in the order of their creation, without a
// choice.
TEST(QueuedGroups, JoinInTheirOrder) {
  Play play = with_queued_groups();
  writes(play, gated("x"));
  writes(play, member("y"));
  LastChoiceAt choices("QUE-ENTITY-1");
  const StepAnswer answer = reference::play(play.world, WriteCommand{Verb::create, group_of(3)}, choices);
  EXPECT_TRUE(choices.counts.empty());
  EXPECT_EQ(answer.state.gated, (std::map<std::string, std::string>{{"default/x", "SchedulingGates"}}));
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

// QUE-ENTITY-3: the last of three groups in the queue is popped first if its priority is the highest. The
// choice is among equal groups alone.
TEST(QueuedGroups, ArePoppedByPriority) {
  Play play = with_queued_groups();
  for (const auto& [name, priority] : {std::pair("g", 5), std::pair("h", 4), std::pair("i", 6)}) {
    PodGroupObject group = group_of({}, name);
    group.priority = priority;
    writes(play, group);
    writes(play, member(std::string("of-") + name, 1000, name));
  }
  LastChoiceAt choices("QUE-ORDER-1");
  EXPECT_EQ(reference::next_group_to_pop(play.world, choices)->name, "i");
  play.removes("of-i");
  EXPECT_EQ(reference::next_group_to_pop(play.world, choices)->name, "g");
  EXPECT_EQ(choices.counts, (std::vector<std::size_t>{1, 1}));
}

// QUE-ENTITY-5: pods are tried by priority, then by attempts, then by time, and then by name.
TEST(QueuedGroups, OrderTheirPodsByAttemptsBeforeTime) {
  Play play = with_group(500);
  play.holds(CallKind::patch, "a");
  EXPECT_EQ(cycles(play), CycleOutcome::open);
  play.advances(1'000);
  writes(play, member("aa"));
  PodObject higher = member("z");
  higher.pod.priority = 10;
  writes(play, higher);
  play.advances(1'000);
  answers(play, CallKind::patch, "a", CallResult::ok);
  ASSERT_EQ(play.world.queue.groups.size(), 1U);
  EXPECT_EQ(names_of(play.world.queue.groups[0]), (Names{"z", "a", "b", "aa"}));
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

// QUE-ENTITY-9, EVT-HINT-1: another PodGroup of the namespace, or one of this name elsewhere, wakes no
// group.
TEST(QueuedGroups, AreNotWokenByOtherPodGroups) {
  Play play = with_queued_groups();
  writes(play, group_of(2));
  writes(play, member("a"));
  EXPECT_TRUE(writes(play, group_of(1, "h")).wakes.empty());
  PodGroupObject elsewhere = group_of(1);
  elsewhere.ns = "elsewhere";
  EXPECT_TRUE(writes(play, elsewhere).wakes.empty());
  EXPECT_EQ(writes(play, group_of(1), Verb::update).wakes.size(), 1U);
}

// QUE-ENTITY-9: an event that does not wake one unschedulable group may wake the next one.
TEST(QueuedGroups, AreWokenBehindAnother) {
  Play play = with_queued_groups();
  for (const char* name : {"g", "h"}) {
    writes(play, group_of(2, name));
    writes(play, member(std::string("of-") + name, 1000, name));
  }
  writes(play, group_of(1, "h"), Verb::update);
  EXPECT_EQ(place_of(play, "of-h"), "active");
  EXPECT_EQ(place_of(play, "of-g"), "unschedulable");
}

// QUE-ENTITY-9, EVT-TAINT-2: an update of d counts as an update of each pod of the group. So its new
// toleration wakes a, which TaintToleration rejected, and with a the group: three pods, each of them once.
TEST(QueuedGroups, HearTheUpdateOfOnePodForEach) {
  Play play = with_queued_groups();
  Node tainted = node_with("n1", 4000);
  tainted.taints = {{"t", "", "NoSchedule"}};
  play.creates(tainted);
  writes(play, group_of({}));
  writes(play, member("a"));
  writes(play, member("b"));
  EXPECT_EQ(cycles(play), CycleOutcome::none);
  writes(play, gated("d"));
  EXPECT_EQ(place_of(play, "a"), "unschedulable");
  PodObject changed = gated("d");
  changed.pod.labels = {{"new", "label"}};
  changed.pod.tolerations = {{"t", "Exists", "", ""}};
  EXPECT_EQ(writes(play, changed, Verb::update).wakes.size(), 3U);
}

// EVT-AFFINITY-1: the addition of a pod that names a node may wake another pod.
TEST(QueuedGroups, WakeOtherPodsByAnAddition) {
  Play play = with_queued_groups();
  play.node("n1", 4000);
  PodObject lonely = single("p", 20);
  lonely.pod.pod_affinity = {by("kubernetes.io/hostname", "x")};
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
