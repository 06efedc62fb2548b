#include <algorithm>

#include "reference/filters/constraints.hpp"
#include "reference/queue/cluster_events.hpp"
#include "reference/queue/hints.hpp"
#include "reference/queue/hints/one_pod_cycle.hpp"

/// The hints of PodTopologySpread.
namespace touchstone::reference {

namespace {

std::vector<Constraint> required_constraints(const Cycle& cycle) {
  return constraints_of(cycle, "DoNotSchedule");
}

/// EVT-SPREAD-1: whether a pod can count for the constraints of the pending pod.
bool is_involved(const std::optional<PodObject>& other, const Pod& pod, const Release& release) {
  if (!other || other->pod.uid == pod.uid) return true;
  const bool is_placed = !other->pod.node_name.empty() ||
                         (release.affinity_hint_counts_nominated && !other->pod.nominated_node_name.empty());
  return is_placed && other->pod.ns == pod.ns;
}

/// EVT-SPREAD-2: whether a change of tolerations changes the nodes over which the pod spreads.
bool tolerates_other_nodes(const Pod& before, const Pod& now, const std::vector<Constraint>& constraints) {
  const auto same = [](const Toleration& x, const Toleration& y) {
    return x.key == y.key && x.op == y.op && x.value == y.value && x.effect == y.effect;
  };
  return !std::equal(before.tolerations.begin(), before.tolerations.end(), now.tolerations.begin(),
                     now.tolerations.end(), same) &&
         std::any_of(constraints.begin(), constraints.end(),
                     [](const Constraint& each) { return each.node_taints_policy == "Honor"; });
}

/// Whether the labels that the constraints name have the same values on both nodes.
bool same_topology_values(const Node& a, const Node& b, const std::vector<Constraint>& constraints) {
  return std::all_of(constraints.begin(), constraints.end(), [&](const Constraint& each) {
    return domain_of(a, each.topology_key) == domain_of(b, each.topology_key);
  });
}

}  // namespace

/// EVT-SPREAD-1, EVT-SPREAD-2
bool spread_hint_of_pod(const Pod& pod, const ClusterEvent& event, const Release& release) {
  if (!is_involved(event.old_pod, pod, release) || !is_involved(event.new_pod, pod, release)) return false;
  const OnePodCycle one_pod(pod, release);
  const Cycle& cycle = *one_pod;
  const std::vector<Constraint> constraints = required_constraints(cycle);
  if (is_own_update(pod, event) && tolerates_other_nodes(event.old_pod->pod, event.new_pod->pod, constraints))
    return true;
  return std::any_of(constraints.begin(), constraints.end(), [&](const Constraint& each) {
    const bool counted = event.old_pod && selects(each, event.old_pod->pod.labels, cycle);
    const bool counts = event.new_pod && selects(each, event.new_pod->pod.labels, cycle);
    return counted != counts;
  });
}

/// EVT-SPREAD-3
bool spread_hint_of_node(const Pod& pod, const ClusterEvent& event, const Release& release) {
  const OnePodCycle one_pod(pod, release);
  const std::vector<Constraint> constraints = required_constraints(*one_pod);
  const bool was_counted = event.old_node && has_all_keys(*event.old_node, constraints);
  const bool is_counted = event.new_node && has_all_keys(*event.new_node, constraints);
  if (was_counted != is_counted) return true;
  if (!is_counted) return false;
  return !same_topology_values(*event.old_node, *event.new_node, constraints) ||
         !same_taints(*event.old_node, *event.new_node);
}

}  // namespace touchstone::reference
