#include "reference/queue/gang.hpp"

#include <algorithm>
#include <set>

#include "reference/queue/objects.hpp"
#include "reference/queue/permit.hpp"
#include "reference/queue/scheduling_queue.hpp"

namespace touchstone::reference {

namespace {

/// Whether a pod is in a gang or pod group that the release knows.
bool has_gang(const Release& release, const PodObject& pod) {
  return release.groups_are_scheduled ? is_of_group(release, pod) : release.gangs_wait && pod.workload_ref;
}

bool is_in_gang_of(const Release& release, const PodObject& pod, const PodObject& other) {
  if (!has_gang(release, pod) || other.pod.ns != pod.pod.ns) return false;
  if (!release.groups_are_scheduled) return other.workload_ref == pod.workload_ref;
  return other.pod_group == pod.pod_group && (is_ours(other.pod) || !other.pod.node_name.empty());
}

/// The number of pods that the gang of a pod needs, if it needs one. Null: the gang does not exist.
const std::optional<Quantity>* least_pods_of(const World& world, const PodObject& pod) {
  if (world.release.groups_are_scheduled) {
    const PodGroupObject* group = find_pod_group(world.seen.pod_groups, pod.pod.ns, pod.pod_group);
    return group == nullptr ? nullptr : &group->least_pods;
  }
  const WorkloadGroups* workload = find_workload(world.seen.workloads, pod.pod.ns, pod.workload_ref->workload);
  if (workload == nullptr) return nullptr;
  const auto found = std::find_if(workload->groups.begin(), workload->groups.end(), [&pod](const auto& each) {
    return each.name == pod.workload_ref->group;
  });
  return found == workload->groups.end() ? nullptr : &found->least_pods;
}

/// QUE-GANG-3: whether so many pods of the gang are assumed or on a node, with this one, that all may go on.
bool has_quorum(const World& world, const PodObject& pod, Quantity least) {
  const std::vector<const PodObject*> all = gang_members(world, pod);
  const auto count = std::count_if(all.begin(), all.end(), [&](const PodObject* each) {
    const std::string& uid = each->pod.uid;
    return uid == pod.pod.uid || !each->pod.node_name.empty() || world.cache.assumed.contains(uid);
  });
  return count >= least;
}

}  // namespace

std::vector<const PodObject*> gang_members(const World& world, const PodObject& pod) {
  std::vector<const PodObject*> found;
  for (const PodObject& each : world.seen.pods) {
    if (is_in_gang_of(world.release, pod, each)) found.push_back(&each);
  }
  return found;
}

/// QUE-GANG-1
bool gang_gates(const World& world, const PodObject& pod) {
  if (!world.release.gangs_wait || !has_gang(world.release, pod)) return false;
  const std::optional<Quantity>* least = least_pods_of(world, pod);
  if (least == nullptr) return true;
  std::set<std::string> known;
  for (const PodObject* each : gang_members(world, pod)) known.insert(each->pod.uid);
  for (const PodObject& each : world.forgotten_in_gangs) {  // QUE-ENTITY-10
    if (world.release.groups_are_queued && is_in_gang_of(world.release, pod, each)) known.insert(each.pod.uid);
  }
  return *least && static_cast<Quantity>(known.size()) < **least;
}

/// QUE-GANG-2
bool gang_hint(const PodObject& pod, const ClusterEvent& event, const Release& release) {
  if (event.new_pod) return is_in_gang_of(release, pod, *event.new_pod);
  if (event.new_pod_group) {
    const PodGroupObject& group = *event.new_pod_group;
    if (group.ns != pod.pod.ns || group.name != pod.pod_group) return false;
    if (!event.old_pod_group) return true;
    const std::optional<Quantity>& before = event.old_pod_group->least_pods;
    return before && group.least_pods && *group.least_pods < *before;  // QUE-ENTITY-9
  }
  return pod.workload_ref && event.new_workload->ns == pod.pod.ns &&
         event.new_workload->name == pod.workload_ref->workload;
}

GangPermit gang_permit(const World& world, const PodObject& pod) {
  if (!world.release.gangs_wait || !has_gang(world.release, pod)) return GangPermit::passes;
  const std::optional<Quantity>* least =
      world.release.groups_are_queued ? &world.loop.pod_group.least_pods : least_pods_of(world, pod);
  if (least == nullptr) return GangPermit::errs;
  if (!*least) return GangPermit::passes;
  if (has_quorum(world, pod, **least)) return GangPermit::completes;
  const bool is_broken =
      std::any_of(world.forgotten_in_gangs.begin(), world.forgotten_in_gangs.end(),
                  [&](const PodObject& each) { return is_in_gang_of(world.release, pod, each); });
  return is_broken ? GangPermit::crashes : GangPermit::waits;
}

/// QUE-GANG-4
std::string gang_error(const World& world, const PodObject& pod) {
  if (world.release.groups_are_scheduled)
    return "running Permit plugin \"GangScheduling\": failed to get podGroup " + pod.pod.ns + "/" +
           pod.pod_group;
  const std::string& workload = pod.workload_ref->workload;
  const bool is_there = find_workload(world.seen.workloads, pod.pod.ns, workload) != nullptr;
  const std::string why =
      is_there ? "pod group \"" + pod.workload_ref->group + "\" doesn't exist for a workload \"" + workload + "\""
               : "failed to get workload " + pod.pod.ns + "/" + workload;
  return "running Permit plugin \"GangScheduling\": " + why;
}

void activate_gang(World& world, const PodObject& pod) {
  for (const PodObject* each : gang_members(world, pod)) {
    if (each->pod.node_name.empty() && !world.cache.assumed.contains(each->pod.uid))
      activate(world, PodObject(*each), pod);
  }
}

void allow_gang(World& world, const PodObject& pod) {
  for (BindingRun& each : world.bindings) {
    if (!waits_in_permit(each) || !each.waits_for_gang) continue;
    if (!is_in_gang_of(world.release, pod, each.entry.object)) continue;
    judge(world, each, {true, false, k_gang_scheduling, ""});
  }
}

void forget_in_gang(World& world, const PodObject& pod) {
  if (world.release.groups_are_scheduled) return;
  const std::vector<const PodObject*> left = gang_members(world, pod);
  const bool is_among = std::any_of(left.begin(), left.end(),
                                    [&pod](const PodObject* each) { return each->pod.uid == pod.pod.uid; });
  if (!is_among && !left.empty()) world.forgotten_in_gangs.push_back(pod);
}

void remember_in_gang(World& world, const PodObject& pod) {
  world.cite("QUE-ENTITY-10");
  world.forgotten_in_gangs.push_back(pod);
}

void end_empty_gang(World& world, const PodObject& pod) {
  if (!gang_members(world, pod).empty()) return;
  std::erase_if(world.forgotten_in_gangs,
                [&](const PodObject& each) { return is_in_gang_of(world.release, pod, each); });
}

}  // namespace touchstone::reference
