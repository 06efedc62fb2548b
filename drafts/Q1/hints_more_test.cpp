// goes into tests/reference/queue/rare_hints_test.cpp
#include <gtest/gtest.h>

#include "reference/queue/hints.hpp"
#include "reference/queue/play.hpp"
#include "tests/support/commands.hpp"

namespace touchstone::tests::hints_more_test {

using namespace commands;
using reference::ClusterEvent;
using reference::EventType;

namespace {

constexpr const char* k_36 = "v1.36.3";
constexpr const char* k_37 = "v1.37.2";

ClusterEvent update_of(EventType type, const Pod& before, const Pod& now) {
  ClusterEvent event;
  event.type = type;
  event.old_pod = PodObject{before, 30, {}};
  event.new_pod = PodObject{now, 30, {}};
  return event;
}

ClusterEvent update_of(const Node& before, const Node& now) {
  ClusterEvent event;
  event.type = EventType::node_labels;
  event.old_node = before;
  event.new_node = now;
  return event;
}

Pod with_label(Pod pod, const std::string& key, const std::string& value) {
  pod.labels[key] = value;
  return pod;
}

Pod named(const std::string& name) {
  Pod made = pod(name, 0, 100);
  made.uid = "u-" + name;
  return made;
}

PodAffinityTerm term_of(const std::string& app) {
  PodAffinityTerm term;
  term.label_selector = LabelSelector{{{"app", app}}, {}};
  term.topology_key = "kubernetes.io/hostname";
  return term;
}

/// Counts the pods with this label, by zones or hosts.
TopologySpreadConstraint spread_over(const std::string& key, const std::string& label) {
  TopologySpreadConstraint spread;
  spread.topology_key = key;
  spread.when_unsatisfiable = "DoNotSchedule";
  spread.max_skew = 1;
  spread.label_selector = LabelSelector{{{label, "yes"}}, {}};
  return spread;
}

/// Spreads over zones by label x, and over hosts by label y.
Pod spreading() {
  Pod made = named("p");
  made.topology_spread = {spread_over("zone", "x"), spread_over("host", "y")};
  return made;
}

Node labelled(std::map<std::string, std::string> labels) {
  Node node = node_with("n1", 1000);
  node.labels = std::move(labels);
  return node;
}

}  // namespace

// EVT-AFFINITY-2: a pod that matches before and after its update wakes no pod. The terms are those of the
// pending pod, although it would match them itself.
TEST(AffinityHint, WakesWhenAPodBeginsToMatch) {
  Pod pending = with_label(named("p"), "app", "a");
  pending.pod_affinity = {term_of("a")};
  const Pod before = placed(named("x"), "n1");
  const Pod now = with_label(before, "app", "a");
  const auto wakes = [&](const Pod& old_pod, const Pod& new_pod) {
    const ClusterEvent event = update_of(EventType::pod_labels, old_pod, new_pod);
    return reference::affinity_hint_of_pod(pending, event, release(k_36));
  };
  EXPECT_TRUE(wakes(before, now));
  EXPECT_FALSE(wakes(now, with_label(now, "other", "1")));
}

// EVT-AFFINITY-3: up to v1.35 the deletion of a pod that was only nominated wakes no pod that it kept away.
TEST(AffinityHint, IgnoresANominatedPodThatIsGoneUpToV135) {
  Pod repelled = named("p");
  repelled.pod_anti_affinity = {term_of("a")};
  ClusterEvent event;
  event.type = EventType::pod_deleted;
  event.old_pod = PodObject{with_label(named("x"), "app", "a"), 30, {}};
  event.old_pod->pod.nominated_node_name = "n1";
  EXPECT_FALSE(reference::affinity_hint_of_pod(repelled, event, release("v1.35.4")));
  EXPECT_TRUE(reference::affinity_hint_of_pod(repelled, event, release(k_36)));
}

// EVT-UNSCHEDULABLE-1: a new node that is schedulable wakes, whatever the event was about before.
TEST(UnschedulableHint, WakesByANewNode) {
  const auto event = std::make_unique<ClusterEvent>();
  event->type = EventType::node_added;
  event->old_node = event->new_node = node_with("n1", 1000);
  event->old_node.reset();
  EXPECT_TRUE(reference::unschedulable_hint_of_node(named("p"), *event, release(k_36)));
}

// EVT-SPREAD-2: one constraint that honors taints is enough, and the update has to be one of the pending pod.
TEST(SpreadHint, HearsOwnTolerationsByOneConstraint) {
  Pod before = spreading();
  before.topology_spread[1].node_taints_policy = "Honor";
  Pod now = before;
  now.tolerations = {{"k", "Equal", "v", "NoSchedule"}};
  ClusterEvent event = update_of(EventType::pod_tolerations, before, now);
  EXPECT_TRUE(reference::spread_hint_of_pod(now, event, release(k_36)));
  for (auto* object : {&event.old_pod, &event.new_pod}) (*object)->pod.uid = "u-other";
  for (auto* object : {&event.old_pod, &event.new_pod}) (*object)->pod.node_name = "n1";
  EXPECT_FALSE(reference::spread_hint_of_pod(now, event, release(k_36)));
}

// EVT-SPREAD-2: a change of labels wakes if it changes the count of one constraint.
TEST(SpreadHint, HearsLabelsByOneConstraint) {
  const Pod before = placed(named("x"), "n1");
  const ClusterEvent event = update_of(EventType::pod_labels, before, with_label(before, "y", "yes"));
  EXPECT_TRUE(reference::spread_hint_of_pod(spreading(), event, release(k_36)));
}

// EVT-SPREAD-3: a node counts if it has the labels of all constraints. Then a change of one of them wakes.
TEST(SpreadHint, HearsLabelsOfANodeThatCounts) {
  const Pod pending = spreading();
  const auto wakes = [&](const Node& before, const Node& now) {
    return reference::spread_hint_of_node(pending, update_of(before, now), release(k_36));
  };
  EXPECT_TRUE(wakes(labelled({{"zone", "a"}, {"host", "1"}}), labelled({{"zone", "b"}, {"host", "1"}})));
  EXPECT_FALSE(wakes(labelled({{"zone", "a"}}), labelled({{"zone", "b"}})));
  Pod by_zone = named("p");
  by_zone.topology_spread = {spread_over("zone", "x")};
  by_zone.topology_spread[0].label_selector = LabelSelector{};
  const Release newer = release(k_36);
  const auto added = std::make_unique<ClusterEvent>();
  added->type = EventType::node_added;
  added->new_node = labelled({{"zone", "a"}});
  added->old_node =
      labelled({{"d", "1"}, {"b", "1"}, {"f", "1"}, {"a", "1"}, {"c", "1"}, {"e", "1"}, {"zone", "a"}});
  added->old_node.reset();
  EXPECT_TRUE(reference::spread_hint_of_node(by_zone, *added, newer));
}

// EVT-EARLY-1: from v1.30 on InterPodAffinity hears of taints, too, but not of conditions.
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

// EVT-CHANGE-1, EVT-HINT-1: in v1.37 the tolerations of a pod on a node are of no interest.
TEST(Hints, OfOwnUpdatesHearNoOtherPods) {
  Play play(k_37);
  play.node("n1", 4000).creates(placed(pod("v", 0, 100), "n1"));
  play.creates(pod("p", 1, 9000));
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::none);
  Pod changed = placed(pod("v", 0, 100), "n1");
  changed.uid = "u-v";
  changed.tolerations = {{"k", "Equal", "v", "NoSchedule"}};
  ClusterEvent event = update_of(EventType::pod_tolerations, placed(pod("v", 0, 100), "n1"), changed);
  EXPECT_FALSE(reference::is_of_interest(event, release(k_37)));
  event.role = reference::PodRole::target;
  EXPECT_TRUE(reference::is_of_interest(event, release(k_37)));
}

