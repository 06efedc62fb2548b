#include <algorithm>
#include <array>
#include <cmath>

#include "optimized/scores/loads.hpp"
#include "optimized/scores/scorer.hpp"
#include "optimized/scores/shape.hpp"
#include "optimized/store/go_numbers.hpp"

/// The scorers of resources: how much of a node is allocated, and how evenly.
namespace touchstone::optimized {

namespace {

/// Calls `score` with the loads of each node: with an array of two where that is possible, else with a span.
template <typename F>
void for_each_load(const Loads& loads, Nodes nodes, Quantity* raw, const F& score) {
  const bool is_pair = loads.is_pair();
  std::vector<Load> of_node(loads.most());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (is_pair) {
      const std::array<Load, 2> pair = loads.pair(nodes[i]);
      if (pair[0].allocatable != 0 && pair[1].allocatable != 0) {
        raw[i] = score(pair);
        continue;
      }
    }
    raw[i] = score(std::span<const Load>(of_node.data(), loads.read(nodes[i], of_node.data())));
  }
}

/// NodeResourcesFit, up to v1.21 LeastRequested. SCORE-LEAST-1, SCORE-STRATEGY-1 to SCORE-STRATEGY-3.
class NodeResources final : public NodeScorer {
 public:
  explicit NodeResources(const Query& query)
      : NodeScorer(query, Scaling::none),
        loads_(query, query.release.fit_resources, scored_requests_of_preemptor(query.pod, query.release),
               Requests::with_defaults) {}

  void rate(Nodes nodes, Quantity* raw) const override {
    switch (query_.release.fit_strategy) {
      case FitStrategy::least_allocated:
        return rate_mean(nodes, raw, [this](const Load& load) { return least_allocated(load); });
      case FitStrategy::most_allocated:
        return rate_mean(nodes, raw, [this](const Load& load) { return most_allocated(load); });
      case FitStrategy::requested_to_capacity:
        break;
    }
    for_each_load(loads_, nodes, raw, [this](std::span<const Load> loads) { return on_shape(loads); });
  }

 private:
  Quantity least_allocated(const Load& load) const {
    if (load.allocatable == 0 || load.with > load.allocatable) return 0;
    const Quantity free = go::difference(load.allocatable, load.with);
    return go::product(free, query_.release.highest_score) / load.allocatable;
  }
  Quantity most_allocated(const Load& load) const {
    const bool is_beyond = load.with > load.allocatable && !query_.release.most_allocated_is_capped;
    if (load.allocatable == 0 || is_beyond) return 0;
    return go::product(std::min(load.with, load.allocatable), query_.release.highest_score) /
           load.allocatable;
  }
  /// SCORE-LEAST-1, SCORE-STRATEGY-2: the mean, rounded down.
  template <typename F>
  void rate_mean(Nodes nodes, Quantity* raw, const F& score) const {
    for_each_load(loads_, nodes, raw, [&](const auto& loads) -> Quantity {
      Quantity sum = 0;
      Quantity weights = 0;
      for (const Load& load : loads) {
        sum = go::sum(sum, go::product(score(load), load.weight));
        weights = go::sum(weights, load.weight);
      }
      if (weights == 2) return sum / 2;  // most nodes have cpu and memory, of weight 1; this division is fast
      return weights == 0 ? 0 : sum / weights;
    });
  }
  /// SCORE-STRATEGY-3: the mean of the scores above 0, rounded to the nearest integer.
  Quantity on_shape(std::span<const Load> loads) const {
    Quantity sum = 0;
    Quantity weights = 0;
    for (const Load& load : loads) {
      const bool is_full = load.allocatable == 0 || load.with > load.allocatable;
      const Quantity utilization = is_full ? 100 : go::product(load.with, 100) / load.allocatable;
      const Quantity score = score_on(query_.release.fit_shape, utilization, query_.release);
      if (score <= 0) continue;
      sum = go::sum(sum, go::product(score, load.weight));
      weights = go::sum(weights, load.weight);
    }
    return weights == 0 ? 0 : (2 * sum + weights) / (2 * weights);
  }

