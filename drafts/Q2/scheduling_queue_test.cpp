// goes into tests/reference/queue/scheduling_queue_test.cpp
#include "reference/queue/scheduling_queue.hpp"

#include <gtest/gtest.h>

#include "reference/queue/cluster_events.hpp"
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

// ---- new from here on ----

namespace {

constexpr const char* k_34 = "v1.34.4";
constexpr const char* k_35 = "v1.35.4";

Pod gated(Pod pod) {
  pod.scheduling_gates = {"g"};
  return pod;
}

Pod with_toleration(Pod pod) {
  pod.tolerations = {{"k", "Exists", "", ""}};
  return pod;
}

Pod of_other_scheduler(Pod pod) {
  pod.scheduler_name = "other";
  return pod;
}

/// v fills n1, and the call that deletes it for p waits.
Play evicting(const char* release) {
  Play play(release);
  play.node("n1", 1000).creates(placed(pod("v", 0, 1000), "n1")).creates(pod("p", 10, 1000));
  play.holds(CallKind::remove, "v").cycle();
  return play;
}

/// p is nominated in memory alone, for the patch of its status failed.
Play nominated_in_memory(const char* release) {
  Play play(release);
  play.node("n1", 1000).creates(placed(pod("v", 0, 1000), "n1")).creates(pod("p", 10, 1000));
  play.holds(CallKind::patch, "p").cycle();
  play.answers(CallKind::patch, "p", CallResult::error);
  EXPECT_EQ(play.nominated("p"), "n1");
  return play;
}

/// Wants to run beside a pod with the label app=x.
Pod drawn() {
  Pod made = pod("p", 10, 1000);
  PodAffinityTerm term;
  term.topology_key = "kubernetes.io/hostname";
  term.label_selector = LabelSelector{{{"app", "x"}}, {}};
  made.pod_affinity = {term};
  return made;
}

/// Spreads over zones, and counts pods with the label app=x.
Pod spreading(Quantity cpu = 1000) {
  Pod made = pod("p", 10, cpu);
  TopologySpreadConstraint spread;
  spread.topology_key = "zone";
  spread.when_unsatisfiable = "DoNotSchedule";
  spread.max_skew = 1;
  spread.label_selector = LabelSelector{{{"app", "x"}}, {}};
  made.topology_spread = {spread};
  return made;
}

/// p has failed, since no node has a zone.
Play alone(const char* release) {
  Play play(release);
  play.node("n1", 4000).creates(spreading());
  play.cycle();
  return play;
}

/// In v1.32 p is in the backoff part and in the unschedulable one: its new label wakes it, a smaller request
/// does not.
Play in_two_parts() {
  Play play = alone(k_32);
  play.updates(with_app(spreading(900), "x"));
  EXPECT_EQ(play.world.queue.backoff.size(), 1U);
  EXPECT_EQ(play.world.queue.unschedulable.size(), 1U);
  return play;
}

}  // namespace

// QUE-ADD-1, NOM-ADD-1, QUE-BACKOFF-2: the clauses of an addition, of a nomination and of a backoff.
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

