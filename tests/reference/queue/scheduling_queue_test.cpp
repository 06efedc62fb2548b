#include "reference/queue/scheduling_queue.hpp"

#include <gtest/gtest.h>

#include "tests/reference/queue/pending_pods.hpp"

namespace touchstone::tests::scheduling_queue_test {

using namespace pending_pods;

constexpr const char* k_32 = "v1.32.2";
constexpr const char* k_33 = "v1.33.13";
constexpr const char* k_36 = "v1.36.3";

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

// QUE-ADD-1, NOM-ADD-1, QUE-BACKOFF-2: an addition, a nomination and a backoff cite their clauses.
TEST(Queue, CitesWhatDecided) {
  Play play = failed(k_36);
  EXPECT_TRUE(play.world.cited.contains("QUE-ADD-1"));
  EXPECT_FALSE(play.world.cited.contains("QUE-BACKOFF-2"));
  EXPECT_FALSE(play.world.cited.contains("NOM-ADD-1"));
  play.removes("v");
  EXPECT_TRUE(play.world.cited.contains("QUE-BACKOFF-2"));
  Pod nominated = pod("q", 0, 100);
  nominated.nominated_node_name = "n1";
  play.creates(nominated);
  EXPECT_TRUE(play.world.cited.contains("NOM-ADD-1"));
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

// QUE-FLIGHT-1, QUE-ACTIVATE-1: the activation of a pod in flight wakes no other pod in flight.
TEST(Activation, OfAPodInFlightWakesThisPodAlone) {
  for (const char* name : {"x", "y"}) {
    Play play(k_36);
    for (const char* each : {"x", "y"})
      play.world.queue.in_flight.push_back({std::string("u-") + each, std::string("default/") + each, {}});
    PodObject activated{pod("x", 0, 100), 30, {}};
    activated.pod.uid = "u-x";
    reference::activate(play.world, activated);
    Entry failed_one;
    failed_one.object.pod = pod(name, 0, 100);
    failed_one.object.pod.uid = std::string("u-") + name;
    failed_one.rejectors = {"NodeResourcesFit"};
    reference::put_back(play.world, failed_one);
    EXPECT_EQ(play.place(name), name == std::string("x") ? "backoff" : "unschedulable");
  }
}

// QUE-ACTIVATE-1: the activation of a pod that is queued is no event for an attempt with the same UID.
TEST(Activation, OfAQueuedPodIsNoEventInFlight) {
  for (const bool backs_off : {false, true}) {
    Play play = failed(k_36);
    if (backs_off) play.removes("v");
    const PodObject queued = play.entry("p").object;
    play.world.queue.in_flight.push_back({"u-p", "default/p", {}});
    reference::activate(play.world, queued);
    EXPECT_EQ(play.place("p"), "active");
    EXPECT_TRUE(reference::events_in_flight(play.world.queue, "u-p").empty());
  }
}

}  // namespace touchstone::tests::scheduling_queue_test
