#include "reference/filters.hpp"
#include "reference/preempt.hpp"

/// The attempt that failed, and who may preempt after it.
namespace touchstone::reference {

namespace {

bool excluded(const PinnedNodes& pinned, const Node& node) {
  return !pinned.all_nodes && !pinned.names.contains(node.name);
}

/// PRE-PREFILTER-5: what comes of pinned names that no node has; empty: nothing.
std::string unknown_pinned_node_error(const Cycle& cycle, const PinnedNodes& pinned) {
  std::set<std::string> unknown = pinned.names;
  for (const Node& node : cycle.cluster.nodes) unknown.erase(node.name);
  const UnknownPinnedNode rule = cycle.release.unknown_pinned_node;
  if (unknown.empty() || rule == UnknownPinnedNode::is_skipped) return "";
  if (rule == UnknownPinnedNode::errs) return "nodeinfo not found for node name \"" + *unknown.begin() + "\"";
  return unknown == pinned.names ? "no pinned node is known: the scheduler crashes" : "";
}

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

/// PRE-ELIGIBLE-2: a node without a status counts as the first pass left it: excluded nodes may be
/// unresolvable.
bool is_unresolvable(const FirstPass& first_pass, NodeIndex node) {
  const auto found = first_pass.status.find(node);
  return found != first_pass.status.end() && found->second.code == Code::unschedulable_and_unresolvable;
}

}  // namespace

FirstPass filter_nodes(const Cycle& cycle) {
  FirstPass first_pass;
  // PRE-CYCLE-2
  if (cycle.nodes.empty()) {
    first_pass.error = "no nodes available to schedule pods";
    cycle.trace.add({Stage::attempt, "PRE-CYCLE-2", false, first_pass.error});
    return first_pass;
  }

  const PinnedNodes pinned = pinned_nodes(cycle);
  const bool contradiction = !pinned.all_nodes && pinned.names.empty();
  if (contradiction) first_pass.rejection = "pod affinity terms conflict";  // PRE-PREFILTER-2
  if (contradiction && cycle.release.prefilter_failure_lost) {              // PRE-PREFILTER-4
    first_pass.state_lost = true;
    cycle.trace.add({Stage::attempt, "PRE-PREFILTER-4", false,
                     "the pinned names contradict each other, and that is lost"});
    return first_pass;
  }
  first_pass.error = unknown_pinned_node_error(cycle, pinned);
  if (!first_pass.error.empty()) {  // PRE-PREFILTER-5
    cycle.trace.add({Stage::attempt, "PRE-PREFILTER-5", false, first_pass.error});
    return first_pass;
  }

  for (const NodeState& node : cycle.nodes) {
    if (!spread_account_crashes(cycle, node, counted_nominated_pods(cycle, node.index))) continue;
    first_pass.error = "a nominated pod is in no domain that is counted: the scheduler crashes";
    cycle.trace.add({Stage::attempt, "PRE-SPREAD-6", false, first_pass.error, node.index});
    return first_pass;
  }

  for (const NodeState& node : cycle.nodes) {
    Status status;
    if (contradiction) {  // PRE-PREFILTER-2
      status = {Code::unschedulable_and_unresolvable,
                "NodeAffinity",
                {first_pass.rejection},
                {{"PRE-PREFILTER-2", "the names that the pod is pinned to contradict each other", {}, {}}}};
    } else if (!excluded(pinned, *node.node) || cycle.nominated_node == node.index) {  // PRE-PREFILTER-3
      status = run_filters_with_nominated_pods(cycle, node);
    } else if (cycle.release.excluded_nodes == ExcludedNodes::unresolvable) {  // PRE-PREFILTER-3
      first_pass.excluded.insert(node.index);
      status = {Code::unschedulable_and_unresolvable,
                "",
                {"node(s) didn't satisfy plugin(s) [NodeAffinity]"},
                {{"PRE-PREFILTER-3", "the pod is pinned to other nodes", {}, {}}}};
    } else {
      cycle.trace.add({Stage::attempt, "PRE-PREFILTER-3", false, "excluded, without a status", node.index});
      continue;
    }
    if (status.ok()) {
      cycle.trace.add({Stage::attempt, "PRE-CYCLE-1", true, "fits", node.index});
      first_pass.feasible.push_back(node.index);
    } else {
      cycle.trace.add({Stage::attempt,
                       status.findings.front().clause,
                       false,
                       status.reasons[0],
                       node.index,
                       {},
                       {},
                       status.findings});
      first_pass.status[node.index] = status;
    }
  }
  return first_pass;
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
    if (other.object->priority >= cycle.pod.priority || !is_being_preempted(*other.object, release)) continue;
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
    const bool resolvable = !is_unresolvable(first_pass, node.index);
    cycle.trace.add({Stage::potential, "PRE-POTENTIAL-1", resolvable,
                     resolvable ? "evictions might help" : "no eviction can help", node.index});
    if (resolvable) potential.push_back(node.index);
  }
  return potential;
}

}  // namespace touchstone::reference
