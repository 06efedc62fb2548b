#include <gtest/gtest.h>

#include <cmath>

#include "reference/queue/group_queue.hpp"
#include "reference/queue/play.hpp"
#include "reference/queue/scheduling_queue.hpp"
#include "spec/releases/feature_gates.hpp"
#include "tests/reference/queue/choices_at.hpp"
#include "tests/support/queued_groups.hpp"

namespace touchstone::tests::queued_group_test {

using namespace queued_groups;

constexpr Quantity k_second = 1'000'000'000;

namespace {

/// The longest backoff of a pod times the square root of a number of pods, in whole nanoseconds.
Quantity scaled_backoff_ns(Quantity longest_seconds, Quantity pods) {
  const long double root = std::sqrt(static_cast<long double>(pods));
  return static_cast<Quantity>(static_cast<long double>(longest_seconds * k_second) * root);
}

/// The end of the backoff of a group that has failed so often that its backoff is the longest one.
Quantity end_of_backoff(Quantity longest_seconds, Quantity pods, Quantity since_ns) {
  Release release = with_queued_groups().world.release;
  release.longest_backoff_ns = longest_seconds * k_second;
  reference::GroupEntry group{"default", "g"};
  group.unschedulable_attempts = 30;
  group.backoff_pods = pods;
  group.since_ns = since_ns;
  return reference::backoff_end_ns(group, release);
}

}  // namespace

// QUE-ENTITY-1
TEST(QueuedGroups, HaveOneGateThatIsModelled) {
  const Release changed = with_gates_over_time(release("v1.37.2"), {{"GenericWorkload", true}}, "").value();
  EXPECT_TRUE(changed.groups_are_queued);
  EXPECT_TRUE(changed.unmodelled_gate.empty());
  EXPECT_EQ(with_gates_over_time(release("v1.37.2"),
                                 {{"GenericWorkload", true}, {"PodGroupPreemptionPolicy", true}}, "")
                .value()
                .unmodelled_gate,
            "PodGroupPreemptionPolicy=true");
}

// QUE-ENTITY-1: which of the incomplete pods comes first is chance, if their times differ.
TEST(QueuedGroups, GetTheTimeOfOneOfTheirPods) {
  Play play = with_queued_groups();
  writes(play, member("a"));
  play.advances(1'000);
  writes(play, member("b"));
  ScriptedChoices second({1});
  reference::play(play.world, WriteCommand{Verb::create, group_of({})}, second);
  ASSERT_EQ(play.world.queue.groups.size(), 1U);
  EXPECT_EQ(play.world.queue.groups[0].since_ns, play.world.now_ns);
}

// QUE-ENTITY-3: a pod comes before a group of the same priority and time by chance.
TEST(QueuedGroups, TieWithPods) {
  Play play = with_group(4000);
  PodObject alone = member("p");
  alone.pod_group.clear();
  writes(play, alone);
  CanonicalChoices first;
  EXPECT_EQ(reference::next_group_to_pop(play.world, first), nullptr);
  ScriptedChoices second({1, 0});
  EXPECT_EQ(reference::next_group_to_pop(play.world, second)->name, "g");
}

// QUE-ENTITY-3, QUE-ORDER-1: a tie of a pod and a group is one choice of two.
TEST(QueuedGroups, TieWithPodsInTwoWays) {
  Play play = with_group(4000);
  writes(play, single("p", 9));
  LastChoiceAt choices("QUE-ORDER-1");
  const StepAnswer answer = reference::play(play.world, CycleCommand{}, choices);
  EXPECT_EQ(answer.cycle->pod_group, "default/g");
  EXPECT_EQ(choices.counts, (std::vector<std::size_t>{2, 1}));
  EXPECT_TRUE(answer.clauses.contains("QUE-ENTITY-3"));
}

// QUE-ENTITY-3: a group cannot be told a node.
TEST(QueuedGroups, CannotBeToldANode) {
  Play play = with_group(4000);
  EXPECT_EQ(does(play, CycleCommand{"n1"}).error->code, "not-admissible");
  EXPECT_EQ(place_of(play, "a"), "active");
}

// QUE-ENTITY-3: pods that are in flight already leave a popped group.
TEST(QueuedGroups, DropPodsInFlight) {
  Play play = with_group(4000);
  play.world.queue.in_flight.push_back({"u-a", "default/a", {}});
  EXPECT_EQ(
      reference::pop_group(play.world, reference::GroupEntry(play.world.queue.groups[0]))->members.size(),
      1U);
  Play empty = with_group(4000, {});
  empty.world.queue.in_flight.push_back({"u-a", "default/a", {}});
  empty.world.queue.in_flight.push_back({"u-b", "default/b", {}});
  EXPECT_EQ(cycles(empty), CycleOutcome::idle);
  EXPECT_TRUE(empty.world.queue.groups.empty());
}

// QUE-ENTITY-3: a group whose pods are all in flight is discarded, and the next group is popped.
TEST(QueuedGroups, ArePoppedAfterADiscardedGroup) {
  Play play = with_group(4000, {});
  play.advances(1'000);
  writes(play, group_of({}, "h"));
  writes(play, member("c", 1000, "h"));
  for (const char* name : {"a", "b"})
    play.world.queue.in_flight.push_back({std::string("u-") + name, std::string("default/") + name, {}});
  EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
  EXPECT_EQ(play.stored("c").node_name, "n1");
}

// QUE-ENTITY-4: after a pod was popped, a new pod of the group that was popped before makes a new entry.
TEST(QueuedGroups, BeginAgainAfterAPodWasPopped) {
  for (const bool pops_a_pod : {false, true}) {
    Play play = with_queued_groups();
    play.node("n1", 4000);
    writes(play, group_of(2));
    for (const char* name : {"a", "b"}) {
      writes(play, patient(member(name)));
    }
    EXPECT_EQ(cycles(play), CycleOutcome::skipped);  // the attempt of the group is not over
    writes(play, single("s", 1));
    if (pops_a_pod) EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
    for (const char* name : {"c", "d"}) writes(play, member(name));
    EXPECT_EQ(place_of(play, "c"), pops_a_pod ? "active" : "pending");
  }
}

// QUE-ENTITY-6
TEST(QueuedGroups, BackOffByTheSquareRootOfTheirPods) {
  const Release release = with_queued_groups().world.release;
  reference::GroupEntry group{"default", "g"};
  group.since_ns = 0;
  EXPECT_EQ(reference::backoff_end_ns(group, release), 0);
  group.unschedulable_attempts = 9;
  const std::vector<Quantity> seconds = {10, 14, 17, 20, 22, 24, 26, 28, 30};
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    group.backoff_pods = static_cast<Quantity>(i) + 1;
    EXPECT_EQ(reference::backoff_end_ns(group, release), seconds[i] * k_second);
  }
  group.errors_in_a_row = 1;
  EXPECT_EQ(reference::backoff_end_ns(group, release), k_second);
}

// QUE-ENTITY-6, QUE-BACKOFF-3: the longest backoff of a group is exact to the nanosecond. A backoff ends
// at a whole second, so a group that was put back a nanosecond earlier may end it a second earlier.
TEST(QueuedGroups, BackOffForWholeNanoseconds) {
  for (const Quantity seconds : {1, 2, 7, 10, 300}) {
    for (Quantity pods = 1; pods <= 15; ++pods) {
      const Quantity since_ns = 10'000 * k_second - scaled_backoff_ns(seconds, pods);
      EXPECT_EQ(end_of_backoff(seconds, pods, since_ns), 10'000 * k_second) << seconds << " " << pods;
      EXPECT_EQ(end_of_backoff(seconds, pods, since_ns - 1), 9'999 * k_second) << seconds << " " << pods;
    }
  }
}

// QUE-ENTITY-6: the longest backoff of a large group is exact, too.
TEST(QueuedGroups, BackOffWithManyPods) {
  for (const auto& [seconds, pods] : {std::pair(300, 100), std::pair(10, 5'000)}) {
    const Quantity since_ns = 10'000 * k_second - scaled_backoff_ns(seconds, pods);
    EXPECT_EQ(end_of_backoff(seconds, pods, since_ns), 10'000 * k_second) << pods;
  }
  // The longest one that a number of 63 bits allows.
  EXPECT_EQ(end_of_backoff(1'000'000, 160'000, 0), 400'000'000 * k_second);
}

// QUE-BACKOFF-3: a group backs off through the second in which its backoff ends.
TEST(QueuedGroups, BackOffThroughTheirLastSecond) {
  const Release release = with_queued_groups().world.release;
  reference::GroupEntry group{"default", "g"};
  group.unschedulable_attempts = 1;
  group.backoff_pods = 1;
  const Quantity end_ns = reference::backoff_end_ns(group, release);
  EXPECT_TRUE(reference::is_backing_off(group, end_ns + k_second - 1, release));
  EXPECT_FALSE(reference::is_backing_off(group, end_ns + k_second, release));
}

// QUE-ENTITY-7
TEST(QueuedGroups, DoNotPreemptInAProfileWithoutPreemption) {
  Play play = with_group(1000);
  play.world.release.preempts = false;
  EXPECT_EQ(cycles(play), CycleOutcome::none);
  EXPECT_EQ(place_of(play, "a"), "backoff");
}

// QUE-ENTITY-7
TEST(QueuedGroups, SkipPreemptionForSpreading) {
  Play play = with_queued_groups();
  play.node("n1", 1000);
  writes(play, group_of({}));
  PodObject victim = member("v");
  victim.pod_group.clear();
  victim.pod.priority = 1;
  victim.pod.node_name = "n1";
  writes(play, victim);
  PodObject spread = member("a");
  TopologySpreadConstraint constraint;
  constraint.topology_key = "kubernetes.io/hostname";
  constraint.when_unsatisfiable = "DoNotSchedule";
  constraint.max_skew = 1;
  constraint.label_selector = LabelSelector{};
  spread.pod.topology_spread.push_back(constraint);
  writes(play, spread);
  EXPECT_EQ(cycles(play), CycleOutcome::skipped);
}

// QUE-PERMIT-1, QUE-GANG-3
TEST(QueuedGroups, SkipTwoWaits) {
  Play play = with_queued_groups();
  play.node("n1", 4000);
  writes(play, group_of(2));
  writes(play, patient(member("a")));
  writes(play, member("b"));
  EXPECT_EQ(cycles(play), CycleOutcome::skipped);
}

// QUE-ACTIVATE-1, QUE-ENTITY-1: the activation of a pod of a group is no event for its attempt.
TEST(QueuedGroups, HaveNoEventsOfActivations) {
  Play unknown = with_queued_groups();
  writes(unknown, member("a"));
  Play known = with_group(1000);
  EXPECT_EQ(cycles(known), CycleOutcome::none);
  ASSERT_EQ(place_of(known, "a"), "backoff");
  for (Play* play : {&unknown, &known}) {
    play->world.queue.in_flight = {{"u-a", "default/a", {}}};
    reference::activate(play->world, member("a"));
    EXPECT_TRUE(reference::events_in_flight(play->world.queue, "u-a").empty());
  }
  EXPECT_EQ(place_of(known, "a"), "active");
}

// NOM-ADD-1: from v1.37 on a new pod of a group that wakes another pod leaves its nomination in memory.
TEST(QueuedGroups, LeaveNominationsInMemory) {
  Play play = with_queued_groups();
  play.node("n1", 1000);
  writes(play, single("v", 1, 1000, "n1"));
  writes(play, single("p", 10));
  play.holds(CallKind::patch, "p");
  EXPECT_EQ(cycles(play), CycleOutcome::nominated);
  play.answers(CallKind::patch, "p", CallResult::error).advances(20'000);
  ASSERT_EQ(play.place("p"), "unschedulable");
  play.world.queue.unschedulable.front().rejectors.clear();  // any event wakes it
  writes(play, group_of({}));  // wakes p, too, which goes back for the next event
  play.world.queue.unschedulable = play.world.queue.active;
  play.world.queue.active.clear();
  writes(play, member("a"));
  EXPECT_EQ(play.place("p"), "active");
  EXPECT_EQ(play.nominated("p"), "n1");
}

}  // namespace touchstone::tests::queued_group_test
