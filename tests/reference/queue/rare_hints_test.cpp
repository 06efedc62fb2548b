#include <gtest/gtest.h>

#include "reference/queue/handlers.hpp"
#include "reference/queue/hints.hpp"
#include "tests/support/play.hpp"

/// Rare paths of hints, put-backs and failures of a scheduler over time.
namespace touchstone::tests::rare_hints_test {

using reference::ClusterEvent;
using reference::EventType;

ClusterEvent update_of(EventType type, const Pod& before, const Pod& now) {
  ClusterEvent event;
  event.type = type;
  event.old_pod = PodObject{before, 30, {}};
  event.new_pod = PodObject{now, 30, {}};
  return event;
}

Pod with_app(Pod pod, const std::string& app) {
  pod.labels["app"] = app;
  return pod;
}

Pod with_uid(Pod pod, const std::string& uid) {
  pod.uid = uid;
  return pod;
}

/// v1.32 deletes v for p, and this call waits. Meanwhile p is made again, as `again`.
Play made_again_in_flight(Pod again) {
  Play play("v1.32.2");
  play.node("n1", 1000).creates(placed(pod("v", 0, 1000), "n1")).creates(pod("p", 10, 1000));
  play.holds(CallKind::remove, "v").cycle();
  play.deletes("p").creates(with_uid(std::move(again), "again"));
  play.answers(CallKind::remove, "v", CallResult::ok);
  return play;
}

// EVT-EARLY-1: NodePorts hears of deleted pods alone; a plug-in that the profile does not run hears nothing.
TEST(EarlyHints, AreOfEventsThatEnabledPluginsRegistered) {
  Release early = release("v1.28.15");
  const auto hears = [&early](EventType type) {
    ClusterEvent event;
    event.type = type;
    return reference::registered("NodePorts", event, early);
  };
  EXPECT_TRUE(hears(EventType::pod_deleted));
  EXPECT_FALSE(hears(EventType::pod_added));
  early.filter_groups.clear();
  EXPECT_FALSE(hears(EventType::pod_deleted));
}

// EVT-HINT-3: a plug-in that registered the addition of nodes hears of taints up to v1.36.
TEST(Hints, TakeTaintsForAnyRegisteredAddition) {
  ClusterEvent event;
  event.type = EventType::node_taints;
  for (const char* plugin : {"NodePorts", "InterPodAffinity", "NodeResourcesFit"}) {
    EXPECT_TRUE(reference::registered(plugin, event, release("v1.36.3"))) << plugin;
    EXPECT_FALSE(reference::registered(plugin, event, release("v1.37.2"))) << plugin;
  }
}

// EVT-HINT-1: NodeAffinity did not register the deletion of pods, which wakes a pod that names another scheduler.
TEST(Hints, WakeAPodOfAnotherSchedulerByEveryEvent) {
  World world = Play("v1.34.4").world;
  ClusterEvent event;
  event.type = EventType::pod_deleted;
  event.old_pod = PodObject{with_uid(placed(pod("v", 0, 100), "n1"), "u-v"), 30, {}};
  Entry entry;
  entry.object.pod = with_uid(pod("p", 0, 100), "u-p");
  entry.rejectors = {"NodeAffinity"};
  EXPECT_FALSE(reference::wakes(world, entry, event));
  entry.object.pod.scheduler_name = "other";
  EXPECT_TRUE(reference::wakes(world, entry, event));
}

// EVT-AFFINITY-2: a pod that repels before and after its update wakes nothing.
TEST(AffinityHint, DoesNotWakeWhenAPodStillRepels) {
  PodAffinityTerm term;
  term.label_selector = LabelSelector{{{"app", "a"}}, {}};
  term.topology_key = "zone";
  Pod repelled = with_uid(pod("p", 0, 100), "u-p");
  repelled.pod_anti_affinity = {term};
  const Pod before = with_uid(with_app(placed(pod("x", 0, 100), "n1"), "a"), "u-x");
  Pod still = before;
  still.labels["other"] = "1";
  const auto wakes = [&](const Pod& now) {
    const ClusterEvent event = update_of(EventType::pod_labels, before, now);
    return reference::affinity_hint_of_pod(repelled, event, release("v1.36.3"));
  };
  EXPECT_FALSE(wakes(still));
  EXPECT_TRUE(wakes(with_app(before, "b")));
}

// EVT-SPREAD-2: tolerations do not matter where no constraint honors taints.
TEST(SpreadHint, IgnoresTolerationsWhereNoTaintCounts) {
  Pod before = with_uid(pod("p", 0, 100), "u-p");
  TopologySpreadConstraint spread;
  spread.topology_key = "zone";
  spread.when_unsatisfiable = "DoNotSchedule";
  spread.max_skew = 1;
  spread.label_selector = LabelSelector{};
  before.topology_spread = {spread};
  Pod now = before;
  now.tolerations = {{"k", "Equal", "v", "NoSchedule"}};
  const ClusterEvent event = update_of(EventType::pod_tolerations, before, now);
  EXPECT_FALSE(reference::spread_hint_of_pod(now, event, release("v1.36.3")));
}

// EVT-FIT-3: a resource that a node lists for the first time has grown.
TEST(FitHint, WakesWhenANodeListsAResourceForTheFirstTime) {
  Pod pending = with_uid(pod("p", 0, 100), "u-p");
  pending.containers[0].requests["example.com/gpu"] = 1;
  ClusterEvent event;
  event.type = EventType::node_allocatable;
  event.old_node = event.new_node = node_with("n1", 1000);
  event.new_node->allocatable["example.com/gpu"] = 1;
  EXPECT_TRUE(reference::fit_hint_of_node(pending, event, release("v1.36.3")));
}

// QUE-CALL-1: an answer is for a call of its kind.
TEST(Answer, IsForACallOfItsKind) {
  Play play("v1.36.3");
  play.node("n1", 1000).creates(placed(pod("v", 0, 1000), "n1")).creates(pod("p", 10, 1000));
  play.holds(CallKind::remove, "v").cycle();
  EXPECT_TRUE(play.answers(CallKind::bind, "v", CallResult::ok).error);
  EXPECT_FALSE(play.answers(CallKind::remove, "v", CallResult::ok).error);
  play.world.calls[7].result = CallResult::ok;
  EXPECT_TRUE(play.answers(CallKind::patch, "", CallResult::ok).error);  // that call does not wait
}

// QUE-CYCLE-3: an attempt that errs before any node is filtered has no rejectors. In v1.28.9 so does one of a
// pod that is pinned to an unknown node.
TEST(Cycle, ErrsWithoutRejectors) {
  Play play("v1.28.9");
  Pod pinned = pod("p", 10, 100);
  pinned.node_affinity = {{{{}, {{"metadata.name", "In", {"gone"}}}}}};
  play.node("n1", 1000).creates(pinned);
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::error);
  EXPECT_TRUE(play.entry("p").rejectors.empty());
  EXPECT_EQ(play.stored("p").conditions[0].reason, "SchedulerError");
}

