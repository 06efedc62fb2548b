#include "reference/queue/scheduling_queue.hpp"

#include <gtest/gtest.h>

#include "tests/support/play.hpp"

namespace touchstone::tests::scheduling_queue_test {

constexpr const char* k_32 = "v1.32.2";
constexpr const char* k_33 = "v1.33.13";
constexpr const char* k_36 = "v1.36.3";
constexpr const char* k_37 = "v1.37.2";

/// n1 is full of v, and p, of the same priority, has failed.
Play failed(const char* release) {
  Play play(release);
  play.node("n1", 1000).creates(placed(pod("v", 10, 1000), "n1")).creates(pod("p", 10, 1000));
  play.cycle();
  return play;
}

// QUE-START-1, QUE-ADD-1, QUE-SETTLE-1: pending pods are active from the start, in list order.
TEST(Queue, HasThePendingPodsOfItsScheduler) {
  Pod other = pod("other", 0, 100);
  other.scheduler_name = "other-scheduler";
  const World world = reference::world_of(release(k_36), 7,
                                          {{PodObject{pod("a", 0, 100), 30, {}},
                                            PodObject{pod("b", 0, 100), 30, {}}, PodObject{other, 30, {}}},
                                           {},
                                           {}})
                          .value();
  ASSERT_EQ(world.queue.active.size(), 2U);
  EXPECT_EQ(world.queue.active[0].object.pod.name, "a");
  EXPECT_EQ(world.queue.active[1].since_ns, 7);
  EXPECT_TRUE(world.events.empty());
  EXPECT_FALSE(reference::world_of(release(k_36), 0, {{}, {Node{}, Node{}}, {}}));
  EXPECT_FALSE(reference::world_of(release(k_36), 0, {{PodObject{}, PodObject{}}, {}, {}}));
  EXPECT_FALSE(
      reference::world_of(release(k_36), 0, {{}, {}, {PodDisruptionBudget{}, PodDisruptionBudget{}}}));
  EXPECT_FALSE(reference::world_of(
      release(k_36), 0, {{}, {}, {}, {WorkloadGroups{"a", "w", {}}, WorkloadGroups{"a", "w", {}}}}));
  const PodGroupObject group{"a", "g", 1};
  EXPECT_FALSE(reference::world_of(release(k_36), 0, {{}, {}, {}, {}, {group, group}}));
}

// QUE-ORDER-1, QUE-POP-1: the highest priority first, then the earliest time.
TEST(Queue, PopsTheHighestPriorityThenTheEarliest) {
  Play play(k_36);
  play.node("n1", 100).creates(pod("low", 0, 1000)).advances(1).creates(pod("late", 5, 1000));
  play.advances(-2).creates(pod("early", 5, 1000));
  EXPECT_EQ(play.cycle().pod, "default/early");
  EXPECT_EQ(play.cycle().pod, "default/late");
  EXPECT_EQ(play.cycle().pod, "default/low");
  EXPECT_EQ(play.entry("low").attempts, 1);
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::idle);
}

// QUE-POP-1: an entry of a pod in flight is dropped.
TEST(Queue, DropsAnEntryWhosePodIsInFlight) {
  Play play(k_36);
  play.creates(pod("p", 0, 100));
  play.world.queue.in_flight.push_back({"u-p", "default/p", {}});
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::idle);
  EXPECT_TRUE(play.world.queue.active.empty());
}

// QUE-POP-1: which rejectors a popped pod has.
TEST(Queue, ClearsRejectorsAtPopUpToV1_35) {
  for (const auto& [release, count] : {std::pair("v1.35.4", 0U), std::pair(k_36, 1U)}) {
    Play play = failed(release);
    play.removes("v").advances(3000).flushes_backoff();
    ASSERT_EQ(play.place("p"), "active");
    const std::optional<Entry> popped = reference::pop(play.world, play.world.queue.active.front());
    EXPECT_EQ(popped->rejectors.size(), count) << release;
  }
}

