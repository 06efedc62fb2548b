#include "reference/queue/hints.hpp"

#include <gtest/gtest.h>

#include "tests/reference/queue/events_of_objects.hpp"

namespace touchstone::tests::hints_test {

using namespace events_of_objects;

constexpr const char* k_32 = "v1.32.2";
constexpr const char* k_33 = "v1.33.13";
constexpr const char* k_35 = "v1.35.4";
constexpr const char* k_36 = "v1.36.3";
constexpr const char* k_37 = "v1.37.2";

/// Whether the event wakes a pod that this plug-in rejected.
bool wakes(const Pod& pod, const char* plugin, const ClusterEvent& event, const char* name) {
  World world;
  world.release = release(name);
  Entry entry;
  entry.object = object_of(pod);
  entry.rejectors = {plugin};
  return reference::wakes(world, entry, event);
}

Pod on_n1(Pod pod) { return placed(std::move(pod), "n1"); }

Pod nominated(Pod pod) {
  pod.nominated_node_name = "n1";
  return pod;
}

Node labelled(const std::string& key, const std::string& value) {
  Node node = node_with("n1", 1000);
  if (!key.empty()) node.labels[key] = value;
  return node;
}

PodAffinityTerm term(const std::string& app) {
  PodAffinityTerm term;
  term.label_selector = LabelSelector{{{"app", app}}, {}};
  term.topology_key = "zone";
  return term;
}

Pod attracted(const std::string& app) {
  Pod pending = pod("p", 0, 100);
  pending.pod_affinity = {term(app)};
  return pending;
}

Pod repelled(const std::string& app) {
  Pod pending = pod("p", 0, 100);
  pending.pod_anti_affinity = {term(app)};
  return pending;
}

Pod spread() {
  Pod pending = pod("p", 0, 100);
  TopologySpreadConstraint constraint;
  constraint.topology_key = "zone";
  constraint.when_unsatisfiable = "DoNotSchedule";
  constraint.max_skew = 1;
  constraint.label_selector = LabelSelector{{{"app", "a"}}, {}};
  pending.topology_spread = {constraint};
  return pending;
}

// EVT-HINT-1: only plug-ins that rejected the pod, are enabled and registered the event.
TEST(Hints, AreThoseOfTheRejectors) {
  const ClusterEvent gone = of_pods(EventType::pod_deleted, on_n1(pod("v", 0, 1)), {});
  EXPECT_TRUE(wakes(pod("p", 0, 1), "NodeResourcesFit", gone, k_36));
  EXPECT_FALSE(wakes(pod("p", 0, 1), "NodeAffinity", gone, k_36));
  EXPECT_FALSE(wakes(pod("p", 0, 1), "Unknown", gone, k_36));
  World world;
  world.release = release(k_36);
  EXPECT_TRUE(reference::wakes(world, Entry{}, gone));
  EXPECT_TRUE(reference::is_of_interest(gone, world.release));
  ClusterEvent conditions;
  conditions.type = EventType::node_conditions;
  EXPECT_FALSE(reference::is_of_interest(conditions, world.release));
  Release bare = world.release;
  bare.preempts = false;
  EXPECT_FALSE(reference::registered("DefaultPreemption", gone, bare));
}

// EVT-HINT-2: wildcards.
TEST(Hints, LetWildcardsWake) {
  ClusterEvent flush;
  flush.type = EventType::leftover_flush;
  EXPECT_TRUE(wakes(pod("p", 0, 1), "NodeAffinity", flush, k_36));
  const ClusterEvent activation = of_pods(EventType::forced_activation, {}, pod("q", 0, 1));
  EXPECT_FALSE(wakes(pod("p", 0, 1), "NodeAffinity", activation, k_36));
  EXPECT_TRUE(wakes(pod("q", 0, 1), "NodeAffinity", activation, k_36));
  EXPECT_TRUE(reference::is_of_interest(flush, release(k_36)));
}

// EVT-HINT-3: changes of taints, up to v1.36.
TEST(Hints, TakeTaintsForAdditionsOfNodes) {
  Node tainted = node_with("n1", 10);
  tainted.taints = {{"k", "", "NoSchedule"}};
  const ClusterEvent event = of_nodes(EventType::node_taints, node_with("n1", 10), tainted);
  for (const char* plugin :
       {"NodeResourcesFit", "NodePorts", "InterPodAffinity", "NodeAffinity", "NodeName"}) {
    EXPECT_TRUE(wakes(pod("p", 0, 1000), plugin, event, k_36)) << plugin;
    EXPECT_FALSE(wakes(pod("p", 0, 1000), plugin, event, k_37)) << plugin;
  }
  EXPECT_FALSE(wakes(pod("p", 0, 1000), "TaintToleration", event, k_36));
}

// EVT-FIT-1: a pod that is gone.
TEST(FitHint, WakesWhenAPodWithANodeIsGone) {
  const auto gone = [](Pod pod) { return of_pods(EventType::pod_deleted, std::move(pod), {}); };
  EXPECT_TRUE(wakes(pod("p", 0, 1000), "NodeResourcesFit", gone(on_n1(pod("v", 0, 0))), k_32));
  EXPECT_FALSE(wakes(pod("p", 0, 1000), "NodeResourcesFit", gone(nominated(pod("v", 0, 0))), k_32));
  EXPECT_TRUE(wakes(pod("p", 0, 1000), "NodeResourcesFit", gone(nominated(pod("v", 0, 0))), k_33));
  EXPECT_FALSE(wakes(pod("p", 0, 1000), "NodeResourcesFit", gone(pod("v", 0, 0)), k_33));
}

// EVT-FIT-2: a pod that requests less.
TEST(FitHint, WakesWhenAPodRequestsLess) {
  const auto smaller = [](Pod before, Pod now) { return of_pods(EventType::pod_scaled_down, before, now); };
  const ClusterEvent other = smaller(on_n1(pod("v", 0, 500)), on_n1(pod("v", 0, 400)));
  EXPECT_TRUE(wakes(pod("p", 0, 1000), "NodeResourcesFit", other, k_33));
  EXPECT_FALSE(wakes(pod("p", 0, 1000), "NodeResourcesFit", other, k_32));
  EXPECT_FALSE(wakes(pod("p", 0, 0), "NodeResourcesFit", other, k_33));
  EXPECT_TRUE(
      wakes(pod("p", 0, 1000), "NodeResourcesFit", smaller(pod("p", 0, 2000), pod("p", 0, 1000)), k_33));
  EXPECT_FALSE(wakes(pod("p", 0, 1000), "NodeResourcesFit", smaller(pod("v", 0, 2), pod("v", 0, 1)), k_33));
  const ClusterEvent own =
      of_pods(EventType::pod_scaled_down, pod("p", 0, 2000), pod("p", 0, 1000), PodRole::target);
  EXPECT_TRUE(wakes(pod("p", 0, 1000), "NodeResourcesFit", own, k_37));
  EXPECT_TRUE(wakes(pod("p", 0, 1000), "NodeResourcesFit", other, k_37));
}

// EVT-FIT-3: nodes.
TEST(FitHint, WakesWhenANodeBecomesLargeEnough) {
  const auto change = [](std::optional<Node> before, Node now) {
    return of_nodes(before ? EventType::node_allocatable : EventType::node_added, before, now);
  };
  const auto fit = [](const ClusterEvent& event) {
    return wakes(pod("p", 0, 1000), "NodeResourcesFit", event, k_36);
  };
  EXPECT_TRUE(fit(change({}, node_with("n1", 1000))));
  EXPECT_FALSE(fit(change({}, node_with("n1", 999))));
  EXPECT_TRUE(fit(change(node_with("n1", 999), node_with("n1", 1000))));
  Node memory = node_with("n1", 1000);
  memory.allocatable["memory"] += 1;
  EXPECT_FALSE(fit(change(node_with("n1", 1000), memory)));
  Node pods = node_with("n1", 1000);
  pods.allocatable["pods"] += 1;
  EXPECT_TRUE(fit(change(node_with("n1", 1000), pods)));
}

// EVT-PORTS-1, EVT-PORTS-2: host ports and new nodes.
TEST(PortsHint, WakesWhenAPortIsFree) {
  const Pod wants = with_host_port(pod("p", 0, 1), 80);
  const auto gone = [](Pod pod) { return of_pods(EventType::pod_deleted, std::move(pod), {}); };
  EXPECT_TRUE(wakes(wants, "NodePorts", gone(on_n1(with_host_port(pod("v", 0, 1), 80))), k_36));
  EXPECT_FALSE(wakes(wants, "NodePorts", gone(on_n1(with_host_port(pod("v", 0, 1), 81))), k_36));
  EXPECT_FALSE(wakes(wants, "NodePorts", gone(with_host_port(pod("v", 0, 1), 80)), k_36));
  EXPECT_FALSE(wakes(wants, "NodePorts", gone(nominated(with_host_port(pod("v", 0, 1), 80))), k_32));
  EXPECT_TRUE(wakes(wants, "NodePorts", gone(nominated(with_host_port(pod("v", 0, 1), 80))), k_33));
  for (const char* plugin : {"NodePorts", "NodeName"})
    EXPECT_TRUE(wakes(wants, plugin, of_nodes(EventType::node_added, {}, node_with("n", 1)), k_36));
}

// EVT-AFFINITY-1: a pod that is added.
TEST(AffinityHint, WakesWhenAMatchingPodIsAdded) {
  const auto added = [](Pod pod) { return of_pods(EventType::pod_added, {}, std::move(pod)); };
  EXPECT_TRUE(wakes(attracted("a"), "InterPodAffinity", added(on_n1(with_app(pod("x", 0, 1), "a"))), k_36));
  EXPECT_FALSE(wakes(attracted("a"), "InterPodAffinity", added(on_n1(with_app(pod("x", 0, 1), "b"))), k_36));
  EXPECT_FALSE(wakes(repelled("a"), "InterPodAffinity", added(on_n1(with_app(pod("x", 0, 1), "a"))), k_36));
  EXPECT_FALSE(wakes(attracted("a"), "InterPodAffinity", added(with_app(pod("x", 0, 1), "a")), k_36));
  const ClusterEvent of_nominated = added(nominated(with_app(pod("x", 0, 1), "a")));
  EXPECT_FALSE(wakes(attracted("a"), "InterPodAffinity", of_nominated, k_35));
  EXPECT_TRUE(wakes(attracted("a"), "InterPodAffinity", of_nominated, k_36));
}

// EVT-AFFINITY-2: labels that change.
TEST(AffinityHint, WakesWhenLabelsBeginToMatch) {
  const auto change = [](const std::string& from, const std::string& to) {
    return of_pods(EventType::pod_labels, on_n1(with_app(pod("x", 0, 1), from)),
                   on_n1(with_app(pod("x", 0, 1), to)));
  };
  EXPECT_TRUE(wakes(attracted("a"), "InterPodAffinity", change("b", "a"), k_36));
  EXPECT_FALSE(wakes(attracted("a"), "InterPodAffinity", change("a", "b"), k_36));
  EXPECT_TRUE(wakes(repelled("a"), "InterPodAffinity", change("a", "b"), k_36));
  EXPECT_FALSE(wakes(repelled("a"), "InterPodAffinity", change("b", "a"), k_36));
  Pod two = repelled("a");
  two.pod_anti_affinity.push_back(term("other"));
  EXPECT_FALSE(wakes(two, "InterPodAffinity", change("a", "b"), k_36));
  EXPECT_TRUE(wakes(two, "InterPodAffinity", change("a", "b"), k_37));
  const auto own = [](PodRole role) {
    return of_pods(EventType::pod_labels, pod("p", 0, 1), with_app(pod("p", 0, 1), "x"), role);
  };
  EXPECT_FALSE(wakes(attracted("a"), "InterPodAffinity", own(PodRole::unscheduled), k_35));
  EXPECT_TRUE(wakes(attracted("a"), "InterPodAffinity", own(PodRole::unscheduled), k_36));
  EXPECT_TRUE(wakes(attracted("a"), "InterPodAffinity", own(PodRole::target), k_37));
}

// EVT-AFFINITY-3: a pod that is gone.
TEST(AffinityHint, WakesWhenARepellingPodIsGone) {
  const auto gone = [](Pod pod) { return of_pods(EventType::pod_deleted, std::move(pod), {}); };
  EXPECT_TRUE(wakes(repelled("a"), "InterPodAffinity", gone(on_n1(with_app(pod("x", 0, 1), "a"))), k_32));
  EXPECT_FALSE(wakes(repelled("a"), "InterPodAffinity", gone(on_n1(with_app(pod("x", 0, 1), "b"))), k_36));
  Pod repels = on_n1(repelled("a"));
  repels.name = "x";
  EXPECT_FALSE(wakes(with_app(pod("p", 0, 1), "a"), "InterPodAffinity", gone(repels), k_35));
  EXPECT_TRUE(wakes(with_app(pod("p", 0, 1), "a"), "InterPodAffinity", gone(repels), k_36));
}

// EVT-AFFINITY-4: nodes.
TEST(AffinityHint, WakesWhenANodeGetsTheKey) {
  const auto added = [](const Node& node) { return of_nodes(EventType::node_added, {}, node); };
  const auto change = [](const Node& before, const Node& now) {
    return of_nodes(EventType::node_labels, before, now);
  };
  const Node a = labelled("zone", "a");
  const Node b = labelled("zone", "b");
  const Node none = labelled("", "");
  const auto attracts = [](const ClusterEvent& event, const char* release) {
    return wakes(attracted("a"), "InterPodAffinity", event, release);
  };
  const auto repels = [](const ClusterEvent& event, const char* release) {
    return wakes(repelled("a"), "InterPodAffinity", event, release);
  };
  EXPECT_TRUE(attracts(change(a, a), k_32) && repels(change(a, a), k_32));
  EXPECT_FALSE(repels(added(none), k_32) || repels(change(a, none), k_32));
  EXPECT_TRUE(attracts(added(a), k_33) && attracts(change(none, a), k_33) && attracts(change(a, b), k_33));
  EXPECT_FALSE(attracts(added(none), k_33) || attracts(change(a, a), k_33) ||
               attracts(change(a, none), k_33));
  EXPECT_TRUE(repels(added(none), k_33) && repels(change(a, none), k_33) && repels(change(a, b), k_33));
  EXPECT_FALSE(repels(change(none, a), k_33) || repels(change(a, a), k_33));
}

// EVT-SPREAD-1, EVT-SPREAD-2: pods that count.
TEST(SpreadHint, WakesWhenACountChanges) {
  const Pod counted = on_n1(with_app(pod("x", 0, 1), "a"));
  const Pod not_counted = on_n1(with_app(pod("x", 0, 1), "b"));
  const auto spread_wakes = [](const ClusterEvent& event, const char* release) {
    return wakes(spread(), "PodTopologySpread", event, release);
  };
  EXPECT_TRUE(spread_wakes(of_pods(EventType::pod_added, {}, counted), k_36));
  EXPECT_FALSE(spread_wakes(of_pods(EventType::pod_added, {}, not_counted), k_36));
  EXPECT_TRUE(spread_wakes(of_pods(EventType::pod_deleted, counted, {}), k_36));
  EXPECT_FALSE(spread_wakes(of_pods(EventType::pod_deleted, not_counted, {}), k_36));
  EXPECT_TRUE(spread_wakes(of_pods(EventType::pod_labels, counted, not_counted), k_36));
  EXPECT_FALSE(spread_wakes(of_pods(EventType::pod_labels, counted, counted), k_36));
  Pod elsewhere = counted;
  elsewhere.ns = "other";
  EXPECT_FALSE(spread_wakes(of_pods(EventType::pod_added, {}, elsewhere), k_36));
  const ClusterEvent of_nominated =
      of_pods(EventType::pod_deleted, nominated(with_app(pod("x", 0, 1), "a")), {});
  EXPECT_FALSE(spread_wakes(of_nominated, k_35));
  EXPECT_TRUE(spread_wakes(of_nominated, k_36));
  EXPECT_TRUE(spread_wakes(
      of_pods(EventType::pod_labels, pod("p", 0, 1), with_app(pod("p", 0, 1), "a"), PodRole::target), k_37));
}

// EVT-SPREAD-2: P's tolerations matter only with nodeTaintsPolicy Honor.
TEST(SpreadHint, WakesForTolerationsIfTaintsCount) {
  Pod honors = spread();
  Pod tolerant = honors;
  tolerant.tolerations = {{"k", "Exists", "", ""}};
  const auto event = [&] {
    return of_pods(EventType::pod_tolerations, honors, tolerant, PodRole::unscheduled);
  };
  EXPECT_FALSE(wakes(tolerant, "PodTopologySpread", event(), k_36));
  for (Pod* each : {&honors, &tolerant}) each->topology_spread[0].node_taints_policy = "Honor";
  EXPECT_TRUE(wakes(tolerant, "PodTopologySpread", event(), k_36));
  EXPECT_FALSE(wakes(tolerant, "PodTopologySpread",
                     of_pods(EventType::pod_tolerations, tolerant, tolerant, PodRole::unscheduled), k_36));
}

// EVT-SPREAD-3: nodes with all topology keys.
TEST(SpreadHint, WakesWhenTheDomainsChange) {
  const Node a = labelled("zone", "a");
  const Node b = labelled("zone", "b");
  const Node none = labelled("", "");
  Node tainted = a;
  tainted.taints = {{"k", "", "NoSchedule"}};
  const auto spread_wakes = [](EventType type, std::optional<Node> before, std::optional<Node> now) {
    return wakes(spread(), "PodTopologySpread", of_nodes(type, before, now), k_37);
  };
  EXPECT_TRUE(spread_wakes(EventType::node_added, {}, a));
  EXPECT_FALSE(spread_wakes(EventType::node_added, {}, none));
  EXPECT_TRUE(spread_wakes(EventType::node_deleted, a, {}));
  EXPECT_FALSE(spread_wakes(EventType::node_deleted, none, {}));
  EXPECT_TRUE(spread_wakes(EventType::node_labels, none, a));
  EXPECT_TRUE(spread_wakes(EventType::node_labels, a, b));
  EXPECT_FALSE(spread_wakes(EventType::node_labels, a, a));
  EXPECT_FALSE(spread_wakes(EventType::node_labels, none, none));
  EXPECT_TRUE(spread_wakes(EventType::node_taints, a, tainted));
}

// EVT-NODEAFFINITY-1: labels that begin to match.
TEST(NodeAffinityHint, WakesWhenANodeBeginsToMatch) {
  Pod selects = pod("p", 0, 1);
  selects.node_selector = {{"disk", "ssd"}};
  const auto change = [&](std::optional<Node> before, const Node& now) {
    return wakes(selects, "NodeAffinity", of_nodes(EventType::node_labels, before, now), k_36);
  };
  const Node ssd = labelled("disk", "ssd");
  EXPECT_TRUE(change({}, ssd));
  EXPECT_TRUE(change(labelled("", ""), ssd));
  EXPECT_FALSE(change(ssd, ssd));
  EXPECT_FALSE(change(ssd, labelled("", "")));
}

// EVT-TAINT-1, EVT-TAINT-2: taints and tolerations.
TEST(TaintHint, WakesWhenTaintsAreTolerated) {
  Node tainted = node_with("n1", 1);
  tainted.taints = {{"k", "", "NoSchedule"}};
  const auto change = [](std::optional<Node> before, const Node& now) {
    return wakes(pod("p", 0, 1), "TaintToleration",
                 of_nodes(before ? EventType::node_taints : EventType::node_added, before, now), k_36);
  };
  EXPECT_TRUE(change(tainted, node_with("n1", 1)));
  EXPECT_FALSE(change(node_with("n1", 1), tainted));
  EXPECT_FALSE(change(node_with("n1", 1), node_with("n1", 1)));
  EXPECT_TRUE(change({}, node_with("n1", 1)));
  const auto own = [](const char* name) {
    return of_pods(EventType::pod_tolerations, pod(name, 0, 1), pod(name, 0, 1), PodRole::unscheduled);
  };
  EXPECT_TRUE(wakes(pod("p", 0, 1), "TaintToleration", own("p"), k_36));
  EXPECT_FALSE(wakes(pod("p", 0, 1), "TaintToleration", own("q"), k_36));
}

// EVT-UNSCHEDULABLE-1, EVT-UNSCHEDULABLE-2: nodes that become schedulable, and the toleration.
TEST(UnschedulableHint, WakesWhenANodeBecomesSchedulable) {
  Node off = node_with("n1", 1);
  off.unschedulable = true;
  const auto change = [](std::optional<Node> before, const Node& now) {
    return wakes(pod("p", 0, 1), "NodeUnschedulable", of_nodes(EventType::node_taints, before, now), k_36);
  };
  EXPECT_TRUE(change(off, node_with("n1", 1)));
  EXPECT_TRUE(change({}, node_with("n1", 1)));
  EXPECT_FALSE(change({}, off));
  EXPECT_FALSE(change(node_with("n1", 1), node_with("n1", 1)));
  Pod tolerant = pod("p", 0, 1);
  tolerant.tolerations = {{"node.kubernetes.io/unschedulable", "Exists", "", ""}};
  const ClusterEvent own =
      of_pods(EventType::pod_tolerations, pod("p", 0, 1), tolerant, PodRole::unscheduled);
  EXPECT_TRUE(wakes(tolerant, "NodeUnschedulable", own, k_36));
  EXPECT_FALSE(wakes(pod("q", 0, 1), "NodeUnschedulable", own, k_36));
  const ClusterEvent bare =
      of_pods(EventType::pod_tolerations, tolerant, pod("p", 0, 1), PodRole::unscheduled);
  EXPECT_FALSE(wakes(pod("p", 0, 1), "NodeUnschedulable", bare, k_36));
}

// EVT-GATES-1, EVT-PREEMPTION-1: the gates of the pod itself; DefaultPreemption hears, and never wakes.
TEST(GatesHint, WakesForOwnGatesAlone) {
  const auto own = [](const char* name, PodRole role) {
    return of_pods(EventType::pod_gates_gone, pod(name, 0, 1), pod(name, 0, 1), role);
  };
  EXPECT_TRUE(wakes(pod("p", 0, 1), "SchedulingGates", own("p", PodRole::unscheduled), k_36));
  EXPECT_FALSE(wakes(pod("p", 0, 1), "SchedulingGates", own("q", PodRole::unscheduled), k_36));
  EXPECT_TRUE(wakes(pod("p", 0, 1), "SchedulingGates", own("p", PodRole::target), k_37));
  const ClusterEvent gone = of_pods(EventType::pod_deleted, on_n1(pod("v", 0, 1)), {});
  EXPECT_FALSE(wakes(pod("p", 0, 1), "DefaultPreemption", gone, k_36));
  EXPECT_TRUE(reference::registered("DefaultPreemption", gone, release("v1.34.4")));
  EXPECT_FALSE(reference::registered("DefaultPreemption", gone, release(k_33)));
}

}  // namespace touchstone::tests::hints_test