// NOM-PATCH-1: a search that tried a node clears the own nomination once, with the status.
TEST(OwnNomination, IsClearedOnceAfterASearch) {
  Play play("v1.32.2");
  Pod nominated = pod("p", 10, 1000);
  nominated.nominated_node_name = "n1";
  play.node("n1", 1000).creates(placed(pod("v", 0, 100), "n1")).creates(placed(pod("w", 99, 900), "n1"));
  play.creates(nominated).cycle();
  EXPECT_EQ(play.calls(), std::vector<std::string>{"patch p "});
}

// QUE-POP-2: of equal pods in the backoff part any may be popped.
TEST(Queue, PopsOneOfEqualPodsFromTheBackoffPart) {
  Play play("v1.36.3");
  play.node("n1", 1000).creates(placed(pod("v", 10, 1000), "n1"));
  play.creates(pod("p", 10, 400)).creates(pod("q", 10, 400));
  play.cycle();
  play.cycle();
  play.removes("v");
  ASSERT_EQ(play.place("p") + play.place("q"), "backoffbackoff");
  EXPECT_EQ(play.cycle().pod, "default/p");
}

// QUE-PUTBACK-2: up to v1.35 a pod that was made again for another scheduler is put back in place of the
// failed one. It is not in flight, so it is woken.
TEST(PutBack, WakesAPodThatIsNotInFlight) {
  Pod foreign = pod("p", 10, 1000);
  foreign.scheduler_name = "other";
  const Play play = made_again_in_flight(foreign);
  EXPECT_EQ(play.place("p"), "backoff");
  EXPECT_EQ(play.entry("p").object.pod.uid, "again");
}

