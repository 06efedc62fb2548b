#include <gtest/gtest.h>

#include "reference/queue/scheduling_queue.hpp"
#include "tests/reference/queue/pending_pods.hpp"
#include "tests/support/topology.hpp"

/// Updates and deletions of queued pods.
namespace touchstone::tests::queue_update_test {

using namespace pending_pods;

constexpr const char* k_32 = "v1.32.2";
constexpr const char* k_33 = "v1.33.13";
constexpr const char* k_35 = "v1.35.4";
constexpr const char* k_36 = "v1.36.3";
constexpr const char* k_37 = "v1.37.2";

namespace {

Pod of_other_scheduler(Pod pod) {
  pod.scheduler_name = "other";
  return pod;
}

/// p spreads over zones, and counts pods with the label app=x.
Pod spreading(Quantity cpu = 1000) { return spread(pod("p", 10, cpu), {over("zone", "x")}); }

/// p has failed, since no node has a zone.
Play failed_without_zones(const char* release) {
  Play play(release);
  play.node("n1", 4000).creates(spreading());
  play.cycle();
  return play;
}

/// In v1.32 p is in the backoff part and in the unschedulable one: its new label wakes it, a smaller
/// request does not.
Play in_two_parts() {
  Play play = failed_without_zones(k_32);
  play.updates(with_app(spreading(900), "x"));
  EXPECT_EQ(play.world.queue.backoff.size(), 1U);
  EXPECT_EQ(play.world.queue.unschedulable.size(), 1U);
  return play;
}

}  // namespace

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

// QUE-UPDATE-2, EVT-HINT-1: even an update that changes nothing moves a pod without rejectors.
TEST(Queue, MovesAPodWithoutRejectorsAtAnyUpdate) {
  for (const char* release : {k_36, k_37}) {
    Play play = failed(release);
    play.world.queue.unschedulable.front().rejectors.clear();
    play.advances(5000).updates(pod("p", 10, 1000));
    EXPECT_EQ(play.place("p"), "active") << release;
  }
}

// QUE-UPDATE-2: the event that moves a pod to the active part ends the update.
TEST(Update, EndsInTheActivePart) {
  for (const char* release : {k_32, k_36}) {
    Play play = failed_without_zones(release);
    play.advances(20'000).updates(with_app(spreading(900), "x"));
    EXPECT_EQ(play.place("p"), "active") << release;
    EXPECT_TRUE(play.world.queue.unschedulable.empty()) << release;
  }
}

// QUE-UPDATE-2, QUE-GATE-3: an update of a pod that preempts has two events. The first one leaves the pod
// gated, so the second one is judged, too.
TEST(Update, OfAGatedPodIsJudgedByEachEvent) {
  Play kept = evicting(k_36);
  kept.updates(with_toleration(pod("p", 10, 900)));
  EXPECT_EQ(kept.entry("p").gated_by, "DefaultPreemption");
  Play twice = evicting(k_36);
  twice.world.wakes.clear();
  twice.updates(with_toleration(with_app(of_other_scheduler(pod("p", 10, 1000)), "x")));
  EXPECT_EQ(twice.world.wakes.size(), 2U);
}

// NOM-ADD-1, NOM-UPDATE-1: a nomination in memory outlives an update that moves the pod to the backoff
// part, and one with an event of its own, as a smaller request is.
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

// QUE-UPDATE-2, QUE-MOVE-1: in v1.32 a pod that is in two parts of the queue leaves both for the active
// part.
TEST(Queue, MovesAPodOutOfBothParts) {
  Play play = in_two_parts();
  play.advances(301'000).flushes_leftover();
  EXPECT_EQ(play.place("p"), "active");
  EXPECT_TRUE(play.world.queue.backoff.empty());
  EXPECT_TRUE(play.world.queue.unschedulable.empty());
}

// QUE-DELETE-1: in v1.32 a deleted pod that is in two parts of the queue leaves both.
TEST(Queue, DeletesAPodFromBothParts) {
  Play play = in_two_parts();
  play.removes("p");
  EXPECT_EQ(play.place("p"), "");
}

}  // namespace touchstone::tests::queue_update_test
