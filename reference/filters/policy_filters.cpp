#include <algorithm>

#include "reference/filters/filters.hpp"
#include "reference/filters/policy_services.hpp"

/// The filters that a Policy alone can add.
namespace touchstone::reference {

namespace {

/// POL-LABELS-1
bool has_required_labels(const Node& node, const RequiredLabels& required) {
  return std::all_of(required.labels.begin(), required.labels.end(), [&](const std::string& label) {
    return node.labels.contains(label) == required.presence;
  });
}

/// POL-SERVICE-1: the values of labels that a node must have for one of the Policy's service affinities.
Labels required_values(const Cycle& cycle, const NodeState& state, const std::vector<std::string>& labels) {
  Labels values;
  for (const std::string& label : labels) {
    const auto own = cycle.pod.node_selector.find(label);
    if (own != cycle.pod.node_selector.end()) values[label] = own->second;
  }
  const std::vector<NodeIndex> others = nodes_of_own_pods(cycle, state);
  if (others.empty() || services_of_preemptor(cycle).empty()) return values;
  for (const std::string& label : labels) {
    const Labels& known = cycle.cluster.nodes[others.front()].labels;
    const auto found = known.find(label);
    if (found != known.end()) values.emplace(label, found->second);
  }
  return values;
}

/// POL-SET-2, POL-ALL-1, POL-PLUGIN-2: whether only the first entry of a Policy that rejects the node gives
/// its reason, of several entries that are the same filter.
bool first_entry_ends(const Release& release) {
  return release.policy_runs_plugins || (release.all_predicates_can_run && !release.checks_all_filters);
}

}  // namespace

Status node_label(const Cycle& cycle, const NodeState& node) {
  Status status;
  for (const RequiredLabels& required : cycle.release.required_labels) {
    if (has_required_labels(*node.node, required)) continue;
    merge(status, unresolvable("POL-LABELS-1", plugin_of(Filter::node_label), cycle.release.text_node_label,
                               "labels that the Policy requires"));
    if (first_entry_ends(cycle.release)) break;
  }
  return status;
}

Status service_affinity(const Cycle& cycle, const NodeState& node) {
  const Labels& of_node = node.node->labels;
  Status status;
  for (const std::vector<std::string>& labels : cycle.release.service_affinities) {
    const Labels values = required_values(cycle, node, labels);
    const auto wrong = std::find_if(values.begin(), values.end(), [&of_node](const auto& each) {
      return !of_node.contains(each.first) || of_node.at(each.first) != each.second;
    });
    if (wrong == values.end()) continue;
    merge(status, {Code::unschedulable,
                   plugin_of(Filter::service_affinity),
                   {std::string(cycle.release.text_service_affinity)},
                   {{"POL-SERVICE-1", wrong->first, {}, {}}}});
    if (first_entry_ends(cycle.release)) break;
  }
  return status;
}

}  // namespace touchstone::reference
