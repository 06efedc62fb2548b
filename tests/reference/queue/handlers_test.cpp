#include "reference/queue/handlers.hpp"

#include <gtest/gtest.h>

#include "reference/queue/cluster_events.hpp"
#include "reference/queue/scheduler_cache.hpp"
#include "tests/support/play.hpp"

namespace touchstone::tests::handlers_test {

using reference::ClusterEvent;
using reference::EventType;
using reference::PodRole;
using Names = std::vector<std::string>;

constexpr const char* k_32 = "v1.32.2";
constexpr const char* k_33 = "v1.33.13";
constexpr const char* k_34 = "v1.34.4";
constexpr const char* k_35 = "v1.35.4";
constexpr const char* k_36 = "v1.36.3";
constexpr const char* k_37 = "v1.37.2";

Names names_on(const World& world, const std::string& node) {
  Names names;
  const auto found = world.cache.pods.find(node);
  if (found == world.cache.pods.end()) return names;
  for (const PodObject& each : found->second) names.push_back(each.pod.name);
  return names;
}

std::vector<EventType> types_of(const std::vector<ClusterEvent>& events) {
  std::vector<EventType> types;
  for (const ClusterEvent& event : events) types.push_back(event.type);
  return types;
}

// EVT-STORE-1: what an update keeps, and which writes are errors.
TEST(Store, KeepsUidNodeAndStatus) {
  Play play(k_36);
  play.node("n1", 1000);
  Pod bound = placed(pod("v", 0, 100), "n1");
  bound.phase = "Running";
  play.creates(bound);
  Pod changed = pod("v", 3, 100);
  changed.uid = "other";
  play.updates(changed);
  EXPECT_EQ(play.stored("v").uid, "u-v");
  EXPECT_EQ(play.stored("v").node_name, "n1");
  EXPECT_EQ(play.stored("v").phase, "Running");
  EXPECT_EQ(play.stored("v").priority, 3);
  play.updates(changed, true);
  EXPECT_EQ(play.stored("v").phase, "");
  EXPECT_TRUE(play.creates(bound).error);
  EXPECT_TRUE(play.updates(pod("x", 0, 1)).error);
  EXPECT_TRUE(play.deletes("x").error);
  EXPECT_TRUE(play.removes("x").error);
  EXPECT_TRUE(play.creates(node_with("n1", 1)).error);
  EXPECT_TRUE(play.updates(node_with("x", 1)).error);
  EXPECT_TRUE(play.removes_node("x").error);
  Pod without_uid = pod("w", 0, 1);
  ASSERT_FALSE(reference::create(play.world, PodObject{without_uid, 30, {}}));
  EXPECT_FALSE(play.stored("w").uid.empty());
  Node bare = node_with("n1", 5);
  bare.allocatable.clear();
  ASSERT_FALSE(reference::update(play.world, bare, false));
  EXPECT_EQ(play.world.stored.nodes[0].allocatable.at("cpu"), 1000);
}

// EVT-STORE-1, EVT-STORE-2, EVT-PDB-1: budgets; they are no event, and the next cycle sees them.
TEST(Store, HasBudgets) {
  Play play(k_36);
  play.node("n1", 1000).creates(placed(with_app(pod("v", 0, 1000), "a"), "n1")).creates(pod("p", 10, 1000));
  const PodDisruptionBudget pdb{"default", "b", LabelSelector{{{"app", "a"}}, {}}, 0, {}};
  play.creates(pdb).holds(CallKind::remove, "v");
  EXPECT_TRUE(play.creates(pdb).error);
  play.cycle();
  PodDisruptionBudget raised = pdb;
  raised.disruptions_allowed = 3;
  ASSERT_FALSE(reference::update(play.world, raised, false));
  EXPECT_EQ(play.world.stored.pdbs[0].disruptions_allowed, 0);
  ASSERT_FALSE(reference::update(play.world, raised, true));
  CanonicalChoices choices;
  reference::settle(play.world, choices);
  EXPECT_EQ(play.world.seen.pdbs[0].disruptions_allowed, 3);
  EXPECT_EQ(play.place("p"), "unschedulable");
  raised.name = "x";
  EXPECT_TRUE(reference::update(play.world, raised, true));
  EXPECT_TRUE(reference::remove_pdb(play.world, "default", "x"));
  EXPECT_FALSE(reference::remove_pdb(play.world, "default", "b"));
  reference::settle(play.world, choices);
  EXPECT_TRUE(play.world.seen.pdbs.empty());
}

// EVT-STORE-2, EVT-STORE-3: which deletions are graceful, and which calls meet a conflict.
TEST(Store, DeletesWithGrace) {
  Play play(k_36);
  play.node("n1", 1000).creates(placed(pod("v", 0, 1), "n1")).creates(placed(pod("w", 0, 1), "n1"), 0);
  play.creates(pod("p", 0, 1));
  Pod ended = placed(pod("e", 0, 1), "n1");
  ended.phase = "Succeeded";
  play.creates(ended);
  play.deletes("v").deletes("v").deletes("w").deletes("p").deletes("e");
  ASSERT_EQ(play.world.stored.pods.size(), 1U);
  EXPECT_TRUE(play.stored("v").terminating);
  reference::Call bind{CallKind::bind, "default", "q", "u-q", "n1"};
  EXPECT_EQ(reference::perform(play.world, bind), CallResult::not_found);
  play.creates(pod("q", 0, 1));
  bind.uid = "other";
  EXPECT_EQ(reference::perform(play.world, bind), CallResult::conflict);
  bind.uid = "u-q";
  Pod gated = pod("q", 0, 1);
  gated.scheduling_gates = {"g"};
  play.updates(gated);
  EXPECT_EQ(reference::perform(play.world, bind), CallResult::conflict);
  play.updates(pod("q", 0, 1));
  EXPECT_EQ(reference::perform(play.world, bind), CallResult::ok);
  EXPECT_EQ(play.stored("q").conditions[0].status, "True");
  EXPECT_EQ(reference::perform(play.world, bind), CallResult::conflict);
  bind = {CallKind::bind, "default", "v", "u-v", "n1"};
  EXPECT_EQ(reference::perform(play.world, bind), CallResult::conflict);
}

// EVT-WATCH-1: held kinds wait, others overtake them.
TEST(Watch, DeliversEachKindInOrder) {
  Play play(k_36);
  play.holds(WatchedKind::pod).creates(pod("a", 0, 1)).creates(pod("b", 0, 1)).node("n1", 1000);
  EXPECT_EQ(play.world.cache.nodes.size(), 1U);
  EXPECT_EQ(play.place("a"), "");
  play.delivers(WatchedKind::pod, 1);
  EXPECT_EQ(play.place("a"), "active");
  EXPECT_EQ(play.place("b"), "");
  play.delivers(WatchedKind::pod, 7);
  EXPECT_EQ(play.place("b"), "active");
  play.delivers(WatchedKind::pod);
  EXPECT_TRUE(play.delivers(WatchedKind::pod).error);
}

// EVT-WATCH-2: a pod that ends is deleted for the scheduler.
TEST(Watch, LeavesOutPodsThatHaveEnded) {
  Play play(k_36);
  play.node("n1", 1000).creates(placed(pod("v", 20, 1000), "n1")).creates(pod("p", 10, 1000));
  play.cycle();
  Pod ended = pod("v", 20, 1000);
  ended.phase = "Failed";
  play.updates(ended, true);
  EXPECT_EQ(play.place("p"), "backoff");
  EXPECT_TRUE(play.world.seen.pods.size() == 1);
  play.removes("v");
  EXPECT_TRUE(play.world.events.empty());
  ended.name = "w";
  play.creates(ended).updates(pod("w", 20, 1000), true);
  EXPECT_EQ(play.world.seen.pods.size(), 2U);
}

// EVT-POD-1: which name counts when an update changes the name of the scheduler.
TEST(Handlers, AskWhichSchedulerAPodNamesNow) {
  for (const char* release : {"v1.34.4", "v1.35.4"}) {
    const bool is_new_name = release == std::string("v1.34.4");
    Play play(release);
    Pod ours = pod("p", 0, 1);
    Pod other = pod("o", 0, 1);
    other.scheduler_name = "other";
    play.creates(other).creates(ours);
    ours.scheduler_name = "other";
    other.scheduler_name.clear();
    play.updates(ours).updates(other);
    EXPECT_EQ(play.place("p"), is_new_name ? "" : "active") << release;
    EXPECT_EQ(play.place("o"), is_new_name ? "active" : "") << release;
  }
}

// EVT-POD-1, EVT-POD-2: the cache has every pod with a node; the queue has our pending pods.
TEST(Handlers, GiveAPodToCacheOrQueue) {
  Play play(k_36);
  Pod other = pod("o", 0, 1);
  other.scheduler_name = "other";
  play.node("n1", 1000).creates(other).creates(pod("p", 0, 1));
  play.updates(with_app(other, "x"));
  EXPECT_EQ(play.place("o"), "");
  for (const char* name : {"o", "p"}) {
    const reference::Call bind{CallKind::bind, "default", name, "u-" + std::string(name), "n1"};
    ASSERT_EQ(reference::perform(play.world, bind), CallResult::ok);
    play.flushes_backoff();
  }
  EXPECT_EQ(names_on(play.world, "n1"), (Names{"o", "p"}));
  EXPECT_EQ(play.place("p"), "");
  play.removes("o");
  EXPECT_EQ(names_on(play.world, "n1"), Names{"p"});
  other.name = "o2";
  play.creates(other).removes("o2");
  EXPECT_TRUE(play.world.seen.pods.size() == 1);
}

// EVT-POD-3: the end of a nomination wakes pods of at most the same priority from v1.33 on.
TEST(Handlers, WakePodsWhenANominationEnds) {
  for (const char* release : {k_32, k_33}) {
    Play play(release);
    Pod nominated = pod("h", 20, 1000);
    nominated.nominated_node_name = "n1";
    nominated.scheduling_gates = {"g"};
    play.node("n1", 1000).creates(nominated);
    nominated.scheduling_gates = {"g", "g2"};
    play.updates(nominated).creates(pod("p", 10, 1000)).creates(pod("q", 30, 2000));
    play.cycle();
    play.cycle();
    EXPECT_EQ(play.place("p"), "unschedulable");
    play.deletes("h");
    EXPECT_EQ(play.place("p"), release == k_32 ? "unschedulable" : "backoff") << release;
    EXPECT_EQ(play.place("q"), "unschedulable");
  }
}

// EVT-POD-3: a binding ends a nomination in v1.33 and v1.34.
TEST(Handlers, TakeABindingForTheEndOfANominationInV1_34) {
  for (const char* release : {k_34, k_35}) {
    Play play(release);
    Pod nominated = pod("p", 10, 500);
    nominated.nominated_node_name = "n1";
    play.node("n1", 1000).creates(nominated).creates(pod("q", 5, 2000));
    play.cycle();
    play.world.cited.clear();
    Play again(release);
    again.node("n1", 1000).creates(nominated);
    again.cycle();
    EXPECT_EQ(again.world.cited.contains("EVT-POD-3"), release == k_34) << release;
  }
}

// EVT-POD-4: an assumed pod that begins to terminate or is deleted.
TEST(Handlers, TakeADeletedPodOutOfTheCacheFromV1_35On) {
  for (const char* release : {k_34, k_35}) {
    Play play(release);
    Pod bare = pod("p", 10, 1000);
    play.node("n1", 1000).creates(bare).holds(CallKind::bind, "p");
    play.cycle();
    play.updates(with_app(bare, "x"));
    EXPECT_EQ(play.world.cache.assumed.size(), 1U);
    PodObject now = play.world.stored.pods[0];
    const PodObject before = now;
    now.pod.terminating = true;
    play.handles({WatchedKind::pod, before, now, {}, {}, {}, {}});
    EXPECT_EQ(play.world.cache.assumed.size(), release == k_34 ? 1U : 0U) << release;
  }
}

// EVT-NODE-1: nodes are events; pods of a deleted node stay in the cache.
TEST(Handlers, KeepThePodsOfADeletedNode) {
  Play play(k_36);
  play.node("n1", 1000).creates(placed(pod("v", 20, 1000), "n1")).creates(pod("p", 10, 1000));
  play.cycle();
  play.removes_node("n1");
  EXPECT_TRUE(play.world.cache.nodes.empty());
  EXPECT_EQ(names_on(play.world, "n1"), Names{"v"});
  play.node("n1", 1000);
  EXPECT_EQ(play.place("p"), "backoff");
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::none);
}