// QUE-GATE-1, QUE-FLUSH-1, QUE-ACTIVATE-1: a pod that got a gate during its backoff leaves the backoff part
// for the unschedulable one. No API server admits the update, but a timeline may contain it.
TEST(Gates, StopAPodThatLeavesTheBackoffPart) {
  for (const bool has_gate : {false, true}) {
    Play play = failed(k_32);
    play.removes("v");
    ASSERT_EQ(play.place("p"), "backoff");
    if (has_gate) play.updates(gated(pod("p", 10, 1000)));
    play.advances(20'000).flushes_backoff();
    EXPECT_EQ(play.place("p"), has_gate ? "unschedulable" : "active");

    Play other = evicting(k_34);
    other.node("n2", 100).updates(node_with("n2", 1000));
    ASSERT_EQ(other.place("p"), "backoff");
    if (has_gate) other.updates(gated(pod("p", 10, 1000)));
    other.answers(CallKind::remove, "v", CallResult::error);
    EXPECT_EQ(other.place("p"), has_gate ? "unschedulable" : "active");
    EXPECT_EQ(other.world.wakes.back().by, "the end of its preemption, in which a call failed");
  }
}

// QUE-FLUSH-1: each entry of the backoff part has its own end.
TEST(Backoff, OfOnePodDoesNotKeepAnotherOne) {
  Play play(k_36);
  for (const auto& [name, failures] : {std::pair("long", 5), std::pair("short", 1)}) {
    Entry entry;
    entry.object.pod = pod(name, 0, 100);
    entry.rejectors = {"NodeResourcesFit"};
    entry.unschedulable_attempts = failures;
    play.world.queue.backoff.push_back(entry);
  }
  play.advances(3'000).flushes_backoff();
  EXPECT_EQ(play.place("long"), "backoff");
  EXPECT_EQ(play.place("short"), "active");
}

// QUE-BACKOFF-2: errors in a row count from the last rejection on, and rejections count through errors.
TEST(Backoff, CountsErrorsInARow) {
  Play play(k_36);
  Entry entry;
  entry.object.pod = pod("p", 0, 100);
  entry.object.pod.uid = "u-p";
  const std::vector<std::pair<bool, Quantity>> steps = {{true, 1}, {true, 2},  {false, 1}, {false, 2},
                                                        {true, 4}, {false, 1}, {true, 8}};
  for (const auto& [is_rejected, seconds] : steps) {
    entry.rejectors.clear();
    if (is_rejected) entry.rejectors.insert("NodeResourcesFit");
    play.advances(1'000);
    reference::put_back(play.world, entry);
    entry = play.entry("p");
    EXPECT_EQ(reference::backoff_end_ns(entry, play.world.release) - play.world.now_ns,
              seconds * 1'000'000'000);
    play.world.queue.backoff.clear();
    play.world.queue.unschedulable.clear();
  }
}

// QUE-FLUSH-2: a pod that an update moved to the end of the unschedulable part has waited for as long as
// before.
TEST(Leftover, IsFlushedInAnyOrder) {
  Play play = failed(k_36);
  play.advances(200'000).creates(pod("q", 10, 1000));
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::none);
  play.updates(with_toleration(pod("p", 10, 1000)));
  ASSERT_EQ(play.world.queue.unschedulable.back().object.pod.name, "p");
  play.advances(101'000).flushes_leftover();
  EXPECT_EQ(play.place("p"), "active");
  EXPECT_EQ(play.place("q"), "unschedulable");
}

// QUE-GATE-1, QUE-GATE-3: a pod on its way to the backoff part is judged by all plug-ins anew.
TEST(Gates, AreJudgedAnewOnTheWayToTheBackoffPart) {
  for (const char* release : {k_35, k_36}) {
    Play play = evicting(release);
    play.updates(pod("p", 10, 900));
    EXPECT_EQ(play.entry("p").gated_by, "DefaultPreemption") << release;
    play.updates(gated(pod("p", 10, 800)));
    EXPECT_EQ(play.entry("p").gated_by, "SchedulingGates") << release;
  }
}

// QUE-UPDATE-2, QUE-GATE-3: an update with two events of a pod that preempts. The first event leaves the pod
// gated; then the second one is judged, too.
TEST(Update, OfAGatedPodIsJudgedByEachEvent) {
  Play kept = evicting(k_36);
  kept.updates(with_toleration(pod("p", 10, 900)));
  EXPECT_EQ(kept.entry("p").gated_by, "DefaultPreemption");
  Play twice = evicting(k_36);
  twice.world.wakes.clear();
  twice.updates(with_toleration(with_app(of_other_scheduler(pod("p", 10, 1000)), "x")));
  EXPECT_EQ(twice.world.wakes.size(), 2U);
}

// QUE-UPDATE-2: the event that moves a pod to the active part ends the update.
TEST(Update, EndsInTheActivePart) {
  for (const char* release : {k_32, k_36}) {
    Play play = alone(release);
    play.advances(20'000).updates(with_app(spreading(900), "x"));
    EXPECT_EQ(play.place("p"), "active") << release;
    EXPECT_TRUE(play.world.queue.unschedulable.empty()) << release;
  }
}

// NOM-ADD-1, NOM-UPDATE-1: a nomination in memory survives an update that moves the pod to the backoff part,
// or by an event of another type than that of any change.
TEST(Update, KeepsANominationInMemory) {
  for (const char* release : {k_35, k_36}) {
    Play play = nominated_in_memory(release);
    play.updates(of_other_scheduler(pod("p", 10, 1000)));
    EXPECT_EQ(play.place("p"), "backoff") << release;
    EXPECT_EQ(play.nominated("p"), "n1") << release;
    Play smaller = nominated_in_memory(release);
    smaller.advances(20'000).updates(pod("p", 10, 900));
    EXPECT_EQ(smaller.place("p"), "active") << release;
    EXPECT_EQ(smaller.nominated("p"), "n1") << release;
  }
}

// QUE-UPDATE-3: an update of a pod in flight wakes it when it is put back.
TEST(Update, OfAPodInFlightCountsInTheEnd) {
  for (const bool counts : {false, true}) {
    Play play(k_32);
    Node zoned = node_with("n1", 1000);
    zoned.labels["zone"] = "z";
    play.creates(zoned).node("n2", 4000).creates(placed(pod("v", 0, 1000), "n1")).creates(spreading());
    play.holds(CallKind::remove, "v").cycle();
    ASSERT_EQ(play.place("p"), "in flight");
    play.updates(counts ? with_app(spreading(), "x") : with_toleration(spreading()));
    play.answers(CallKind::remove, "v", CallResult::ok);
    EXPECT_EQ(play.place("p"), counts ? "backoff" : "unschedulable");
  }
}

// QUE-UPDATE-2, QUE-MOVE-1: in v1.32 a pod that is in two parts of the queue leaves both for the active part.
TEST(Queue, MovesAPodOutOfBothParts) {
  Play play = in_two_parts();
  play.advances(301'000).flushes_leftover();
  EXPECT_EQ(play.place("p"), "active");
  EXPECT_TRUE(play.world.queue.backoff.empty());
  EXPECT_TRUE(play.world.queue.unschedulable.empty());
}

// QUE-DELETE-1: in v1.32 a deleted pod that is in two parts of the queue leaves both.
TEST(Queue, DISABLED_DeletesAPodFromBothParts) {
  Play play = in_two_parts();
  play.removes("p");
  EXPECT_EQ(play.place("p"), "");
}

// QUE-CYCLE-3, NOM-COUNT-1: a nomination in memory keeps lower pods away, and does not count for its own pod,
// even if that is in no part of the queue.
TEST(Nominations, InMemoryCountForOthersAlone) {
  Play play(k_36);
  play.node("n1", 3000).creates(placed(pod("v", 0, 2000), "n1")).creates(pod("p", 10, 2000));
  play.holds(CallKind::patch, "p").cycle();
  play.answers(CallKind::patch, "p", CallResult::error).creates(pod("lower", 0, 1000));
  ASSERT_EQ(play.place("p"), "unschedulable");
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::none);

  Play own(k_36);
  Node small = node_with("n1", 3000);
  small.allocatable["pods"] = 1;
  Pod nominated = pod("p", -5, 100);
  nominated.nominated_node_name = "n1";
  own.creates(small).creates(nominated);
  EXPECT_EQ(own.cycle().outcome, CycleOutcome::scheduled);
}

// QUE-FLIGHT-1, QUE-ACTIVATE-1: the activation of a pod in flight concerns no other pod in flight.
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

// EVT-CHANGE-1: from v1.37 on a pod that requests more has an event of its own.
TEST(Events, OfRequestsNameTheirDirection) {
  using reference::EventType;
  const auto types = [](Quantity before, Quantity now) {
    const PodObject old_pod{pod("p", 0, before), 30, {}};
    const PodObject new_pod{pod("p", 0, now), 30, {}};
    std::vector<EventType> found;
    for (const auto& each : reference::events_of_update(old_pod, new_pod, true, release(k_37)))
      found.push_back(each.type);
    return found;
  };
  EXPECT_EQ(types(100, 200), std::vector<EventType>{EventType::pod_scaled_up});
  EXPECT_EQ(types(200, 100), std::vector<EventType>{EventType::pod_scaled_down});
}

// NOM-ADD-1: a pod on a node that wakes a pending pod does not end its nomination in memory.
TEST(Nominations, InMemoryOutliveAPodThatIsAdded) {
  for (const char* release : {k_35, k_36}) {
    Play play(release);
    play.node("n1", 2000).node("n2", 4000);
    play.creates(placed(with_app(pod("x", 99, 0), "x"), "n1")).creates(placed(pod("v", 0, 2000), "n1"));
    play.creates(drawn()).holds(CallKind::patch, "p").cycle();
    play.answers(CallKind::patch, "p", CallResult::error).advances(20'000);
    ASSERT_EQ(play.place("p"), "unschedulable") << release;
    ASSERT_EQ(play.nominated("p"), "n1") << release;
    play.creates(placed(with_app(pod("y", 99, 0), "x"), "n2"));
    EXPECT_EQ(play.place("p"), "active") << release;
    EXPECT_EQ(play.nominated("p"), "n1") << release;
  }
}

}  // namespace touchstone::tests::scheduling_queue_test
