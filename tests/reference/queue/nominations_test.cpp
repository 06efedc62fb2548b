#include "reference/queue/nominations.hpp"

#include <gtest/gtest.h>

#include "tests/reference/queue/pending_pods.hpp"
#include "tests/support/topology.hpp"

/// Nominations in the scheduler's memory.
namespace touchstone::tests::nominations_test {

using namespace pending_pods;

constexpr const char* k_34 = "v1.34.4";
constexpr const char* k_35 = "v1.35.4";
constexpr const char* k_36 = "v1.36.3";
constexpr const char* k_37 = "v1.37.2";

// NOM-ADD-1, NOM-UPDATE-1: a gated pod that enters with a nomination; an update brings it in every release.
TEST(Nominations, OfAGatedPod) {
  for (const char* release : {k_36, k_37}) {
    Play play(release);
    Pod gated = pod("p", 0, 1000);
    gated.scheduling_gates = {"g"};
    gated.nominated_node_name = "n1";
    play.node("n1", 1000).creates(gated);
    EXPECT_EQ(play.nominated("p"), release == k_37 ? "n1" : "") << release;
    play.updates(with_app(gated, "x"));
    EXPECT_EQ(play.nominated("p"), "n1");
  }
}

// NOM-ADD-2: pods that are not seen pending are not nominated.
TEST(Nominations, AreForPendingPodsAlone) {
  Play play(k_36);
  play.node("n1", 1000).creates(placed(pod("v", 0, 1), "n1")).creates(pod("p", 0, 1));
  for (const char* name : {"v", "x", "p"}) {
    PodObject object{pod(name, 0, 1), 30, {}};
    object.pod.uid = "u-" + std::string(name);
    reference::nominate(play.world, object, "n1");
  }
  EXPECT_EQ(play.nominated("v") + play.nominated("x"), "");
  EXPECT_EQ(play.nominated("p"), "n1");
  PodObject object{pod("p", 0, 1), 30, {}};
  object.pod.uid = "u-p";
  reference::nominate(play.world, object, "n2");
  EXPECT_EQ(play.nominated("p"), "n2");
  EXPECT_EQ(play.world.nominations.size(), 1U);
}

// NOM-UPDATE-1, NOM-FAIL-1: a nomination in memory outlives a refused patch and an update without a
// nomination.
TEST(Nominations, InMemoryOutliveAnUpdate) {
  Play play = nominated_in_memory(k_36);
  play.updates(with_app(pod("p", 10, 1000), "x"));
  EXPECT_EQ(play.nominated("p"), "n1");
  EXPECT_EQ(play.stored("p").nominated_node_name, "");
}

// NOM-COUNT-1: a nomination keeps lower pods away, and does not count for its own pod. During its attempt
// that pod is in no part of the queue, and counts as a pod of priority 0, which is above its own.
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

// NOM-ADD-1: a pod on a node that wakes a pending pod does not end its nomination in memory.
TEST(Nominations, InMemoryOutliveAPodThatIsAdded) {
  for (const char* release : {k_35, k_36}) {
    Play play(release);
    play.node("n1", 2000).node("n2", 4000);
    play.creates(placed(with_app(pod("x", 99, 0), "x"), "n1")).creates(placed(pod("v", 0, 2000), "n1"));
    play.creates(near(pod("p", 10, 1000), {by("kubernetes.io/hostname", "x")}));
    play.holds(CallKind::patch, "p").cycle();
    play.answers(CallKind::patch, "p", CallResult::error).advances(20'000);
    ASSERT_EQ(play.place("p"), "unschedulable") << release;
    ASSERT_EQ(play.nominated("p"), "n1") << release;
    play.creates(placed(with_app(pod("y", 99, 0), "x"), "n2"));
    EXPECT_EQ(play.place("p"), "active") << release;
    EXPECT_EQ(play.nominated("p"), "n1") << release;
  }
}

// NOM-ADD-1: a pod that a new node moves to the active part keeps its nomination.
TEST(Nominations, InMemoryOutliveAnEventThatMovesThePod) {
  for (const char* version : {k_35, k_36, k_37}) {
    Play play = nominated_in_memory(version);
    play.advances(20'000).node("n2", 1000);
    EXPECT_EQ(play.place("p"), "active") << version;
    EXPECT_EQ(play.nominated("p"), "n1") << version;
  }
}

// NOM-ADD-1, EVT-HINT-1: an update that moves the pod nominates it as its object says, up to v1.36. Any
// update moves a pod that now names another scheduler.
TEST(Nominations, InMemoryEndWhenAnUpdateMovesThePod) {
  for (const char* version : {k_35, k_36, k_37}) {
    Play play = nominated_in_memory(version);
    Pod renamed = pod("p", 10, 1000);
    renamed.scheduler_name = "other";
    play.advances(20'000).updates(renamed);
    EXPECT_EQ(play.place("p"), "active") << version;
    EXPECT_EQ(play.nominated("p"), version == k_37 ? "n1" : "") << version;
  }
}

// NOM-COUNT-1: a nominated pod that is in no part of the queue is bare.
TEST(Nominations, OfAPodThatIsInNoPartCountAsBare) {
  Play play(k_36);
  Pod nominated = pod("p", 10, 1000);
  nominated.nominated_node_name = "n1";
  play.node("n1", 1000).creates(nominated);
  EXPECT_EQ(reference::nominated_pods(play.world, "n1")[0].pod.priority, 10);
  reference::pop(play.world, play.world.queue.active[0]);
  const std::vector<PodObject> bare = reference::nominated_pods(play.world, "n1");
  EXPECT_EQ(bare[0].pod.priority, 0);
  EXPECT_TRUE(bare[0].pod.containers.empty());
  EXPECT_EQ(bare[0].pod.full_name(), "default/p");
  EXPECT_TRUE(reference::nominated_pods(play.world, "n2").empty());
}

// Two pods of one name in two namespaces are two pods.
TEST(Pods, AreFoundByTheirNamespaceToo) {
  Play play(k_34);
  Pod nominated = pod("p", 10, 100);
  nominated.ns = "other";
  nominated.nominated_node_name = "n1";
  play.node("n1", 1000).creates(pod("p", 20, 100)).creates(nominated);
  ASSERT_EQ(play.world.stored.pods.size(), 2U);
  const std::vector<PodObject> there = reference::nominated_pods(play.world, "n1");
  ASSERT_EQ(there.size(), 1U);
  EXPECT_EQ(there[0].pod.full_name(), "other/p");
  EXPECT_EQ(there[0].pod.priority, 10);
}

}  // namespace touchstone::tests::nominations_test