// QUE-POP-2: from v1.33 on a pod is popped from the backoff part, but not after an error.
TEST(Queue, PopsFromTheBackoffPartFromV1_33On) {
  for (const char* release : {k_32, k_33}) {
    Play play = failed(release);
    play.removes("v");
    ASSERT_EQ(play.place("p"), "backoff");
    EXPECT_EQ(play.cycle().outcome, release == k_32 ? CycleOutcome::idle : CycleOutcome::scheduled)
        << release;
  }
  Play without_nodes(k_33);
  without_nodes.creates(pod("p", 0, 100));
  EXPECT_EQ(without_nodes.cycle().outcome, CycleOutcome::none);
  EXPECT_EQ(without_nodes.place("p"), "backoff");
  EXPECT_EQ(without_nodes.cycle().outcome, CycleOutcome::idle);
}

// QUE-POP-3: terminating and assumed pods are left alone.
TEST(Queue, DropsPoppedPodsThatTerminateOrAreAssumed) {
  Play play(k_36);
  Pod terminating = pod("p", 0, 100);
  terminating.terminating = true;
  play.node("n1", 1000).creates(terminating).creates(pod("q", 0, 100));
  play.world.cache.assumed.insert("u-q");
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::dropped);
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::dropped);
  EXPECT_EQ(play.place("p") + play.place("q"), "");
}

// QUE-PUTBACK-2, QUE-MOVE-1: a rejected pod waits for an event that wakes it, first in backoff.
TEST(Queue, PutsARejectedPodBackAsUnschedulable) {
  Play play = failed(k_36);
  EXPECT_EQ(play.place("p"), "unschedulable");
  EXPECT_EQ(play.entry("p").rejectors, std::set<std::string>{"NodeResourcesFit"});
  play.removes("v");
  EXPECT_EQ(play.place("p"), "backoff");
  Play later = failed(k_36);
  later.advances(2000).removes("v");
  EXPECT_EQ(later.place("p"), "active");
}

// QUE-PUTBACK-1, QUE-FAIL-2, NOM-FAIL-1: up to v1.35 a pod that was made again is taken for the failed one.
TEST(Queue, TakesAPodThatWasMadeAgainForTheFailedOneUpToV1_35) {
  Play play(k_32);
  play.node("n1", 1000).creates(placed(pod("v", 0, 1000), "n1")).creates(pod("p", 10, 1000));
  play.holds(CallKind::remove, "v");
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::open);
  Pod again = pod("p", 10, 1000);
  again.uid = "again";
  play.deletes("p").creates(again).answers(CallKind::remove, "v", CallResult::ok);
  EXPECT_EQ(play.place("p"), "active");
  EXPECT_EQ(reference::nominated_node_of(play.world.nominations, "again"), "n1");
  EXPECT_EQ(play.world.queue.in_flight.front().uid, "u-p");
}

// QUE-FAIL-2: from v1.36 on such a pod is left alone.
TEST(Queue, LeavesAPodThatWasMadeAgainAloneFromV1_36On) {
  for (const auto& [release, nominated] : {std::pair("v1.35.4", false), std::pair(k_36, true)}) {
    Play play(release);
    Pod again = pod("p", 10, 1000);
    again.uid = "again";
    play.node("n1", 1000).creates(pod("p", 10, 1000)).holds(CallKind::bind, "p");
    play.cycle();
    play.holds(WatchedKind::pod).deletes("p").creates(again).delivers(WatchedKind::pod);
    play.world.queue.in_flight.push_back({"again", "default/p", {}});
    play.answers(CallKind::bind, "p", CallResult::error);
    const bool has_patch = !play.calls().empty();
    EXPECT_EQ(has_patch, !nominated) << release;
  }
}

// QUE-FLIGHT-1, QUE-UPDATE-3: events during a flight wake the pod that is put back; an update only adds
// events.
TEST(Queue, RemembersTheEventsOfAFlight) {
  Play play(k_32);
  play.node("n1", 1000).creates(placed(pod("v", 0, 1000), "n1")).creates(pod("p", 10, 1000));
  play.holds(CallKind::remove, "v");
  play.cycle();
  EXPECT_EQ(play.place("p"), "in flight");
  play.updates(with_app(pod("p", 10, 1000), "x"));
  EXPECT_EQ(play.place("p"), "in flight");
  play.node("n2", 1000).answers(CallKind::remove, "v", CallResult::ok);
  EXPECT_EQ(play.place("p"), "backoff");
  EXPECT_TRUE(play.world.queue.in_flight.empty());
}

