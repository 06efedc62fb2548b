#include "reference/scores/fit_score.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "reference/scores/go_numbers.hpp"
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

/// SCORE-STRATEGY-3: what the shape gives for the allocated part of a resource.
Quantity requested_to_capacity(const ScoredLoad& load, const Release& release) {
  if (load.allocatable == 0 || load.with > load.allocatable)
    return score_on_shape(release.fit_shape, 100, release);
  return score_on_shape(release.fit_shape, go_product(load.with, 100) / load.allocatable, release);
}

/// The score of a resource by each strategy, in the order of enum FitStrategy, and its clause.
struct Strategy {
  std::string_view clause;
  Quantity (*score)(const ScoredLoad&, const Release&);
};
constexpr std::array<Strategy, 3> k_strategies = {{{"SCORE-LEAST-1", least_allocated},
                                                   {"SCORE-STRATEGY-2", most_allocated},
                                                   {"SCORE-STRATEGY-3", requested_to_capacity}}};

/// SCORE-LEAST-1, SCORE-STRATEGY-2: the mean, rounded down. SCORE-STRATEGY-3: the mean of the scores above 0,
/// rounded to the nearest integer, and up in the middle.
Quantity mean_score(const std::vector<ScoredLoad>& loads, NodeIndex node, const Cycle& cycle) {
  const FitStrategy strategy = cycle.release.fit_strategy;
  const auto [clause, score_of] = k_strategies[static_cast<std::size_t>(strategy)];
  const bool is_shape = strategy == FitStrategy::requested_to_capacity;
  WeightedMean mean;
  for (const ScoredLoad& load : loads) {
    const Quantity score = score_of(load, cycle.release);
    if (!is_shape || score > 0) mean.add(score, load.weight);
    cycle.trace.add({Stage::score_part,
                     clause,
                     true,
                     load.resource,
                     node,
                     {},
                     {{Measure::requested, load.with},
                      {Measure::allocatable, load.allocatable},
                      {Measure::score, score}}});
  }
  if (mean.weights == 0) return 0;
  return is_shape ? (2 * mean.sum + mean.weights) / (2 * mean.weights) : mean.sum / mean.weights;
}

}  // namespace

Quantity most_allocated(const ScoredLoad& load, const Release& release) {
  const bool is_beyond = load.with > load.allocatable && !release.most_allocated_is_capped;
  if (load.allocatable == 0 || is_beyond) return 0;
  return go_product(std::min(load.with, load.allocatable), release.highest_score) / load.allocatable;
}

Scores node_resources(const Cycle& cycle, const Nodes& nodes) {
  const Release& release = cycle.release;
  const ResourceList own = requests_with_defaults_of_preemptor(cycle.pod, release);
  std::vector<Quantity> scores;
  for (const NodeIndex node : nodes) {
    const std::vector<ScoredLoad> loads =
        scored_loads(cycle, cycle.nodes[node], release.fit_resources, own, MissingRequests::count_by_default);
    scores.push_back(mean_score(loads, node, cycle));
  }
  return scores;
}

}  // namespace touchstone::reference
