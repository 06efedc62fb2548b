#include <algorithm>
#include <array>

#include "reference/scores/go_numbers.hpp"
#include "reference/scores/scores.hpp"

namespace touchstone::reference {

namespace {

using ScorerFunction = Scores (*)(const Cycle&, const Nodes&);

/// DynamicResources. not_modelled() excludes pods with resource claims, and every other pod scores 0.
Scores dynamic_resources(const Cycle&, const Nodes& nodes) { return std::vector<Quantity>(nodes.size(), 0); }

/// The functions of scorers without arguments, in the order of enum Scorer.
constexpr std::array<ScorerFunction, static_cast<std::size_t>(Scorer::equal)> k_scorer_functions = {
    selector_spread,     preferred_pod_affinity, node_resources,
    balanced_allocation, node_prefer_avoid_pods, preferred_node_affinity,
    untolerated_taints,  image_locality,         soft_spread,
    volume_capacity,     dynamic_resources,      service_spread};
static_assert(k_scorer_functions.back() != nullptr, "a scorer has no function");

/// The largest raw score, at least 0.
Quantity largest_score(const std::vector<Quantity>& raw) {
  return std::max<Quantity>(0, *std::max_element(raw.begin(), raw.end()));
}

}  // namespace

Scores run_scorer(Scorer scorer, const Cycle& cycle, const Nodes& nodes) {
  return k_scorer_functions[static_cast<std::size_t>(scorer)](cycle, nodes);
}

std::vector<Quantity> normalized(std::vector<Quantity> raw, const Release& release) {
  const Quantity largest = largest_score(raw);
  if (largest == 0) return raw;
  for (Quantity& score : raw) score = go_product(release.highest_score, score) / largest;
  return raw;
}

std::vector<Quantity> normalized_in_reverse(std::vector<Quantity> raw, const Release& release) {
  const Quantity largest = largest_score(raw);
  for (Quantity& score : raw) {
    if (largest == 0) {
      score = release.highest_score;
    } else if (release.taint_score_by_floats) {
      score = go_integer((1.0 - go_float(score) / go_float(largest)) * go_float(release.highest_score));
    } else {
      score = release.highest_score - go_product(release.highest_score, score) / largest;
    }
  }
  return raw;
}

}  // namespace touchstone::reference
