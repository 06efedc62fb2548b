#include "reference/queue/cluster_events.hpp"

#include <algorithm>

#include "reference/filters/requests.hpp"

namespace touchstone::reference {

namespace {

/// Whether some request of `more` is absent from `less`, or smaller there.
bool some_request_is_smaller(const ResourceList& less, const ResourceList& more) {
  for (const auto& [resource, amount] : more) {
    const auto found = less.find(resource);
    if (found == less.end() || found->second < amount) return true;
  }
  return false;
}

std::map<std::string, std::string> statuses_by_type(const std::vector<Condition>& conditions) {
  std::map<std::string, std::string> statuses;
  for (const Condition& condition : conditions) statuses[condition.type] = condition.status;
  return statuses;
}

}  // namespace

/// EVT-CHANGE-1
std::vector<ClusterEvent> events_of_update(const PodObject& before, const PodObject& now, bool is_own,
                                           const Release& release) {
  const Pod& old_pod = before.pod;
  const Pod& new_pod = now.pod;
  const ResourceList old_requests = requests_on_node(old_pod, release);
  const ResourceList new_requests = requests_on_node(new_pod, release);
  std::vector<EventType> types;
  if (old_pod.labels != new_pod.labels) types.push_back(EventType::pod_labels);
  if (release.own_updates_apart && some_request_is_smaller(old_requests, new_requests))
    types.push_back(EventType::pod_scaled_up);
  if (some_request_is_smaller(new_requests, old_requests)) types.push_back(EventType::pod_scaled_down);
  if (new_pod.scheduling_gates.empty() && !old_pod.scheduling_gates.empty())
    types.push_back(EventType::pod_gates_gone);
  if (old_pod.tolerations.size() != new_pod.tolerations.size()) types.push_back(EventType::pod_tolerations);
  if (types.empty()) types.push_back(EventType::pod_other);

  PodRole role = PodRole::assigned;
  if (new_pod.node_name.empty()) role = is_own ? PodRole::target : PodRole::unscheduled;
  std::vector<ClusterEvent> events;
  for (const EventType type : types) events.push_back({type, role, before, now});
  return events;
}

/// EVT-CHANGE-2
std::vector<ClusterEvent> events_of_update(const Node& before, const Node& now) {
  std::vector<EventType> types;
  if (before.unschedulable && !now.unschedulable) types.push_back(EventType::node_taints);
  if (before.allocatable != now.allocatable) types.push_back(EventType::node_allocatable);
  if (before.labels != now.labels) types.push_back(EventType::node_labels);
  if (!same_taints(before, now)) types.push_back(EventType::node_taints);
  if (statuses_by_type(before.conditions) != statuses_by_type(now.conditions))
    types.push_back(EventType::node_conditions);
  if (before.declared_features != now.declared_features) types.push_back(EventType::node_features);
  std::vector<ClusterEvent> events;
  for (const EventType type : types) {
    ClusterEvent& event = events.emplace_back();
    event.type = type;
    event.old_node = before;
    event.new_node = now;
  }
  return events;
}

bool same_taints(const Node& a, const Node& b) {
  const auto same = [](const Taint& x, const Taint& y) {
    return x.key == y.key && x.value == y.value && x.effect == y.effect;
  };
  return std::equal(a.taints.begin(), a.taints.end(), b.taints.begin(), b.taints.end(), same);
}

bool is_wildcard(EventType type) {
  return type == EventType::leftover_flush || type == EventType::forced_activation;
}

std::string text_of(const ClusterEvent& event) {
  if (event.type == EventType::leftover_flush) return "the timer for pods that waited too long";
  if (event.type == EventType::forced_activation)
    return event.old_pod ? "a pod of its gang or its pod group"
                         : "the end of its preemption, in which a call failed";
  if (event.new_workload)
    return "the addition of Workload " + event.new_workload->ns + "/" + event.new_workload->name;
  if (event.old_pod_group)
    return "a change of PodGroup " + event.old_pod_group->ns + "/" + event.old_pod_group->name;
  if (event.new_pod_group)
    return "the addition of PodGroup " + event.new_pod_group->ns + "/" + event.new_pod_group->name;
  const bool is_about_node = event.old_node || event.new_node;
  std::string object;
  if (is_about_node) {
    object = "node " + (event.new_node ? event.new_node : event.old_node)->name;
  } else {
    object = (event.new_pod ? event.new_pod : event.old_pod)->pod.full_name();
  }
  switch (event.type) {
    case EventType::pod_added:
      if (event.new_pod->pod.node_name.empty()) return "the addition of " + object;
      return object + " on node " + event.new_pod->pod.node_name;
    case EventType::pod_deleted:
      return (event.old_pod->pod.node_name.empty() ? "the end of the nomination of " : "the deletion of ") +
             object;
    case EventType::node_added:
      return "the addition of " + object;
    case EventType::node_deleted:
      return "the deletion of " + object;
    default:
      return "a change of " + object;
  }
}

ClusterEvent assigned_pod_gone(const PodObject& pod) {
  return {EventType::pod_deleted, PodRole::assigned, pod};
}

}  // namespace touchstone::reference
