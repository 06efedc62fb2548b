#include <gtest/gtest.h>

#include "reference/queue/hints.hpp"
#include "tests/reference/queue/events_of_objects.hpp"
#include "tests/support/topology.hpp"

/// Rare paths of the hints of InterPodAffinity and PodTopologySpread.
namespace touchstone::tests::topology_hints_test {

using namespace events_of_objects;

constexpr const char* k_36 = "v1.36.3";

namespace {

PodAffinityTerm on_host(const std::string& app) { return by("kubernetes.io/hostname", app); }

/// Spreads over zones by app=x, and over hosts by app=y.
Pod spreading_twice() { return spread(small_pod("p"), {over("zone", "x"), over("host", "y")}); }

Node labelled(std::map<std::string, std::string> labels) {
  Node node = node_with("n1", 1000);
  node.labels = std::move(labels);
  return node;
}

}  // namespace

// EVT-AFFINITY-2: the update of a pod that the pending pod avoids before and after it wakes nothing.
TEST(AffinityHint, DoesNotWakeWhileThePodIsStillAvoided) {
  const Pod pending = away(small_pod("p"), {by("zone", "a")});
  const Pod before = with_app(placed(small_pod("x"), "n1"), "a");
  Pod still = before;
  still.labels["other"] = "1";
  const auto wakes = [&](const Pod& now) {
    const ClusterEvent event = of_pods(EventType::pod_labels, before, now);
    return reference::affinity_hint_of_pod(pending, event, release(k_36));
  };
  EXPECT_FALSE(wakes(still));
  EXPECT_TRUE(wakes(with_app(before, "b")));
}

// EVT-AFFINITY-2: a pod that begins to match wakes the pending pod, and one that matched before does not,
// although the pending pod matches its own terms.
TEST(AffinityHint, WakesWhenAPodBeginsToMatch) {
  const Pod pending = near(with_app(small_pod("p"), "a"), {on_host("a")});
  const Pod before = placed(small_pod("x"), "n1");
  const Pod now = with_app(before, "a");
  Pod still = now;
  still.labels["other"] = "1";
  const auto wakes = [&](const Pod& old_pod, const Pod& new_pod) {
    const ClusterEvent event = of_pods(EventType::pod_labels, old_pod, new_pod);
    return reference::affinity_hint_of_pod(pending, event, release(k_36));
  };
  EXPECT_TRUE(wakes(before, now));
  EXPECT_FALSE(wakes(now, still));
}

// EVT-AFFINITY-3: up to v1.35 the deletion of a pod that was only nominated wakes no pod that avoids it.
TEST(AffinityHint, IgnoresANominatedPodThatIsGoneUpToV135) {
  const Pod repelled = away(small_pod("p"), {on_host("a")});
  Pod gone = with_app(small_pod("x"), "a");
  gone.nominated_node_name = "n1";
  const ClusterEvent event = of_pods(EventType::pod_deleted, gone, {});
  EXPECT_FALSE(reference::affinity_hint_of_pod(repelled, event, release("v1.35.4")));
  EXPECT_TRUE(reference::affinity_hint_of_pod(repelled, event, release(k_36)));
}

// EVT-AFFINITY-4: in v1.32 one term whose key the node has is enough. A pod needs a term.
TEST(AffinityHint, AsksForOneKeyOfTheNodeInV132) {
  const ClusterEvent added = of_nodes(EventType::node_added, {}, node_with("n1", 1000));
  Pod pending = small_pod("p");
  const auto wakes = [&] { return reference::affinity_hint_of_node(pending, added, release("v1.32.2")); };
  EXPECT_FALSE(wakes());
  pending.pod_anti_affinity = {on_host("a"), by("rack", "a")};
  EXPECT_TRUE(wakes());
  std::swap(pending.pod_affinity, pending.pod_anti_affinity);
  EXPECT_TRUE(wakes());
  pending.pod_affinity = {by("rack", "a")};
  EXPECT_FALSE(wakes());
}

// EVT-SPREAD-2: tolerations do not matter where no constraint honors taints.
TEST(SpreadHint, IgnoresTolerationsWhereNoTaintCounts) {
  const Pod before = spread(small_pod("p"), {over("zone", "a")});
  Pod now = before;
  now.tolerations = {{"k", "Equal", "v", "NoSchedule"}};
  const ClusterEvent event = of_pods(EventType::pod_tolerations, before, now);
  EXPECT_FALSE(reference::spread_hint_of_pod(now, event, release(k_36)));
}

// EVT-SPREAD-2: tolerations of the pending pod count if one of its constraints honors taints. Those of
// another pod do not.
TEST(SpreadHint, HearsOwnTolerationsByOneConstraint) {
  Pod before = spreading_twice();
  before.topology_spread[1].node_taints_policy = "Honor";
  Pod now = before;
  now.tolerations = {{"k", "Equal", "v", "NoSchedule"}};
  ClusterEvent event = of_pods(EventType::pod_tolerations, before, now);
  EXPECT_TRUE(reference::spread_hint_of_pod(now, event, release(k_36)));
  for (auto* object : {&event.old_pod, &event.new_pod}) (*object)->pod.uid = "u-other";
  for (auto* object : {&event.old_pod, &event.new_pod}) (*object)->pod.node_name = "n1";
  EXPECT_FALSE(reference::spread_hint_of_pod(now, event, release(k_36)));
}

// EVT-SPREAD-2: a change of labels wakes if it changes the count of one constraint.
TEST(SpreadHint, HearsLabelsByOneConstraint) {
  const Pod before = placed(small_pod("x"), "n1");
  const ClusterEvent event = of_pods(EventType::pod_labels, before, with_app(before, "y"));
  EXPECT_TRUE(reference::spread_hint_of_pod(spreading_twice(), event, release(k_36)));
}

// EVT-SPREAD-1: a pod that is on no node and not nominated does not count.
TEST(SpreadHint, IgnoresPodsThatAreNowhere) {
  const Pod pending = small_pod("p");
  const ClusterEvent event = of_pods(EventType::pod_added, {}, small_pod("x"));
  for (const char* name : {"v1.32.2", "v1.33.13", "v1.34.4", "v1.36.3", "v1.37.2"})
    EXPECT_FALSE(reference::spread_hint_of_pod(pending, event, release(name))) << name;
}

// EVT-SPREAD-1: a pending pod that matches does not count, unless it is nominated.
TEST(SpreadHint, IgnoresAMatchingPodThatIsPending) {
  const Pod pending = spread(small_pod("p"), {over("zone", "a")});
  ClusterEvent event = of_pods(EventType::pod_added, {}, with_app(small_pod("x"), "a"));
  EXPECT_FALSE(reference::spread_hint_of_pod(pending, event, release(k_36)));
  event.new_pod->pod.nominated_node_name = "n1";
  EXPECT_TRUE(reference::spread_hint_of_pod(pending, event, release(k_36)));
}

// EVT-SPREAD-3: a node counts if it has the labels of all constraints. A new value of one of them wakes,
// and so does a new node.
TEST(SpreadHint, HearsLabelsOfANodeThatCounts) {
  const Pod pending = spreading_twice();
  const auto wakes = [&](const Node& before, const Node& now) {
    const ClusterEvent event = of_nodes(EventType::node_labels, before, now);
    return reference::spread_hint_of_node(pending, event, release(k_36));
  };
  EXPECT_TRUE(wakes(labelled({{"zone", "a"}, {"host", "1"}}), labelled({{"zone", "b"}, {"host", "1"}})));
  EXPECT_FALSE(wakes(labelled({{"zone", "a"}}), labelled({{"zone", "b"}})));
  const Pod by_zone = spread(small_pod("p"), {over("zone", "x")});
  const Node zoned = labelled({{"zone", "a"}, {"host", "1"}, {"rack", "r"}});
  ClusterEvent added = of_nodes(EventType::node_added, zoned, zoned);
  added.old_node.reset();  // not left empty: code that reads it by mistake finds the same labels
  EXPECT_TRUE(reference::spread_hint_of_node(by_zone, added, release(k_36)));
}

}  // namespace touchstone::tests::topology_hints_test
