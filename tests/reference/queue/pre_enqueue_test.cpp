#include <gtest/gtest.h>

#include "reference/queue/scheduling_queue.hpp"
#include "tests/reference/queue/pending_pods.hpp"

/// The PreEnqueue plug-ins, which gate pods of the queue.
namespace touchstone::tests::pre_enqueue_test {

using namespace pending_pods;

constexpr const char* k_32 = "v1.32.2";
constexpr const char* k_33 = "v1.33.13";
constexpr const char* k_34 = "v1.34.4";
constexpr const char* k_35 = "v1.35.4";
constexpr const char* k_36 = "v1.36.3";
constexpr const char* k_37 = "v1.37.2";

namespace {

Pod gated(Pod pod) {
  pod.scheduling_gates = {"g"};
  return pod;
}

}  // namespace

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

// QUE-GATE-1, QUE-GATE-3: all PreEnqueue plug-ins judge a pod anew on its way to the backoff part.
TEST(Gates, AreJudgedAnewOnTheWayToTheBackoffPart) {
  for (const char* release : {k_35, k_36}) {
    Play play = evicting(release);
    play.updates(pod("p", 10, 900));
    EXPECT_EQ(play.entry("p").gated_by, "DefaultPreemption") << release;
    play.updates(gated(pod("p", 10, 800)));
    EXPECT_EQ(play.entry("p").gated_by, "SchedulingGates") << release;
  }
}

}  // namespace touchstone::tests::pre_enqueue_test
