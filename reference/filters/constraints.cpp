#include "reference/filters/constraints.hpp"

#include <algorithm>

#include "reference/filters/filters.hpp"
#include "reference/filters/labels.hpp"
#include "reference/scores/own_selectors.hpp"

namespace touchstone::reference {

namespace {

std::vector<Constraint> with_action(const std::vector<Constraint>& constraints, std::string_view action) {
  std::vector<Constraint> chosen;
  std::copy_if(constraints.begin(), constraints.end(), std::back_inserter(chosen),
               [action](const Constraint& constraint) { return constraint.when_unsatisfiable == action; });
  return chosen;
}

Constraint soft_constraint(const std::string& key, Quantity max_skew) {
  Constraint constraint;
  constraint.topology_key = key;
  constraint.when_unsatisfiable = "ScheduleAnyway";
  constraint.max_skew = max_skew;
  return constraint;
}

/// SCORE-SPREAD-2: the constraints for pods that have none. A configuration replaces the release's own list.
std::vector<Constraint> default_constraints(const Release& release) {
  if (!release.system_constraints) return release.default_constraints;
  return {soft_constraint("kubernetes.io/hostname", 3), soft_constraint("topology.kubernetes.io/zone", 5)};
}

/// PRE-SPREAD-2: the labels that matchLabelKeys adds to a constraint's selector.
Labels added_labels(const Constraint& constraint, const Cycle& cycle) {
  Labels added;
  if (!cycle.release.spread_match_label_keys) return added;
  for (const std::string& key : constraint.match_label_keys) {
    if (const auto own = cycle.pod.labels.find(key); own != cycle.pod.labels.end()) added.insert(*own);
  }
  return added;
}

}  // namespace

std::vector<Constraint> constraints_of(const Cycle& cycle, std::string_view action) {
  if (!cycle.pod.topology_spread.empty()) return with_action(cycle.pod.topology_spread, action);
  // SCORE-SPREAD-2
  std::vector<Constraint> defaults = with_action(default_constraints(cycle.release), action);
  if (defaults.empty()) return {};
  const std::vector<LabelSelector> selectors = own_selectors(cycle);
  if (selectors.empty()) return {};
  for (Constraint& constraint : defaults) {
    constraint.label_selector = selectors.front();
    constraint.match_label_keys.clear();
  }
  return defaults;
}

std::string domain_of(const Node& node, const std::string& key) {
  const auto label = node.labels.find(key);
  return label == node.labels.end() ? "" : label->second;
}

bool has_all_keys(const Node& node, const std::vector<Constraint>& constraints) {
  return std::all_of(constraints.begin(), constraints.end(), [&node](const Constraint& constraint) {
    return node.labels.contains(constraint.topology_key);
  });
}

bool includes(const Constraint& constraint, const NodeState& node, const Cycle& cycle) {
  const bool by_policy = cycle.release.spread_node_policies;
  const bool any_affinity = by_policy && constraint.node_affinity_policy == "Ignore";
  const bool any_taints = !by_policy || constraint.node_taints_policy != "Honor";
  return (any_affinity || own_node_affinity(cycle, node).ok()) &&
         (any_taints || taint_toleration(cycle, node).ok());
}

bool selects(const Constraint& constraint, const Labels& labels, const Cycle& cycle) {
  if (!constraint.label_selector || !matches(*constraint.label_selector, labels)) return false;
  const Labels added = added_labels(constraint, cycle);
  return std::includes(labels.begin(), labels.end(), added.begin(), added.end());
}

bool concerns(const Constraint& constraint, const Pod& pod, const Cycle& cycle) {
  return pod.ns == cycle.pod.ns && selects(constraint, pod.labels, cycle);
}

/// Terminating pods are not counted, but when the dry run removes one, the filter still subtracts it (a bug
/// of the releases).
Quantity counted_pods(const Constraint& constraint, const NodeState& node, const Cycle& cycle) {
  const bool is_empty_selector = constraint.label_selector && is_empty(*constraint.label_selector) &&
                                 added_labels(constraint, cycle).empty();
  if (cycle.release.spread_empty_selector_counts_none && is_empty_selector) return 0;
  return static_cast<Quantity>(std::count_if(node.pods.begin(), node.pods.end(), [&](const PodOnNode& pod) {
    return !pod.object->terminating && concerns(constraint, *pod.object, cycle);
  }));
}

std::vector<Constraint> counted_together(const std::vector<Constraint>& constraints, std::size_t which,
                                         const Release& release) {
  if (release.spread_counts == SpreadCounts::by_constraint) return {constraints[which]};
  std::vector<Constraint> same_key;
  std::copy_if(
      constraints.begin(), constraints.end(), std::back_inserter(same_key),
      [&](const Constraint& other) { return other.topology_key == constraints[which].topology_key; });
  return same_key;
}

}  // namespace touchstone::reference
