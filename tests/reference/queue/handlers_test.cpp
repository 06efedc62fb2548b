#include "reference/queue/handlers.hpp"

#include <gtest/gtest.h>

#include "reference/queue/scheduler_cache.hpp"
#include "tests/reference/queue/events_of_objects.hpp"

namespace touchstone::tests::handlers_test {

using namespace events_of_objects;
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

// EVT-POD-1, EVT-POD-2: a pod that gets a node and this scheduler at once is not queued.
TEST(Handlers, DoNotQueueAPodThatComesWithANode) {
  Play play(k_34);
  play.node("n1", 1000);
  PodObject before = object_of(pod("p", 0, 100));
  before.pod.scheduler_name = "other";
  const PodObject now = object_of(placed(pod("p", 0, 100), "n1"));
  play.handles({WatchedKind::pod, {}, before, {}, {}, {}, {}});
  play.handles({WatchedKind::pod, before, now, {}, {}, {}, {}});
  EXPECT_EQ(play.place("p"), "");
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

// EVT-POD-1, EVT-POD-3: the end of the nomination of a pod of another scheduler is no event.
TEST(Handlers, IgnoreTheNominationOfAPodOfAnotherScheduler) {
  Play play(k_36);
  Pod foreign = pod("f", 5, 1000);
  foreign.scheduler_name = "other";
  foreign.nominated_node_name = "n1";
  play.creates(foreign);
  play.world.cited.clear();
  play.removes("f");
  EXPECT_FALSE(play.world.cited.contains("EVT-POD-3"));
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

// EVT-CHANGE-1: from v1.37 on a pod that requests more has an event of its own.
TEST(ClusterEvents, OfRequestsNameTheirDirection) {
  const auto types = [](Quantity before, Quantity now) {
    const PodObject old_pod{pod("p", 0, before), 30, {}};
    const PodObject new_pod{pod("p", 0, now), 30, {}};
    return types_of(reference::events_of_update(old_pod, new_pod, true, release(k_37)));
  };
  EXPECT_EQ(types(100, 200), std::vector{EventType::pod_scaled_up});
  EXPECT_EQ(types(200, 100), std::vector{EventType::pod_scaled_down});
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

// QUE-CACHE-1: a pod that the cache has already keeps its place, on its node.
TEST(Cache, IgnoresAPodThatItHas) {
  Play play(k_36);
  play.node("n1", 1000);
  for (const char* name : {"a", "b", "c"}) play.creates(placed(pod(name, 0, 1), "n1"));
  const std::vector<PodObject> before = play.world.cache.pods.at("n1");
  reference::add_to_cache(play.world, before.at(0));
  EXPECT_EQ(play.world.cache.pods.at("n1"), before);
  PodObject moved = before.at(0);
  moved.pod.node_name = "n2";
  reference::add_to_cache(play.world, moved);
  EXPECT_EQ(play.world.cache.pods.at("n1"), before);
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

}  // namespace touchstone::tests::handlers_test
