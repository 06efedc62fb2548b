#include "reference/filters/filters.hpp"
#include "reference/queue/hints.hpp"
#include "reference/queue/hints/one_pod_cycle.hpp"

/// The hints of NodeResourcesFit.
namespace touchstone::reference {

namespace {

Quantity listed_amount(const ResourceList& amounts, const std::string& resource) {
  const auto found = amounts.find(resource);
  return found == amounts.end() ? 0 : found->second;
}

/// Whether one of the resources that a pod requests has grown from one list to another.
bool requested_one_grew(const ResourceList& requested, const ResourceList& before, const ResourceList& now) {
  for (const auto& [resource, wanted] : requested) {
    if (wanted > 0 && listed_amount(now, resource) > listed_amount(before, resource)) return true;
  }
  return false;
}

/// EVT-FIT-2: whether a pod that requests less than before leaves room for another pod.
bool leaves_room(const Pod& pod, const ClusterEvent& event, const Release& release) {
  if (is_own_update(pod, event)) return true;
  if (event.new_pod->pod.node_name.empty()) return false;
  return requested_one_grew(requests_of_preemptor(pod, release),
                            requests_on_node(event.new_pod->pod, release),
                            requests_on_node(event.old_pod->pod, release));
}

}  // namespace

/// EVT-FIT-1, EVT-FIT-2
bool fit_hint_of_pod(const Pod& pod, const ClusterEvent& event, const Release& release) {
  if (event.new_pod) return leaves_room(pod, event, release);
  const Pod& gone = event.old_pod->pod;
  return !gone.node_name.empty() || (release.fit_hint_counts_nominated && !gone.nominated_node_name.empty());
}

/// EVT-FIT-3
bool fit_hint_of_node(const Pod& pod, const ClusterEvent& event, const Release& release) {
  const OnePodCycle cycle(pod, *event.new_node, release);
  if (!node_resources_fit(*cycle, cycle.node()).ok()) return false;
  if (!event.old_node) return true;
  const ResourceList& before = event.old_node->allocatable;
  const ResourceList& now = event.new_node->allocatable;
  return listed_amount(now, "pods") > listed_amount(before, "pods") ||
         requested_one_grew(requests_of_preemptor(pod, release), before, now);
}

}  // namespace touchstone::reference