// EVT-CHANGE-1: one event for each kind of change.
TEST(ClusterEvents, SplitAnUpdateOfAPod) {
  const PodObject before{with_app(pod("p", 0, 1000), "a"), 30, {}};
  PodObject now = before;
  EXPECT_EQ(types_of(reference::events_of_update(before, now, true, release(k_36))),
            std::vector{EventType::pod_other});
  now.pod.labels.clear();
  now.pod.containers[0].requests = {{"memory", 5}};
  now.pod.tolerations = {{"k", "Exists", "", ""}};
  EXPECT_EQ(types_of(reference::events_of_update(before, now, true, release(k_36))),
            (std::vector{EventType::pod_labels, EventType::pod_scaled_down, EventType::pod_tolerations}));
  const auto newer = reference::events_of_update(before, now, true, release(k_37));
  EXPECT_EQ(newer[1].type, EventType::pod_scaled_up);
  EXPECT_EQ(newer[0].role, PodRole::target);
  EXPECT_EQ(reference::events_of_update(before, now, false, release(k_37))[0].role, PodRole::unscheduled);
  now = before;
  now.pod.containers[0].requests["cpu"] = 999;
  now.pod.node_name = "n1";
  const auto smaller = reference::events_of_update(before, now, false, release(k_36));
  EXPECT_EQ(types_of(smaller), std::vector{EventType::pod_scaled_down});
  EXPECT_EQ(smaller[0].role, PodRole::assigned);
}

