#pragma once

#include <algorithm>
#include <tuple>

#include "reference/queue/world.hpp"

/// Lookups in lists of objects.
namespace touchstone::reference {

inline bool has_name(const Pod& pod, const std::string& ns, const std::string& name) {
  return std::tie(pod.name, pod.ns) == std::tie(name, ns);
}

/// The pod with this name. Null: there is none.
template <typename Pods>
auto* find_pod(Pods& pods, const std::string& ns, const std::string& name) {
  const auto found = std::find_if(pods.begin(), pods.end(),
                                  [&](const PodObject& each) { return has_name(each.pod, ns, name); });
  return found == pods.end() ? nullptr : &*found;
}

/// The node with this name. Null: there is none.
template <typename Nodes>
auto* find_node(Nodes& nodes, const std::string& name) {
  const auto found =
      std::find_if(nodes.begin(), nodes.end(), [&name](const Node& each) { return each.name == name; });
  return found == nodes.end() ? nullptr : &*found;
}

/// The Workload with this name. Null: there is none.
template <typename Workloads>
auto* find_workload(Workloads& workloads, const std::string& ns, const std::string& name) {
  const auto found = std::find_if(workloads.begin(), workloads.end(), [&](const WorkloadGroups& each) {
    return each.name == name && each.ns == ns;
  });
  return found == workloads.end() ? nullptr : &*found;
}

/// The PodGroup with this name. Null: there is none.
template <typename PodGroups>
auto* find_pod_group(PodGroups& groups, const std::string& ns, const std::string& name) {
  const auto found = std::find_if(groups.begin(), groups.end(), [&](const PodGroupObject& each) {
    return each.name == name && each.ns == ns;
  });
  return found == groups.end() ? nullptr : &*found;
}

/// The message of a condition. Empty: it has none.
inline std::string message_of(const PodObject& object, const std::string& type) {
  const auto found = object.messages.find(type);
  return found == object.messages.end() ? "" : found->second;
}

/// Gives a pod the status of another one.
inline void copy_status(const PodObject& from, PodObject& to) {
  to.messages = from.messages;
  to.version = from.version;
  to.pod.phase = from.pod.phase;
  to.pod.nominated_node_name = from.pod.nominated_node_name;
  to.pod.start_time_ns = from.pod.start_time_ns;
  to.pod.conditions = from.pod.conditions;
  to.pod.container_statuses = from.pod.container_statuses;
  to.pod.resource_status = from.pod.resource_status;
}

/// Whether the release schedules a pod together with its pod group. QUE-GROUP-2.
inline bool is_of_group(const Release& release, const PodObject& pod) {
  return release.groups_are_scheduled && !pod.pod_group.empty();
}

/// Whether the release queues a pod as a part of its pod group. QUE-ENTITY-1.
inline bool is_of_queued_group(const Release& release, const PodObject& pod) {
  return release.groups_are_queued && !pod.pod_group.empty();
}

/// Whether this scheduler is responsible for a pod. EVT-POD-1.
inline bool is_ours(const Pod& pod) {
  return pod.scheduler_name.empty() || pod.scheduler_name == "default-scheduler";
}

}  // namespace touchstone::reference
