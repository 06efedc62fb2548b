#include <gtest/gtest.h>

#include "reference/queue/handlers.hpp"
#include "reference/queue/hints.hpp"
#include "tests/reference/queue/events_of_objects.hpp"

/// Rare paths of hints, put-backs and failures of a scheduler over time.
namespace touchstone::tests::rare_hints_test {

using namespace events_of_objects;

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

// EVT-EARLY-1: NodePorts hears of deleted pods alone; a plug-in that the profile does not run hears
// nothing.
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

// EVT-EARLY-1: from v1.30 on InterPodAffinity also registered taints, but not the conditions of nodes.
TEST(EarlyHints, HearMoreFromV130On) {
  const auto hears = [](EventType type, const char* name) {
    ClusterEvent event;
    event.type = type;
    return reference::registered("InterPodAffinity", event, release(name));
  };
  EXPECT_FALSE(hears(EventType::node_taints, "v1.29.6"));
  EXPECT_TRUE(hears(EventType::node_taints, "v1.30.14"));
  EXPECT_FALSE(hears(EventType::node_conditions, "v1.30.14"));
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

// EVT-HINT-1: NodeAffinity did not register the deletion of pods, which wakes a pod that names another
// scheduler.
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

// EVT-HINT-1: every event wakes a pod of another scheduler, by this clause.
TEST(Hints, CiteWhatWakesAPodOfAnotherScheduler) {
  World world = Play("v1.34.4").world;
  world.cited.clear();
  const ClusterEvent event = of_nodes(EventType::node_added, {}, node_with("n1", 1000));
  Entry entry;
  entry.object.pod = small_pod("p");
  entry.object.pod.scheduler_name = "other";
  entry.rejectors = {"NodeAffinity"};
  EXPECT_TRUE(reference::wakes(world, entry, event));
  EXPECT_TRUE(world.cited.contains("EVT-HINT-1"));
}

// CYC-PROFILE-1, EVT-HINT-1: a rejector that the profile does not run wakes no pod. The next rejector does.
TEST(Hints, AreOfPluginsThatTheProfileRuns) {
  World world = Play("v1.36.3").world;
  const ClusterEvent event = of_nodes(EventType::node_added, {}, node_with("n1", 1000));
  Entry entry;
  entry.object.pod = small_pod("p");
  entry.rejectors = {"AnotherPlugin", "NodePorts"};
  EXPECT_TRUE(reference::wakes(world, entry, event));
  world.release.filter_groups.clear();
  EXPECT_FALSE(reference::wakes(world, entry, event));
}

// EVT-CHANGE-1, EVT-HINT-1: in v1.37 no plug-in registered new tolerations of a pod on a node.
TEST(Hints, OfOwnUpdatesHearNoOtherPods) {
  const Pod before = placed(small_pod("v"), "n1");
  Pod now = before;
  now.tolerations = {{"k", "Equal", "v", "NoSchedule"}};
  ClusterEvent event = of_pods(EventType::pod_tolerations, before, now);
  EXPECT_FALSE(reference::is_of_interest(event, release("v1.37.2")));
  event.role = PodRole::target;
  EXPECT_TRUE(reference::is_of_interest(event, release("v1.37.2")));
}

// EVT-CHANGE-1: an own update has the pod before and after it.
TEST(Hints, OfAnOwnUpdateNeedBothStates) {
  const Pod own = small_pod("p");
  ClusterEvent event = of_pods(EventType::pod_labels, own, own);
  EXPECT_TRUE(reference::is_own_update(own, event));
  event.old_pod.reset();
  EXPECT_FALSE(reference::is_own_update(own, event));
  event.old_pod = event.new_pod;
  event.new_pod.reset();
  EXPECT_FALSE(reference::is_own_update(own, event));
}

// EVT-UNSCHEDULABLE-1: a new node that is schedulable wakes the pod.
TEST(UnschedulableHint, WakesByANewNode) {
  ClusterEvent event = of_nodes(EventType::node_added, node_with("n1", 1000), node_with("n1", 1000));
  event.old_node.reset();  // not left empty: code that reads it by mistake finds a schedulable node
  EXPECT_TRUE(reference::unschedulable_hint_of_node(small_pod("p"), event, release("v1.36.3")));
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

// QUE-CYCLE-3: an attempt that errs before any node is filtered has no rejectors. In v1.28.9 so does one
// of a pod that is pinned to an unknown node.
TEST(Cycle, ErrsWithoutRejectors) {
  Play play("v1.28.9");
  Pod pinned = pod("p", 10, 100);
  pinned.node_affinity = {{{{}, {{"metadata.name", "In", {"gone"}}}}}};
  play.node("n1", 1000).creates(pinned);
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::error);
  EXPECT_TRUE(play.entry("p").rejectors.empty());
  EXPECT_EQ(play.stored("p").conditions[0].reason, "SchedulerError");
}

// QUE-CYCLE-3, CYC-PROFILE-1: an attempt whose scoring errs has no rejectors, although the pod is pinned to
// nodes.
TEST(Cycle, ErrsWithoutRejectorsInScoring) {
  Pod pinned = pod("p", 10, 100);
  pinned.node_affinity = {{{{}, {{"metadata.name", "In", {"n1"}}}}, {{}, {{"metadata.name", "In", {"n2"}}}}}};
  for (const char* release : {"v1.31.0", "v1.36.3"}) {
    Play play(release);
    play.world.release.prescore_error = "running PreScore plugin: failed";
    play.node("n1", 1000).node("n2", 1000).creates(pinned);
    EXPECT_EQ(play.cycle().outcome, CycleOutcome::error) << release;
    EXPECT_TRUE(play.entry("p").rejectors.empty()) << release;
    EXPECT_EQ(play.stored("p").conditions[0].reason, "SchedulerError") << release;
  }
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