// EVT-HINT-1: a pod of another scheduler is woken by every event.
TEST(Hints, CiteWhatWakesAPodOfAnotherScheduler) {
  World world = Play("v1.34.4").world;
  world.cited.clear();
  ClusterEvent event;
  event.type = EventType::node_added;
  event.new_node = node_with("n1", 1000);
  Entry entry;
  entry.object.pod = named("p");
  entry.object.pod.scheduler_name = "other";
  entry.rejectors = {"NodeAffinity"};
  EXPECT_TRUE(reference::wakes(world, entry, event));
  EXPECT_TRUE(world.cited.contains("EVT-HINT-1"));
}

// CYC-PROFILE-1, EVT-HINT-1: a plug-in that the profile does not run hears nothing, and the ones after it do.
TEST(Hints, AreOfPluginsThatTheProfileRuns) {
  World world = Play(k_36).world;
  ClusterEvent event;
  event.type = EventType::node_added;
  event.new_node = node_with("n1", 1000);
  Entry entry;
  entry.object.pod = named("p");
  entry.rejectors = {"AnotherPlugin", "NodePorts"};
  EXPECT_TRUE(reference::wakes(world, entry, event));
  world.release.filter_groups.clear();
  EXPECT_FALSE(reference::wakes(world, entry, event));
}

// EVT-CHANGE-1: an own update has the pod before and after it.
TEST(Hints, OfAnOwnUpdateNeedBothStates) {
  const Pod own = named("p");
  const auto event = std::make_unique<ClusterEvent>(update_of(EventType::pod_labels, own, own));
  EXPECT_TRUE(reference::is_own_update(own, *event));
  event->old_pod.reset();
  EXPECT_FALSE(reference::is_own_update(own, *event));
  event->old_pod = event->new_pod;
  event->new_pod.reset();
  EXPECT_FALSE(reference::is_own_update(own, *event));
}

}  // namespace touchstone::tests::hints_more_test