// EVT-CHANGE-2: one event for each kind of change; becoming unschedulable is none.
TEST(ClusterEvents, SplitAnUpdateOfANode) {
  const Node before = node_with("n1", 1000);
  Node now = before;
  EXPECT_TRUE(reference::events_of_update(before, now).empty());
  now.unschedulable = true;
  EXPECT_TRUE(reference::events_of_update(before, now).empty());
  EXPECT_EQ(types_of(reference::events_of_update(now, before)), std::vector{EventType::node_taints});
  now = node_with("n1", 2000);
  now.labels["a"] = "b";
  now.taints = {{"k", "", "NoSchedule"}};
  now.conditions = {{"Ready", "True", ""}};
  now.declared_features = {"f"};
  EXPECT_EQ(types_of(reference::events_of_update(before, now)),
            (std::vector{EventType::node_allocatable, EventType::node_labels, EventType::node_taints,
                         EventType::node_conditions, EventType::node_features}));
  Node other = now;
  for (std::string* part : {&other.taints[0].value, &other.taints[0].effect, &other.taints[0].key}) {
    *part = "x";
    EXPECT_FALSE(reference::same_taints(now, other));
    other = now;
  }
}

// QUE-CACHE-1: the last pod takes the place of a removed one.
TEST(Cache, MovesTheLastPodIntoTheGap) {
  Play play(k_36);
  play.node("n1", 1000);
  for (const char* name : {"a", "b", "c"}) play.creates(placed(pod(name, 0, 1), "n1"));
  play.updates(with_app(pod("a", 0, 1), "x"));
  EXPECT_EQ(names_on(play.world, "n1"), (Names{"c", "b", "a"}));
  reference::add_to_cache(play.world, PodObject{placed(pod("a", 0, 1), "n2"), 30, {}});
  PodObject known = play.world.cache.pods.at("n1")[0];
  reference::add_to_cache(play.world, known);
  EXPECT_EQ(names_on(play.world, "n1").size(), 3U);
  reference::update_in_cache(play.world, PodObject{});
  play.world.cache.assumed.insert("u-b");
  known = *reference::cached_pod(play.world.cache, "u-b");
  known.pod.labels = {{"k", "v"}};
  reference::update_in_cache(play.world, known);
  EXPECT_TRUE(reference::cached_pod(play.world.cache, "u-b")->pod.labels.empty());
}

// QUE-CACHE-2: a port that two pods hold is free when one of them is gone.
TEST(Cache, ForgetsAPortThatTwoPodsHold) {
  Play play(k_36);
  play.node("n1", 1000);
  for (const char* name : {"a", "b"}) play.creates(placed(with_host_port(pod(name, 0, 1), 80), "n1"));
  play.creates(with_host_port(pod("p", 0, 1), 80));
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::none);
  play.removes("a").advances(2000).flushes_backoff();
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::scheduled);
  play.removes_node("n1").creates(with_host_port(pod("q", 0, 1), 80));
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::none);
}

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
  Play play(k_36);
  play.node("n1", 1000).creates(placed(pod("v", 0, 1000), "n1")).creates(pod("p", 10, 1000));
  play.holds(CallKind::patch, "p");
  play.cycle();
  play.answers(CallKind::patch, "p", CallResult::error).updates(with_app(pod("p", 10, 1000), "x"));
  EXPECT_EQ(play.nominated("p"), "n1");
  EXPECT_EQ(play.stored("p").nominated_node_name, "");
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

}  // namespace touchstone::tests::handlers_test
