#include <algorithm>

#include "reference/queue/cluster_events.hpp"
#include "reference/queue/gang.hpp"
#include "reference/queue/hints.hpp"
#include "reference/queue/objects.hpp"
#include "reference/queue/scheduling_queue.hpp"

/// The plug-ins that keep a pod out of the active part.
namespace touchstone::reference {

namespace {

constexpr const char* k_scheduling_gates = "SchedulingGates";

/// QUE-GATE-3: whether a running preemption gates its preemptor. Up to v1.34 the mark is gone before the last
/// victim is evicted.
bool gates_its_preemptor(const World& world, const Preemption& preemption) {
  if (!preemption.marked) return false;
  if (preemption.phase != Preemption::Phase::last_victim) return true;
  const Pod& last = preemption.victims.back().pod;
  const PodObject* seen = find_pod(world.seen.pods, last.ns, last.name);
  return seen != nullptr && !seen->pod.terminating;
}

bool is_preempting(const World& world, const std::string& uid) {
  return std::any_of(world.preemptions.begin(), world.preemptions.end(), [&](const Preemption& each) {
    return each.preemptor.pod.uid == uid && gates_its_preemptor(world, each);
  });
}

/// QUE-ENTITY-8: the preemptor whose preemption gates a pod: its PodGroup, or the pod itself. Requires: the
/// scheduler sees the PodGroup (QUE-ENTITY-1).
std::string preemptor_of(const World& world, const PodObject& pod) {
  if (!is_of_queued_group(world.release, pod)) return pod.pod.uid;
  return find_pod_group(world.seen.pod_groups, pod.pod.ns, pod.pod_group)->uid;
}

/// The plug-ins that gate a pod.
std::vector<std::string> gating_plugins(const World& world, const PodObject& pod) {
  std::vector<std::string> all;
  if (!pod.pod.scheduling_gates.empty()) all.emplace_back(k_scheduling_gates);
  if (is_preempting(world, preemptor_of(world, pod))) all.emplace_back(k_default_preemption);
  if (gang_gates(world, pod)) all.emplace_back(k_gang_scheduling);
  return all;
}

}  // namespace

/// QUE-GATE-1
void run_pre_enqueue(World& world, Entry& entry) {
  const std::vector<std::string> all = gating_plugins(world, entry.object);
  if (all.empty()) {
    entry.gated_by.clear();
    return;
  }
  if (std::find(all.begin(), all.end(), entry.gated_by) == all.end()) {
    if (all.size() > 1) world.gates.any_is_chosen = true;
    entry.gated_by = world.gates.last_first ? all.back() : all.front();
  }
  entry.rejectors.insert(entry.gated_by);
}

std::string_view gating_clause(const World& world, const Entry& entry) {
  if (entry.gated_by == k_default_preemption && is_of_queued_group(world.release, entry.object))
    return "QUE-ENTITY-8";
  if (entry.gated_by == k_gang_scheduling)
    return entry.object.pod_group.empty() ? "QUE-GANG-1" : "QUE-GROUP-1";
  return entry.gated_by == k_default_preemption ? "QUE-GATE-3" : "QUE-GATE-1";
}

/// QUE-GATE-2
bool is_passed_over(const Entry& entry, const ClusterEvent& event, const Release& release) {
  if (entry.gated_by.empty()) return false;
  if (release.gated_pods == GatedPods::by_scheduling_gates)
    return entry.rejectors.contains(k_scheduling_gates);
  if (release.gated_pods == GatedPods::but_wildcards && is_wildcard(event.type)) return false;
  return !registered(entry.gated_by, event, release);
}

}  // namespace touchstone::reference