// QUE-UPDATE-1, QUE-DELETE-1: an update keeps the place; a deletion ends it.
TEST(Queue, ReplacesAPodInPlaceAndDeletesIt) {
  Play play = failed(k_36);
  play.removes("v").updates(with_app(pod("p", 10, 1000), "x"));
  EXPECT_EQ(play.place("p"), "backoff");
  EXPECT_EQ(play.entry("p").object.pod.labels.at("app"), "x");
  play.deletes("p");
  EXPECT_EQ(play.place("p"), "");
}

// QUE-UPDATE-2: up to v1.32 a move to the backoff part does not end an update.
TEST(Queue, MayPutAnUpdatedPodIntoTwoPartsInV1_32) {
  for (const char* release : {k_32, k_33}) {
    Play play(release);
    Node tainted = node_with("n1", 1000);
    tainted.taints = {{"k", "v", "NoSchedule"}};
    Pod gone = pod("p", 10, 1000);
    gone.labels = {{"a", "b"}};
    play.creates(tainted).creates(gone);
    play.cycle();
    gone.tolerations = {{"other", "Exists", "", ""}};
    gone.labels = {};
    play.updates(gone);
    EXPECT_EQ(play.place("p"), "backoff") << release;
    EXPECT_TRUE(play.world.queue.unschedulable.empty()) << release;
    Play both(release);
    Pod gated = pod("q", 10, 1000);
    both.creates(tainted).creates(gated);
    both.cycle();
    both.world.queue.unschedulable.front().rejectors = {"TaintToleration", "SchedulingGates"};
    PodObject before = both.world.queue.unschedulable.front().object;
    before.pod.scheduling_gates = {"g"};
    PodObject now = before;
    now.pod.scheduling_gates.clear();
    now.pod.tolerations = {{"other", "Exists", "", ""}};
    both.world.queue.unschedulable.front().rejectors = {"SchedulingGates"};
    reference::update_in_queue(both.world, before, now);
    EXPECT_EQ(both.place("q"), "backoff") << release;
    EXPECT_EQ(both.world.queue.unschedulable.size(), release == k_32 ? 1U : 0U) << release;
  }
}

// QUE-UPDATE-2, NOM-UPDATE-1: an update that is no event, of a pod without rejectors, moves it and renews its
// nomination.
TEST(Queue, MovesAPodWithoutRejectorsAtAnyUpdate) {
  for (const char* release : {k_36, k_37}) {
    Play play = failed(release);
    play.world.queue.unschedulable.front().rejectors.clear();
    play.advances(5000).updates(pod("p", 10, 1000));
    EXPECT_EQ(play.place("p"), "active") << release;
  }
}

// QUE-BACKOFF-1, QUE-BACKOFF-2: lengths and counts.
TEST(Backoff, DoublesWithTheFailuresThatCount) {
  Entry entry;
  EXPECT_EQ(reference::backoff_end_ns(entry, release(k_36)), 0);
  const auto seconds = [&entry](const char* name) {
    return reference::backoff_end_ns(entry, release(name)) / 1'000'000'000;
  };
  entry.attempts = 3;
  entry.unschedulable_attempts = 2;
  EXPECT_EQ(seconds(k_33), 4);
  EXPECT_EQ(seconds("v1.34.4"), 2);
  entry.errors_in_a_row = 1;
  EXPECT_EQ(seconds("v1.34.4"), 1);
  entry.attempts = 9;
  EXPECT_EQ(seconds(k_33), 10);
}

