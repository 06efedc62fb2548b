#include "reference/filters/policy_services.hpp"

#include <algorithm>

#include "reference/filters/filters.hpp"
#include "reference/filters/labels.hpp"

namespace touchstone::reference {

namespace {

/// Whether a pod has the namespace and all labels of the preemptor.
bool is_like_preemptor(const Pod& other, const Pod& preemptor) {
  return other.ns == preemptor.ns &&
         std::all_of(preemptor.labels.begin(), preemptor.labels.end(), [&other](const auto& label) {
           return other.labels.contains(label.first) && other.labels.at(label.first) == label.second;
         });
}

}  // namespace

std::vector<LabelSelector> services_of_preemptor(const Cycle& cycle) {
  std::vector<LabelSelector> selectors;
  for (const SelectingObject& object : cycle.cluster.selecting) {
    const bool counts = object.kind == SelectingKind::service && object.ns == cycle.pod.ns && object.selector;
    if (counts && matches(*object.selector, cycle.pod.labels)) selectors.push_back(*object.selector);
  }
  return selectors;
}

std::vector<NodeIndex> nodes_of_own_pods(const Cycle& cycle, const NodeState& state) {
  std::vector<NodeIndex> nodes;
  for (const NodeState& node : cycle.nodes) {
    for (const PodOnNode& pod : node.index == state.index ? state.pods : node.pods) {
      if (is_like_preemptor(*pod.object, cycle.pod)) nodes.push_back(node.index);
    }
  }
  return nodes;
}

bool service_affinity_is_random(const Cycle& cycle) {
  if (cycle.release.service_affinities.empty() || services_of_preemptor(cycle).empty()) return false;
  const std::vector<NodeIndex> nodes = nodes_of_own_pods(cycle, cycle.nodes.front());
  const auto labels_at = [&cycle](NodeIndex node, const std::string& label) -> std::optional<std::string> {
    const Labels& labels = cycle.cluster.nodes[node].labels;
    const auto found = labels.find(label);
    return found == labels.end() ? std::nullopt : std::optional(found->second);
  };
  for (const std::vector<std::string>& labels : cycle.release.service_affinities) {
    for (const std::string& label : labels) {
      if (cycle.pod.node_selector.contains(label)) continue;
      const bool differs = std::any_of(nodes.begin(), nodes.end(), [&](NodeIndex node) {
        return labels_at(node, label) != labels_at(nodes.front(), label);
      });
      if (differs) return true;
    }
  }
  return false;
}

bool service_affinity_meets_nominated(const Cycle& cycle) {
  if (cycle.release.service_affinities.empty() || services_of_preemptor(cycle).empty()) return false;
  return std::any_of(cycle.nodes.begin(), cycle.nodes.end(), [&cycle](const NodeState& node) {
    const std::vector<PodOnNode> counted = counted_nominated_pods(cycle, node.index);
    return std::any_of(counted.begin(), counted.end(), [&cycle](const PodOnNode& other) {
      return is_like_preemptor(*other.object, cycle.pod);
    });
  });
}

}  // namespace touchstone::reference