// QUE-PUTBACK-2: an event that came before the attempt began does not wake the failed pod. Up to v1.35 the
// attempt of a pod that was made again never ends, so the events stay in the list.
TEST(PutBack, IsNotWokenByAnEventBeforeTheAttempt) {
  Play play = made_again_in_flight(pod("p", 10, 1000));
  ASSERT_EQ(play.world.queue.in_flight.front().uid, "u-p");
  play.deletes("p").removes("v");
  ASSERT_EQ(play.world.queue.in_flight.back().event.type, EventType::pod_deleted);
  play.creates(pod("q", 0, 100'000)).cycle();
  EXPECT_EQ(play.place("q"), "unschedulable");
}

// QUE-UPDATE-2, QUE-GATE-3: an update wakes the pod, whose preemption still gates it.
TEST(Update, OfAPodThatPreemptsLeavesItGated) {
  Play play("v1.36.3");
  play.node("n1", 1000).creates(placed(pod("v", 0, 1000), "n1")).creates(pod("p", 10, 1000));
  play.holds(CallKind::patch, "v").cycle();
  ASSERT_EQ(play.place("p"), "unschedulable");
  play.updates(pod("p", 10, 900));
  EXPECT_EQ(play.place("p"), "unschedulable");
  EXPECT_EQ(play.entry("p").gated_by, "DefaultPreemption");
}

// QUE-GATE-3: the last victim is not a pod of its name in another namespace.
TEST(Gate, IsNotEndedByAPodOfAnotherNamespace) {
  Play play("v1.36.3");
  Pod other = placed(pod("v", 0, 100), "n2");
  other.ns = "other";
  other.uid = "u-other";
  play.node("n2", 100).node("n1", 1000).creates(other).creates(placed(pod("v", 0, 1000), "n1"));
  play.creates(pod("p", 10, 1000)).holds(CallKind::remove, "v").cycle();
  play.updates(pod("p", 10, 900));
  EXPECT_EQ(play.entry("p").gated_by, "DefaultPreemption");
}

// EVT-SPREAD-1: a pod that is on no node and not nominated does not count.
TEST(SpreadHint, IgnoresPodsThatAreNowhere) {
  const Pod pending = with_uid(pod("p", 0, 100), "u-p");
  ClusterEvent event;
  event.type = EventType::pod_added;
  event.new_pod = PodObject{with_uid(pod("x", 0, 100), "u-x"), 30, {}};
  for (const char* name : {"v1.32.2", "v1.33.13", "v1.34.4", "v1.36.3", "v1.37.2"})
    EXPECT_FALSE(reference::spread_hint_of_pod(pending, event, release(name))) << name;
}

// NOM-PATCH-1: without preemption the nomination is kept.
TEST(OwnNomination, IsKeptWithoutPreemption) {
  Play play("v1.32.2");
  play.world.release.preempts = false;
  Pod nominated = pod("p", 10, 1000);
  nominated.nominated_node_name = "n1";
  play.node("n1", 100).creates(nominated).cycle();
  EXPECT_EQ(play.stored("p").nominated_node_name, "n1");
}

// EVT-POD-2: the end of a pod that the scheduler never saw changes nothing.
TEST(Handlers, IgnoreTheEndOfAPodThatTheyNeverSaw) {
  Play play("v1.36.3");
  reference::WatchEvent event;
  event.old_pod = PodObject{with_uid(pod("x", 0, 100), "u-x"), 30, {}};
  play.handles(event);
  EXPECT_TRUE(play.world.seen.pods.empty());
}

// EVT-SPREAD-1: nor does a pending pod that matches, in a release that counts nominated ones.
TEST(SpreadHint, IgnoresAMatchingPodThatIsPending) {
  Pod pending = with_uid(pod("p", 0, 100), "u-p");
  TopologySpreadConstraint spread;
  spread.topology_key = "zone";
  spread.when_unsatisfiable = "DoNotSchedule";
  spread.max_skew = 1;
  spread.label_selector = LabelSelector{{{"app", "a"}}, {}};
  pending.topology_spread = {spread};
  ClusterEvent event;
  event.type = EventType::pod_added;
  event.new_pod = PodObject{with_uid(with_app(pod("x", 0, 100), "a"), "u-x"), 30, {}};
  EXPECT_FALSE(reference::spread_hint_of_pod(pending, event, release("v1.36.3")));
  event.new_pod->pod.nominated_node_name = "n1";
  EXPECT_TRUE(reference::spread_hint_of_pod(pending, event, release("v1.36.3")));
}

// EVT-AFFINITY-4: in v1.32 one term whose key the node has is enough. A pod needs a term.
TEST(AffinityHint, AsksForOneKeyOfTheNodeInV132) {
  ClusterEvent added;
  added.type = EventType::node_added;
  added.new_node = node_with("n1", 1000);
  const auto term_of = [](const std::string& key) {
    PodAffinityTerm made;
    made.label_selector = LabelSelector{{{"app", "a"}}, {}};
    made.topology_key = key;
    return made;
  };
  Pod pending = with_uid(pod("p", 0, 100), "u-p");
  const auto wakes = [&] { return reference::affinity_hint_of_node(pending, added, release("v1.32.2")); };
  EXPECT_FALSE(wakes());
  pending.pod_anti_affinity = {term_of("kubernetes.io/hostname"), term_of("rack")};
  EXPECT_TRUE(wakes());
  std::swap(pending.pod_affinity, pending.pod_anti_affinity);
  EXPECT_TRUE(wakes());
  pending.pod_affinity = {term_of("rack")};
  EXPECT_FALSE(wakes());
}

// EVT-EARLY-3, QUE-CACHE-2: a port that another pod still has counts as free if the cache forgot it.
TEST(EarlyEvents, OfNodesTestPortsByTheCache) {
  for (const bool is_forgotten : {false, true}) {
    Play play("v1.29.6");
    play.node("n1", 100);
    for (const char* name : {"a", "b"}) play.creates(placed(with_host_port(pod(name, 10, 1), 80), "n1"));
    if (is_forgotten) play.removes("a");
    play.creates(with_host_port(pod("p", 10, 1000), 80));
    EXPECT_EQ(play.cycle().outcome, CycleOutcome::none);
    play.updates(node_with("n1", 2000));
    EXPECT_EQ(play.place("p"), is_forgotten ? "backoff" : "unschedulable");
  }
}

}  // namespace touchstone::tests::rare_hints_test
