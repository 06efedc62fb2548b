#include "proofs/certificates/eligibility.hpp"

#include <algorithm>

#include "reference/filters/filters.hpp"

namespace touchstone::proofs {

namespace {

/// PRE-ELIGIBLE-4
bool is_being_preempted(const Pod& pod, const Release& release) {
  if (!pod.terminating || release.waits_for == WaitsFor::any_terminating) return pod.terminating;
  const auto disruption =
      std::find_if(pod.conditions.begin(), pod.conditions.end(),
                   [](const Condition& condition) { return condition.type == "DisruptionTarget"; });
  return disruption != pod.conditions.end() && disruption->status == "True" &&
         disruption->reason == "PreemptionByScheduler";
}

/// PRE-ELIGIBLE-2: whether the nominated node is unresolvable in this attempt, with all pods on it.
bool nomination_cannot_come_true(const reference::Cycle& cycle, NodeIndex node) {
  const Status status = reference::run_filters_with_nominated_pods(cycle, cycle.nodes[node]);
  return cycle.release.unresolvable_nomination_eligible &&
         status.code == Code::unschedulable_and_unresolvable;
}

}  // namespace

Obstacles obstacles(const reference::Cycle& cycle) {
  Obstacles found;
  found.policy_is_never = cycle.release.preemption_policy && cycle.pod.preemption_policy == "Never";
  if (!cycle.nominated_node || nomination_cannot_come_true(cycle, *cycle.nominated_node)) return found;
  const std::vector<reference::PodOnNode>& pods = cycle.nodes[*cycle.nominated_node].pods;
  found.waits_for_victim = std::any_of(pods.begin(), pods.end(), [&](const reference::PodOnNode& other) {
    return other.object->priority < cycle.pod.priority && is_being_preempted(*other.object, cycle.release);
  });
  return found;
}

}  // namespace touchstone::proofs
