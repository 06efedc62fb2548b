#include "reference/preemption/preempt.hpp"

/// Whether the pod may preempt after a failed attempt, and on which nodes preemption might help.
namespace touchstone::reference {

namespace {

/// PRE-ELIGIBLE-2: whether the first pass gave a node the status UnschedulableAndUnresolvable. A node without
/// a status is not unresolvable.
bool is_unresolvable(const FirstPass& first_pass, NodeIndex node) {
  return first_pass.status.contains(node) &&
         first_pass.status.at(node).code == Code::unschedulable_and_unresolvable;
}

}  // namespace

/// PRE-ELIGIBLE-4
bool is_being_preempted(const Pod& pod, const Release& release) {
  if (!pod.terminating) return false;
  if (release.waits_for == WaitsFor::any_terminating) return true;
  for (const Condition& condition : pod.conditions) {
    if (condition.type != "DisruptionTarget") continue;
    return condition.status == "True" && condition.reason == "PreemptionByScheduler";
  }
  return false;
}

std::string why_not_eligible(const Cycle& cycle, const FirstPass& first_pass) {
  const Release& release = cycle.release;
  // PRE-ELIGIBLE-1
  if (release.preemption_policy && cycle.pod.preemption_policy == "Never") {
    cycle.trace.add({Stage::eligibility, "PRE-ELIGIBLE-1", false, "preemptionPolicy is Never"});
    return filled_in(release.text_never, "$pod", cycle.pod.full_name());
  }
  if (!cycle.nominated_node) {
    const std::string_view clause = release.preemption_policy ? "PRE-ELIGIBLE-1" : "PRE-ELIGIBLE-3";
    cycle.trace.add({Stage::eligibility, clause, true, "may preempt"});
    return "";
  }
  // PRE-ELIGIBLE-2
  if (release.unresolvable_nomination_eligible && is_unresolvable(first_pass, *cycle.nominated_node)) {
    cycle.trace.add({Stage::eligibility, "PRE-ELIGIBLE-2", true, "the nominated node is beyond help",
                     cycle.nominated_node});
    return "";
  }
  // PRE-ELIGIBLE-3
  for (const PodOnNode& other : cycle.nodes[*cycle.nominated_node].pods) {
    if (victim_priority(*other.object) >= cycle.pod.priority || !is_being_preempted(*other.object, release))
      continue;
    cycle.trace.add({Stage::eligibility, "PRE-ELIGIBLE-3", false, "waits for a terminating pod",
                     cycle.nominated_node, other.pod});
    return filled_in(release.text_waiting, "$pod", cycle.pod.full_name());
  }
  cycle.trace.add({Stage::eligibility, "PRE-ELIGIBLE-3", true, "no victim is left on the nominated node",
                   cycle.nominated_node});
  return "";
}

std::vector<NodeIndex> potential_nodes(const Cycle& cycle, const FirstPass& first_pass) {
  std::vector<NodeIndex> potential;
  for (const NodeState& node : cycle.nodes) {
    const bool resolvable =
        !is_unresolvable(first_pass, node.index) && !first_pass.dropped.contains(node.index);  // EXT-DROP-1
    cycle.trace.add({Stage::potential, "PRE-POTENTIAL-1", resolvable,
                     resolvable ? "evictions might help" : "no eviction can help", node.index});
    if (resolvable) potential.push_back(node.index);
  }
  return potential;
}

}  // namespace touchstone::reference
