#include <algorithm>

#include "reference/scores/go_numbers.hpp"
#include "reference/scores/scored_requests.hpp"
#include "reference/scores/scores.hpp"
#include "reference/scores/shape.hpp"

/// The score of NodeResourcesFit, up to v1.21 of LeastRequested: how much of a node is allocated.
namespace touchstone::reference {

namespace {

/// A mean of scores that each have a weight.
struct WeightedMean {
  Quantity sum = 0;
  Quantity weights = 0;

  void add(Quantity score, Quantity weight) {
    sum = go_sum(sum, go_product(score, weight));
    weights = go_sum(weights, weight);
  }
};

/// SCORE-LEAST-1: the free part of a resource.
Quantity least_allocated(const ScoredLoad& load, const Release& release) {
  if (load.allocatable == 0 || load.with > load.allocatable) return 0;
  return go_product(go_difference(load.allocatable, load.with), release.highest_score) / load.allocatable;
}

/// SCORE-STRATEGY-2: the allocated part of a resource.
Quantity most_allocated(const ScoredLoad& load, const Release& release) {
  if (load.allocatable == 0) return 0;
  return go_product(std::min(load.with, load.allocatable), release.highest_score) / load.allocatable;
}

/// SCORE-STRATEGY-3: what the shape gives for the allocated part of a resource.
Quantity requested_to_capacity(const ScoredLoad& load, const Release& release) {
  if (load.allocatable == 0 || load.with > load.allocatable)
    return score_on_shape(release.fit_shape, 100, release);
  return score_on_shape(release.fit_shape, go_product(load.with, 100) / load.allocatable, release);
}

/// SCORE-LEAST-1, SCORE-STRATEGY-2: the mean, rounded down.
Quantity mean_score(const std::vector<ScoredLoad>& loads, const Release& release) {
  WeightedMean mean;
  for (const ScoredLoad& load : loads) {
    const Quantity score = release.fit_strategy == FitStrategy::most_allocated
                               ? most_allocated(load, release)
                               : least_allocated(load, release);
    mean.add(score, load.weight);
  }
  return mean.weights == 0 ? Quantity(0) : mean.sum / mean.weights;
}

/// SCORE-STRATEGY-3: the mean of the scores above 0, rounded to the nearest integer, and up in the middle.
Quantity mean_of_positive_scores(const std::vector<ScoredLoad>& loads, const Release& release) {
  WeightedMean mean;
  for (const ScoredLoad& load : loads) {
    const Quantity score = requested_to_capacity(load, release);
    if (score > 0) mean.add(score, load.weight);
  }
  return mean.weights == 0 ? Quantity(0) : (2 * mean.sum + mean.weights) / (2 * mean.weights);
}

}  // namespace

Scores node_resources(const Cycle& cycle, const Nodes& nodes) {
  const Release& release = cycle.release;
  const ResourceList own = requests_with_defaults_of_preemptor(cycle.pod, release);
  std::vector<Quantity> scores;
  for (const NodeIndex node : nodes) {
    const std::vector<ScoredLoad> loads =
        scored_loads(cycle, cycle.nodes[node], release.fit_resources, own, MissingRequests::count_by_default);
    scores.push_back(release.fit_strategy == FitStrategy::requested_to_capacity
                         ? mean_of_positive_scores(loads, release)
                         : mean_score(loads, release));
  }
  return scores;
}

}  // namespace touchstone::reference
