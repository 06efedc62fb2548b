#include "optimized/filters/constraints.hpp"

#include <algorithm>

#include "optimized/filters/own_selectors.hpp"

namespace touchstone::optimized {

namespace {

TopologySpreadConstraint soft_constraint(std::string_view key, Quantity max_skew) {
  TopologySpreadConstraint constraint;
  constraint.topology_key = key;
  constraint.when_unsatisfiable = "ScheduleAnyway";
  constraint.max_skew = max_skew;
  return constraint;
}

/// SCORE-SPREAD-2: the release's own default constraints, or those of a configuration.
std::vector<TopologySpreadConstraint> default_constraints(const Release& release) {
  if (!release.system_constraints) return release.default_constraints;
  return {soft_constraint("kubernetes.io/hostname", 3), soft_constraint("topology.kubernetes.io/zone", 5)};
}

}  // namespace

std::vector<TopologySpreadConstraint> constraints_of(const Query& query,
                                                     std::string_view when_unsatisfiable) {
  const bool are_own = !query.pod.topology_spread.empty();
  std::vector<TopologySpreadConstraint> constraints =
      are_own ? query.pod.topology_spread : default_constraints(query.release);
  std::erase_if(constraints, [when_unsatisfiable](const TopologySpreadConstraint& constraint) {
    return constraint.when_unsatisfiable != when_unsatisfiable;
  });
  if (are_own || constraints.empty()) return constraints;
  const std::vector<LabelSelector> selectors = own_selectors(query);
  if (selectors.empty()) return {};
  for (TopologySpreadConstraint& constraint : constraints) {
    constraint.label_selector = selectors.front();
    constraint.match_label_keys.clear();
  }
  return constraints;
}

bool Selected::holds(LabelSpan labels, const Symbols& symbols) const {
  return selector.matches(labels, symbols) &&
         std::all_of(added.begin(), added.end(),
                     [&labels](const Label& label) { return value_of(labels, label.first) == label.second; });
}

Selected selected_by(const TopologySpreadConstraint& constraint, const Query& query) {
  Selected selected;
  if (constraint.label_selector)
    selected.selector = Selector::of_labels(*constraint.label_selector, query.numbering);
  if (!query.release.spread_match_label_keys) return selected;
  Labels added;
  for (const std::string& key : constraint.match_label_keys) {
    const auto own = query.pod.labels.find(key);
    if (own != query.pod.labels.end()) added.insert(*own);
  }
  selected.added = numbered(added, query.numbering);
  return selected;
}

SpreadOver spread_over(const TopologySpreadConstraint& constraint, const Release& release) {
  return {release.spread_node_policies && constraint.node_affinity_policy == "Ignore",
          !release.spread_node_policies || constraint.node_taints_policy != "Honor"};
}

std::vector<std::uint32_t> counted_together(const std::vector<TopologySpreadConstraint>& constraints,
                                            std::size_t which, const Release& release) {
  std::vector<std::uint32_t> together;
  const bool by_key = release.spread_counts != SpreadCounts::by_constraint;
  for (std::uint32_t i = 0; i < constraints.size(); ++i) {
    const bool same_key = constraints[i].topology_key == constraints[which].topology_key;
    if (i == which || (by_key && same_key)) together.push_back(i);
  }
  return together;
}

}  // namespace touchstone::optimized
