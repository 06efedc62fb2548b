#include "reference/queue/gang.hpp"

#include <algorithm>

#include "reference/queue/objects.hpp"
#include "reference/queue/permit.hpp"
#include "reference/queue/scheduling_queue.hpp"

namespace touchstone::reference {

namespace {

bool is_in_gang_of(const PodObject& pod, const PodObject& other) {
  return pod.workload_ref && other.pod.ns == pod.pod.ns && other.workload_ref == pod.workload_ref;
}

/// The pods of the gang that the scheduler sees.
std::vector<const PodObject*> members(const World& world, const PodObject& pod) {
  std::vector<const PodObject*> found;
  for (const PodObject& each : world.seen.pods) {
    if (is_in_gang_of(pod, each)) found.push_back(&each);
  }
  return found;
}

/// The pod group of a pod. Null: it does not exist.
const PodGroup* group_of(const World& world, const PodObject& pod) {
  const WorkloadGroups* workload = find_workload(world.seen.workloads, pod.pod.ns, pod.workload_ref->workload);
  if (workload == nullptr) return nullptr;
  const auto found = std::find_if(workload->groups.begin(), workload->groups.end(), [&pod](const auto& each) {
    return each.name == pod.workload_ref->group;
  });
  return found == workload->groups.end() ? nullptr : &*found;
}

/// QUE-GANG-3: whether so many pods of the gang are assumed or on a node, with this one, that all may go on.
bool has_quorum(const World& world, const PodObject& pod, Quantity least) {
  const std::vector<const PodObject*> all = members(world, pod);
  const auto count = std::count_if(all.begin(), all.end(), [&](const PodObject* each) {
    const std::string& uid = each->pod.uid;
    return uid == pod.pod.uid || !each->pod.node_name.empty() || world.cache.assumed.contains(uid);
  });
  return count >= least;
}

}  // namespace

/// QUE-GANG-1
bool gang_gates(const World& world, const PodObject& pod) {
  if (!world.release.gangs_wait || !pod.workload_ref) return false;
  const PodGroup* group = group_of(world, pod);
  if (group == nullptr) return true;
  return group->least_pods && static_cast<Quantity>(members(world, pod).size()) < *group->least_pods;
}

/// QUE-GANG-2
bool gang_hint(const PodObject& pod, const ClusterEvent& event) {
  if (event.new_pod) return is_in_gang_of(pod, *event.new_pod);
  return pod.workload_ref && event.new_workload->ns == pod.pod.ns &&
         event.new_workload->name == pod.workload_ref->workload;
}

GangPermit gang_permit(const World& world, const PodObject& pod) {
  if (!world.release.gangs_wait || !pod.workload_ref) return GangPermit::passes;
  const PodGroup* group = group_of(world, pod);
  if (group == nullptr) return GangPermit::errs;
  if (!group->least_pods || has_quorum(world, pod, *group->least_pods)) return GangPermit::passes;
  const bool is_broken =
      std::any_of(world.forgotten_in_gangs.begin(), world.forgotten_in_gangs.end(),
                  [&pod](const PodObject& each) { return is_in_gang_of(pod, each); });
  return is_broken ? GangPermit::crashes : GangPermit::waits;
}

/// QUE-GANG-4
std::string gang_error(const World& world, const PodObject& pod) {
  const std::string& workload = pod.workload_ref->workload;
  const bool is_there = find_workload(world.seen.workloads, pod.pod.ns, workload) != nullptr;
  const std::string why =
      is_there ? "pod group \"" + pod.workload_ref->group + "\" doesn't exist for a workload \"" + workload + "\""
               : "failed to get workload " + pod.pod.ns + "/" + workload;
  return "running Permit plugin \"GangScheduling\": " + why;
}

void activate_gang(World& world, const PodObject& pod) {
  for (const PodObject* each : members(world, pod)) {
    if (each->pod.node_name.empty() && !world.cache.assumed.contains(each->pod.uid))
      activate(world, PodObject(*each), pod);
  }
}

void allow_gang(World& world, const PodObject& pod) {
  if (!world.release.gangs_wait || !pod.workload_ref || !group_of(world, pod)->least_pods) return;
  for (BindingRun& each : world.bindings) {
    if (!waits_in_permit(each) || !is_in_gang_of(pod, each.entry.object)) continue;
    judge(world, each, {true, false, k_gang_scheduling, ""});
  }
}

void forget_in_gang(World& world, const PodObject& pod) {
  if (!world.release.gangs_wait || !pod.workload_ref) return;
  const std::vector<const PodObject*> left = members(world, pod);
  const bool is_among = std::any_of(left.begin(), left.end(),
                                    [&pod](const PodObject* each) { return each->pod.uid == pod.pod.uid; });
  if (!is_among && !left.empty()) world.forgotten_in_gangs.push_back(pod);
}

void end_empty_gang(World& world, const PodObject& pod) {
  if (!members(world, pod).empty()) return;
  std::erase_if(world.forgotten_in_gangs, [&pod](const PodObject& each) { return is_in_gang_of(pod, each); });
}

}  // namespace touchstone::reference
