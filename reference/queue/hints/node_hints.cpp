#include "reference/filters/filters.hpp"
#include "reference/queue/hints.hpp"
#include "reference/queue/hints/one_pod_cycle.hpp"

/// The hints of NodeAffinity, TaintToleration, NodeUnschedulable and SchedulingGates.
namespace touchstone::reference {

/// EVT-NODEAFFINITY-1
bool node_affinity_hint(const Pod& pod, const ClusterEvent& event, const Release& release) {
  const OnePodCycle now(pod, *event.new_node, release);
  if (!node_affinity(*now, now.node()).ok()) return false;
  if (!event.old_node) return true;
  const OnePodCycle before(pod, *event.old_node, release);
  return !own_node_affinity(*before, before.node()).ok();
}

/// EVT-TAINT-1
bool taint_hint_of_node(const Pod& pod, const ClusterEvent& event, const Release& release) {
  const OnePodCycle now(pod, *event.new_node, release);
  if (!taint_toleration(*now, now.node()).ok()) return false;
  if (!event.old_node) return true;
  const OnePodCycle before(pod, *event.old_node, release);
  return !taint_toleration(*before, before.node()).ok();
}

/// EVT-TAINT-2
bool taint_hint_of_pod(const Pod& pod, const ClusterEvent& event, const Release&) {
  return is_own_update(pod, event);
}

/// EVT-UNSCHEDULABLE-1
bool unschedulable_hint_of_node(const Pod&, const ClusterEvent& event, const Release&) {
  return (!event.old_node || event.old_node->unschedulable) && !event.new_node->unschedulable;
}

/// EVT-UNSCHEDULABLE-2
bool unschedulable_hint_of_pod(const Pod& pod, const ClusterEvent& event, const Release&) {
  const Taint unschedulable{"node.kubernetes.io/unschedulable", "", "NoSchedule"};
  return is_own_update(pod, event) && tolerates(event.new_pod->pod, unschedulable);
}

/// EVT-GATES-1
bool gates_hint(const Pod& pod, const ClusterEvent& event, const Release&) {
  return is_own_update(pod, event);
}

}  // namespace touchstone::reference