// QUE-BACKOFF-3, QUE-FLUSH-1: whole seconds from v1.33 on.
TEST(Backoff, EndsAtAWholeSecondFromV1_33On) {
  Entry entry;
  entry.attempts = 1;
  entry.unschedulable_attempts = 1;
  entry.since_ns = 400'000'000;
  EXPECT_TRUE(reference::is_backing_off(entry, 1'399'999'999, release(k_32)));
  EXPECT_FALSE(reference::is_backing_off(entry, 1'400'000'000, release(k_32)));
  EXPECT_TRUE(reference::is_backing_off(entry, 1'999'999'999, release(k_33)));
  EXPECT_FALSE(reference::is_backing_off(entry, 2'000'000'000, release(k_33)));
  Play play = failed(k_33);
  play.removes("v").advances(1900).flushes_backoff();
  EXPECT_EQ(play.place("p"), "backoff");
  play.advances(100).flushes_backoff();
  EXPECT_EQ(play.place("p"), "active");
}

// QUE-FLUSH-2, EVT-HINT-2: more than five minutes; from v1.37 on since the last flush.
TEST(Leftover, IsFlushedAfterFiveMinutes) {
  Play play = failed(k_36);
  play.advances(300'000).flushes_leftover();
  EXPECT_EQ(play.place("p"), "unschedulable");
  play.advances(1).flushes_leftover();
  EXPECT_EQ(play.place("p"), "active");
  for (const char* release : {k_36, k_37}) {
    Play gated(release);
    Pod pod_with_gate = pod("p", 0, 100);
    pod_with_gate.scheduling_gates = {"g"};
    gated.creates(pod_with_gate).advances(300'001).flushes_leftover();
    EXPECT_EQ(gated.place("p"), "unschedulable") << release;
    EXPECT_EQ(gated.entry("p").flushed_ns > 0, release == k_37) << release;
  }
}

// QUE-GATE-1, EVT-GATES-1: scheduling gates.
TEST(Gates, KeepAPodOutUntilTheLastIsRemoved) {
  Play play(k_36);
  Pod gated = pod("p", 0, 100);
  gated.scheduling_gates = {"a", "b"};
  play.creates(gated);
  EXPECT_EQ(play.place("p"), "unschedulable");
  EXPECT_EQ(play.entry("p").gated_by, "SchedulingGates");
  gated.scheduling_gates = {"b"};
  play.updates(gated);
  EXPECT_EQ(play.place("p"), "unschedulable");
  gated.scheduling_gates.clear();
  play.updates(gated);
  EXPECT_EQ(play.place("p"), "active");
}

// QUE-GATE-2: which gated pods an event passes over.
TEST(Gates, LetEventsPassOverByRelease) {
  Entry entry;
  reference::ClusterEvent added;
  added.type = reference::EventType::node_added;
  reference::ClusterEvent flush;
  flush.type = reference::EventType::leftover_flush;
  const reference::ClusterEvent gone = {reference::EventType::pod_deleted, reference::PodRole::assigned,
                                        PodObject{}};
  EXPECT_FALSE(reference::is_passed_over(entry, added, release(k_36)));
  entry.gated_by = "DefaultPreemption";
  entry.rejectors = {"DefaultPreemption", "NodeResourcesFit"};
  EXPECT_FALSE(reference::is_passed_over(entry, added, release(k_33)));
  EXPECT_TRUE(reference::is_passed_over(entry, added, release(k_36)));
  EXPECT_FALSE(reference::is_passed_over(entry, gone, release(k_36)));
  EXPECT_TRUE(reference::is_passed_over(entry, flush, release(k_36)));
  EXPECT_FALSE(reference::is_passed_over(entry, flush, release(k_37)));
  entry.rejectors = {"SchedulingGates"};
  EXPECT_TRUE(reference::is_passed_over(entry, added, release(k_33)));
}

// QUE-ACTIVATE-1: from each part; a pod in flight gets an event; others are ignored.
TEST(Activation, MovesAPodWithoutBackoff) {
  Play play = failed(k_36);
  reference::activate(play.world, play.entry("p").object);
  EXPECT_EQ(play.place("p"), "active");
  Play backoff = failed(k_36);
  backoff.removes("v");
  const PodObject object = backoff.entry("p").object;
  reference::activate(backoff.world, object);
  EXPECT_EQ(backoff.place("p"), "active");
  reference::pop(backoff.world, backoff.world.queue.active.front());
  reference::activate(backoff.world, object);
  ASSERT_EQ(backoff.world.queue.in_flight.size(), 2U);
  EXPECT_EQ(backoff.world.queue.in_flight[1].event.type, reference::EventType::forced_activation);
  reference::end_flight(backoff.world, "u-p");
  reference::activate(backoff.world, object);
  EXPECT_EQ(backoff.place("p"), "");
}

}  // namespace touchstone::tests::scheduling_queue_test
