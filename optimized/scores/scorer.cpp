#include "optimized/scores/scorer.hpp"

#include <algorithm>

#include "optimized/store/go_numbers.hpp"

namespace touchstone::optimized {

namespace {

class EqualScores final : public NodeScorer {
 public:
  EqualScores(const Query& query, Quantity score) : NodeScorer(query, Scaling::none), score_(score) {}

  std::optional<Quantity> constant() const override { return score_; }
  void rate(Nodes nodes, Quantity* raw) const override { std::fill_n(raw, nodes.size(), score_); }

 private:
  Quantity score_;
};

double as_float(Quantity value) { return static_cast<double>(value); }

/// SCORE-NORMAL-2. Requires: `largest` is above 0.
Quantity reversed(Quantity raw, Quantity largest, const Release& release) {
  const Quantity highest = release.highest_score;
  if (!release.taint_score_by_floats) return highest - go::product(highest, raw) / largest;
  return go::integer((1.0 - as_float(raw) / as_float(largest)) * as_float(highest));
}

/// SCORE-AFFINITY-3
Quantity between(Quantity raw, Quantity least, Quantity largest, const Release& release) {
  if (release.affinity_score_from_zero) {
    least = std::min<Quantity>(least, 0);
    largest = std::max<Quantity>(largest, 0);
  }
  if (least == largest) return 0;
  const double share = as_float(raw - least) / as_float(largest - least);
  return go::integer(as_float(release.highest_score) * share);
}

/// SCORE-SPREAD-5
Quantity rest(Quantity raw, const Extremes& extremes, const Release& release) {
  if (!extremes.has_valid) return 0;
  if (extremes.total == extremes.least) return release.highest_score;
  const Quantity counted = raw == k_not_valid ? extremes.total : raw;
  const double share = as_float(extremes.total - counted) / as_float(extremes.total - extremes.least);
  return go::integer(as_float(release.highest_score) * share);
}

/// SCORE-SPREAD-6
Quantity rest_of_largest(Quantity raw, const Extremes& extremes, const Release& release) {
  if (raw == k_not_valid) return 0;
  const Quantity largest = std::max<Quantity>(extremes.largest, 0);
  if (largest == 0) return release.highest_score;
  return release.highest_score * (largest + extremes.least - raw) / largest;
}

}  // namespace

void Extremes::add(Quantity raw) {
  if (raw == k_not_valid) return;
  least = has_valid ? std::min(least, raw) : raw;
  largest = has_valid ? std::max(largest, raw) : raw;
  total = go::sum(total, raw);
  has_valid = true;
}

Quantity scaled(Scaling scaling, Quantity raw, const Extremes& extremes, const Release& release) {
  const Quantity largest = std::max<Quantity>(extremes.largest, 0);
  switch (scaling) {
    case Scaling::none:
      break;
    case Scaling::by_largest:
      return largest == 0 ? raw : go::product(release.highest_score, raw) / largest;
    case Scaling::by_largest_reversed:
      return largest == 0 ? release.highest_score : reversed(raw, largest, release);
    case Scaling::between_extremes:
      return between(raw, extremes.least, extremes.largest, release);
    case Scaling::rest:
      return rest(raw, extremes, release);
    case Scaling::rest_of_largest:
      return rest_of_largest(raw, extremes, release);
  }
  return raw;
}

MadeScorer equal_scores(const Query& query, Quantity score) {
  return std::make_unique<EqualScores>(query, score);
}

MadeScorer scorer_for(Scorer scorer, const Query& query, Nodes feasible, Workers& workers) {
  switch (scorer) {
    case Scorer::selector_spread:
      return selector_spread(query, feasible);
    case Scorer::inter_pod_affinity:
      return pod_affinity(query, workers);
    case Scorer::node_resources:
      return node_resources(query);
    case Scorer::balanced_allocation:
      return balanced_allocation(query);
    case Scorer::node_prefer_avoid_pods:
      return avoided_nodes(query);
    case Scorer::node_affinity:
      return preferred_nodes(query);
    case Scorer::taint_toleration:
      return soft_taints(query);
    case Scorer::image_locality:
      return image_locality(query);
    case Scorer::pod_topology_spread:
      return soft_spread(query, feasible, workers);
    case Scorer::volume_capacity:
      return storage_capacity(query);
    default:
      break;
  }
  // DynamicResources: a pod with resource claims is not handled. Nor are the scorers of a Policy.
  return equal_scores(query, 0);
}

bool is_local(Scorer scorer, const Query& query) {
  if (scorer == Scorer::selector_spread) return selector_spread_is_local(query);
  if (scorer == Scorer::inter_pod_affinity) return pod_affinity_is_local(query);
  return scorer != Scorer::pod_topology_spread || soft_spread_is_local(query);
}

}  // namespace touchstone::optimized
