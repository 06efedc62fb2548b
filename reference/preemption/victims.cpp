#include <algorithm>

#include "reference/filters/filters.hpp"
#include "reference/preemption/preempt.hpp"

/// The dry run on one node. It removes all pods of lower priority and adds them back one by one. A pod with
/// which the preemptor still fits is reprieved; every other one is a victim.
namespace touchstone::reference {

namespace {

/// The victims of a dry run, split by whether their eviction violates a PDB.
struct Victims {
  std::vector<PodOnNode> violating;
  std::vector<PodOnNode> others;
};

/// PRE-VICTIM-6: adds pods back one by one, and returns those with which the preemptor does not fit. Pods
/// whose eviction would violate a PDB come first. Requires: `state` has none of these pods, and `pods` is
/// sorted by importance.
Victims put_back(const Cycle& cycle, NodeState state, const std::vector<PodOnNode>& pods,
                 const std::vector<bool>& violating) {
  Victims victims;
  for (const bool violating_now : {true, false}) {
    for (std::size_t i = 0; i < pods.size(); ++i) {
      if (violating[i] != violating_now) continue;
      state.put_back(pods[i], cycle.release);
      const Status status = run_filters_with_nominated_pods(cycle, state);
      cycle.trace.add({Stage::reprieve,
                       "PRE-VICTIM-6",
                       status.ok(),
                       status.ok() ? "reprieved" : "victim",
                       state.index,
                       pods[i].pod,
                       {},
                       status.findings});
      if (status.ok()) continue;
      state.remove(pods[i], cycle.release);
      (violating[i] ? victims.violating : victims.others).push_back(pods[i]);
    }
  }
  return victims;
}

}  // namespace

Quantity victim_priority(const Pod& pod) { return pod.group_priority.value_or(pod.priority); }

/// PRE-VICTIM-4
bool more_important(const Pod& a, const Pod& b, const Release& release) {
  if (victim_priority(a) != victim_priority(b)) return victim_priority(a) > victim_priority(b);
  if (a.group_priority.has_value() != b.group_priority.has_value()) return a.group_priority.has_value();
  if (!release.importance_by_start_time) return false;
  if (a.start_time_ns && b.start_time_ns && *a.start_time_ns != *b.start_time_ns) {
    return *a.start_time_ns < *b.start_time_ns;
  }
  if (a.start_time_ns.has_value() != b.start_time_ns.has_value()) return a.start_time_ns.has_value();
  return release.importance_by_uid && a.uid < b.uid;
}

std::vector<PodOnNode> potential_victims(const Cycle& cycle, NodeIndex node) {
  std::vector<PodOnNode> lower;
  for (const PodOnNode& other : cycle.nodes[node].pods) {
    if (victim_priority(*other.object) < cycle.pod.priority) lower.push_back(other);
  }
  return lower;
}

bool equally_important(const Pod& a, const Pod& b, const Release& release) {
  return !more_important(a, b, release) && !more_important(b, a, release);
}

void sort_by_importance(std::vector<PodOnNode>& pods, const Release& release) {
  // PRE-VICTIM-5: if the release reads the clock once for each pod, in list order, then unstarted pods are in
  // list order.
  const bool listed = release.unstarted_order == UnstartedOrder::as_listed;
  std::stable_sort(pods.begin(), pods.end(), [&](const PodOnNode& a, const PodOnNode& b) {
    if (more_important(*a.object, *b.object, release)) return true;
    const bool unstarted = !a.object->start_time_ns && !b.object->start_time_ns;
    return listed && unstarted && equally_important(*a.object, *b.object, release) && a.pod < b.pod;
  });
  if (listed) return;
  // PRE-VICTIM-5: the release reads the clock whenever it compares an unstarted pod. So an unstarted pod
  // seems older than the unstarted pods before it, and their order is reversed.
  for (auto first = pods.begin(); first != pods.end();) {
    const auto last = std::find_if(first, pods.end(), [&](const PodOnNode& other) {
      return other.object->start_time_ns || !equally_important(*first->object, *other.object, release);
    });
    std::reverse(first, last);
    first = last == first ? first + 1 : last;
  }
}

std::vector<PodOnNode> victims_in_order(std::vector<PodOnNode> violating,
                                        const std::vector<PodOnNode>& others, bool both_groups,
                                        const Release& release) {
  std::vector<PodOnNode> victims = std::move(violating);
  victims.insert(victims.end(), others.begin(), others.end());
  if (release.victims_sorted_again && both_groups) sort_by_importance(victims, release);
  return victims;
}

DryRun select_victims(const Cycle& cycle, NodeIndex node, const MissingFilterState& state_lost) {
  const Release& release = cycle.release;
  NodeState state = cycle.nodes[node];
  DryRun result;
  result.candidate.node = node;

  // PRE-VICTIM-1
  std::vector<PodOnNode> pods = potential_victims(cycle, node);
  if (!state_lost.error.empty() && !pods.empty()) {  // PRE-PREFILTER-4, PRE-CLAIM-3
    result.status = {Code::error, "", {state_lost.error}};
    cycle.trace.add({Stage::without_victims, state_lost.clause, false,
                     "a filter has no state to remove a pod from", node});
    return result;
  }
  for (const PodOnNode& pod : pods) state.remove(pod, release);

  // PRE-VICTIM-2
  if (pods.empty() && release.no_potential_victims == NoPotentialVictims::rejected) {
    const std::string text = filled_in(release.text_no_victims, "$node", state.node->name);
    result.status = {Code::unschedulable_and_unresolvable, "", {filled_in(text, "$pod", cycle.pod.name)}};
    cycle.trace.add({Stage::without_victims, "PRE-VICTIM-2", false, "no pod of lower priority", node});
    return result;
  }

  // PRE-VICTIM-3
  result.status = run_filters_with_nominated_pods(cycle, state);
  cycle.trace.add({Stage::without_victims,
                   "PRE-VICTIM-3",
                   result.status.ok(),
                   "without the pods of lower priority",
                   node,
                   {},
                   {{Measure::removed, static_cast<Quantity>(pods.size())}},
                   result.status.findings});
  if (!result.status.ok()) return result;

  // PRE-VICTIM-4, PRE-PDB-1, PRE-VICTIM-6
  sort_by_importance(pods, release);
  const std::vector<bool> violating = pdb_violations(cycle, pods);
  const Victims victims = put_back(cycle, state, pods, violating);

  // PRE-VICTIM-7, PRE-PDB-8
  result.candidate.pdb_violations = static_cast<Quantity>(victims.violating.size());
  const auto violators = std::count(violating.begin(), violating.end(), true);
  const bool both_groups = violators > 0 && violators < static_cast<std::ptrdiff_t>(pods.size());
  for (const PodOnNode& pod : victims_in_order(victims.violating, victims.others, both_groups, release)) {
    result.candidate.victims.push_back(pod.pod);
  }

  // PRE-VICTIM-8
  if (result.candidate.victims.empty() && release.no_victims_left == NoVictimsLeft::error) {
    result.status = {
        Code::error, "", {"expected at least one victim pod on node \"" + state.node->name + "\""}};
    cycle.trace.add({Stage::candidate, "PRE-VICTIM-8", false, "no victim is left", node});
    return result;
  }
  cycle.trace.add({Stage::candidate,
                   "PRE-VICTIM-7",
                   true,
                   "candidate",
                   node,
                   {},
                   {{Measure::victims, static_cast<Quantity>(result.candidate.victims.size())},
                    {Measure::pdb_violations, result.candidate.pdb_violations}}});
  return result;
}

}  // namespace touchstone::reference