  Loads loads_;
};

double share(Quantity requested, Quantity allocatable) {
  return allocatable == 0 ? 1 : static_cast<double>(requested) / static_cast<double>(allocatable);
}

/// SCORE-BALANCED-2: the standard deviation of shares.
double deviation(std::span<const double> shares) {
  if (shares.size() < 2) return 0;
  if (shares.size() == 2) return std::abs((shares[0] - shares[1]) / 2);
  const double count = static_cast<double>(shares.size());
  double total = 0;
  for (const double each : shares) total += each;
  const double mean = total / count;
  double squares = 0;
  for (const double each : shares) {
    const double square = (each - mean) * (each - mean);
    squares += square;
  }
  return std::sqrt(squares / count);
}

/// NodeResourcesBalancedAllocation. SCORE-BALANCED-1 to SCORE-BALANCED-5.
class BalancedAllocation final : public NodeScorer {
 public:
  explicit BalancedAllocation(const Query& query)
      : NodeScorer(query, Scaling::none), loads_(loads_of(query)) {}

  bool is_skipped() const { return query_.release.balance_may_be_skipped && loads_.requests_none(); }

  void rate(Nodes nodes, Quantity* raw) const override {
    std::vector<double> shares(loads_.most());
    std::array<double, 2> two_shares;
    for_each_load(loads_, nodes, raw, [&](const auto& loads) {
      if constexpr (std::is_same_v<decltype(loads), const std::array<Load, 2>&>) {
        return balance(loads, two_shares.data());
      } else {
        return balance(loads, shares.data());
      }
    });
  }

 private:
  static Loads loads_of(const Query& query) {
    const Release& release = query.release;
    return release.balance_by_real_requests
               ? Loads(query, release.balanced_resources, real_requests_of_preemptor(query.pod, release),
                       Requests::real)
               : Loads(query, release.balanced_resources, scored_requests_of_preemptor(query.pod, release),
                       Requests::with_defaults);
  }

  Quantity highest() const { return query_.release.highest_score; }

  /// SCORE-BALANCED-1
  template <typename LoadsOfNode>
  Quantity by_distance(const LoadsOfNode& loads, double* shares) const {
    for (std::size_t i = 0; i < loads.size(); ++i) {
      shares[i] = share(loads[i].with, loads[i].allocatable);
      if (shares[i] >= 1) return 0;
    }
    const double distance = 2 * deviation({shares, loads.size()});
    return go::integer((1 - distance) * static_cast<double>(highest()));
  }
  /// SCORE-BALANCED-2
  template <typename LoadsOfNode>
  Quantity by_deviation(const LoadsOfNode& loads, Quantity Load::* requested, double* shares) const {
    for (std::size_t i = 0; i < loads.size(); ++i)
      shares[i] = std::min(share(loads[i].*requested, loads[i].allocatable), 1.0);
    return go::integer((1 - deviation({shares, loads.size()})) * static_cast<double>(highest()));
  }
  template <typename LoadsOfNode>
  Quantity balance(const LoadsOfNode& loads, double* shares) const {
    if (query_.release.balance == Balance::distance) return by_distance(loads, shares);
    const Quantity with = by_deviation(loads, &Load::with, shares);
    if (query_.release.balance == Balance::deviation) return with;
    const Quantity without = by_deviation(loads, &Load::without, shares);
    return highest() / 2 + go::difference(go::sum(highest() / 2, with), without) / 2;  // SCORE-BALANCED-5
  }

  Loads loads_;
};

}  // namespace

MadeScorer node_resources(const Query& query) { return std::make_unique<NodeResources>(query); }

MadeScorer balanced_allocation(const Query& query) {
  auto scorer = std::make_unique<BalancedAllocation>(query);
  if (!scorer->is_skipped()) return scorer;
  return query.release.balance_prescore_off ? equal_scores(query, 0) : nullptr;  // SCORE-BALANCED-4
}

}  // namespace touchstone::optimized
