#include <algorithm>

#include "reference/cycle/zone_key.hpp"
#include "reference/filters/labels.hpp"
#include "reference/filters/policy_services.hpp"
#include "reference/scores/go_numbers.hpp"
#include "reference/scores/own_selectors.hpp"
#include "reference/scores/scores.hpp"

/// SelectorSpread: nodes and zones with fewer pods of the preemptor's Services and controllers score higher.
namespace touchstone::reference {

namespace {

/// SCORE-SELECTOR-1: whether a pod belongs to the preemptor's Services and controllers. Requires: there is at
/// least one selector.
bool is_of_same_selectors(const Pod& other, const std::vector<LabelSelector>& selectors, const Cycle& cycle) {
  if (other.ns != cycle.pod.ns || other.terminating) return false;
  const auto selects_other = [&other](const LabelSelector& selector) {
    return matches(selector, other.labels);
  };
  if (cycle.release.several_selectors == SeveralSelectors::any_matches)
    return std::any_of(selectors.begin(), selectors.end(), selects_other);
  return std::all_of(selectors.begin(), selectors.end(), selects_other);
}

/// SCORE-SELECTOR-1: the number of such pods on a node. Without a selector no pod counts.
Quantity pods_of_same_selectors(const NodeState& node, const std::vector<LabelSelector>& selectors,
                                const Cycle& cycle) {
  if (selectors.empty()) return 0;
  return static_cast<Quantity>(std::count_if(node.pods.begin(), node.pods.end(), [&](const PodOnNode& pod) {
    return is_of_same_selectors(*pod.object, selectors, cycle);
  }));
}

/// The part of the highest score that is left where `pods` of at most `most` pods are. If `most` is 0, this
/// is 0/0.
double part_left(Quantity pods, Quantity most, const Release& release) {
  const double highest = go_float(release.highest_score);
  return highest * (go_float(most - pods) / go_float(most));
}

/// The part of the highest score for the zone. v1.8 does not ask whether there is any pod.
double part_left_in_zone(Quantity pods, Quantity most, bool has_selectors, const Release& release) {
  const bool breaks = release.zones_without_pods_break && has_selectors;
  if (most == 0 && !breaks) return go_float(release.highest_score);
  return part_left(pods, most, release);
}

/// SCORE-SELECTOR-1, SCORE-SELECTOR-3: the scores by the pods that these selectors count.
std::vector<Quantity> spread(const Cycle& cycle, const Nodes& nodes,
                             const std::vector<LabelSelector>& selectors) {
  const Release& release = cycle.release;
  std::vector<Quantity> on_node;
  std::map<std::string, Quantity> in_zone;
  for (const NodeIndex node : nodes) {
    on_node.push_back(pods_of_same_selectors(cycle.nodes[node], selectors, cycle));
    const std::string zone = zone_key(*cycle.nodes[node].node, release);
    if (!zone.empty()) in_zone[zone] += on_node.back();
  }
  const Quantity most_on_node = *std::max_element(on_node.begin(), on_node.end());
  Quantity most_in_zone = 0;
  for (const auto& [zone, pods] : in_zone) most_in_zone = std::max(most_in_zone, pods);

  // SCORE-SELECTOR-3
  constexpr double k_zone_weight = 2.0 / 3.0;
  std::vector<Quantity> scores;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    double score = go_float(release.highest_score);
    if (most_on_node != 0) score = part_left(on_node[i], most_on_node, release);
    cycle.trace.add({Stage::score_part,
                     "SCORE-SELECTOR-1",
                     true,
                     "node",
                     nodes[i],
                     {},
                     {{Measure::counted, on_node[i]}}});
    const auto zone = in_zone.find(zone_key(*cycle.nodes[nodes[i]].node, release));
    if (zone != in_zone.end()) {
      cycle.trace.add({Stage::score_part,
                       "SCORE-SELECTOR-3",
                       true,
                       "zone",
                       nodes[i],
                       {},
                       {{Measure::counted, zone->second}}});
      const double of_zone = part_left_in_zone(zone->second, most_in_zone, !selectors.empty(), release);
      const double part_of_node = score * (1.0 - k_zone_weight);
      const double part_of_zone = k_zone_weight * of_zone;
      score = part_of_node + part_of_zone;
    }
    scores.push_back(go_integer(score));
  }
  return scores;
}

}  // namespace

Scores service_spread(const Cycle& cycle, const Nodes& nodes) {
  return spread(cycle, nodes,
                cycle.release.services_spread_alone ? services_of_preemptor(cycle) : own_selectors(cycle));
}

Scores selector_spread(const Cycle& cycle, const Nodes& nodes) {
  if (cycle.release.selector_spread_without_constraints && !cycle.pod.topology_spread.empty())
    return std::vector<Quantity>(nodes.size(), 0);
  return spread(cycle, nodes, own_selectors(cycle));
}

}  // namespace touchstone::reference
