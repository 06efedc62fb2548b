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

/// Rates nodes by the loads of cpu and memory where that is possible, else by all loads of the node.
template <typename OfPair, typename OfLoads>
void rate_loads(const Loads& loads, Nodes nodes, Quantity* raw, const OfPair& of_pair,
                const OfLoads& of_loads) {
  const std::optional<PairReader> pairs = loads.pair_reader();
  std::vector<Load> of_node;
  const auto rate_slowly = [&](std::size_t i) { raw[i] = of_loads(loads.read(nodes[i], of_node)); };
  if (!pairs) {
    for (std::size_t i = 0; i < nodes.size(); ++i) rate_slowly(i);
    return;
  }
  const PairReader reader = *pairs;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    LoadPair pair;
    if (reader.read(nodes[i], pair)) {
      raw[i] = of_pair(pair);
    } else {
      rate_slowly(i);
    }
  }
}

/// The amount that SCORE-LEAST-1 gives scores for: what stays free.
struct FreeAmount {
  Quantity operator()(const Load& load) const {
    return load.with > load.allocatable ? 0 : go::difference(load.allocatable, load.with);
  }
  Pair operator()(const LoadPair& loads) const {
    const Pair free = loads.allocatable - loads.with;
    return free > 0.0 ? free : Pair{};
  }
};

/// The amount that SCORE-STRATEGY-2 gives scores for: what is allocated.
struct AllocatedAmount {
  Quantity operator()(const Load& load) const {
    return load.with <= load.allocatable ? load.with : is_capped ? load.allocatable : 0;
  }
  Pair operator()(const LoadPair& loads) const {
    return loads.with <= loads.allocatable ? loads.with : is_capped ? loads.allocatable : Pair{};
  }

  bool is_capped;  ///< whether more than the allocatable amount counts as that amount
};

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
        return rate_mean(nodes, raw, FreeAmount());
      case FitStrategy::most_allocated:
        return rate_mean(nodes, raw, AllocatedAmount{query_.release.most_allocated_is_capped});
      case FitStrategy::requested_to_capacity:
        break;
    }
    std::vector<Load> of_node;
    for (std::size_t i = 0; i < nodes.size(); ++i) raw[i] = on_shape(loads_.read(nodes[i], of_node));
  }

 private:
  /// SCORE-LEAST-1, SCORE-STRATEGY-2: the mean, rounded down.
  template <typename Amount>
  void rate_mean(Nodes nodes, Quantity* raw, const Amount& amount) const {
    const Quantity highest = query_.release.highest_score;
    const std::array<Quantity, 2> of_pair = loads_.weights_of_pair();
    const auto score_pair = [highest, of_pair, amount](const LoadPair& loads) {
      const auto [cpu, memory] = parts_of(highest, amount(loads), loads.allocatable);
      return mean(go::sum(go::product(cpu, of_pair[0]), go::product(memory, of_pair[1])),
                  go::sum(of_pair[0], of_pair[1]));
    };
    rate_loads(loads_, nodes, raw, score_pair, [&](std::span<const Load> loads) {
      Quantity sum = 0;
      Quantity weights = 0;
      for (const Load& load : loads) {
        const Quantity all = load.allocatable;
        const Quantity score = all == 0 ? 0 : go::product(amount(load), highest) / all;
        sum = go::sum(sum, go::product(score, load.weight));
        weights = go::sum(weights, load.weight);
      }
      return mean(sum, weights);
    });
  }
  static Quantity mean(Quantity sum, Quantity weights) {
    if (weights == 2) return sum / 2;  // most nodes have cpu and memory, of weight 1; this division is fast
    return weights == 0 ? 0 : sum / weights;
  }
  /// `highest` times the share that an amount has of a whole, rounded down. Requires: no amount is above its
  /// whole; `highest` is at most 100.
  ///
  /// Lemma (exact parts): wholes are below 2^45, so the product is exact. A quotient below an integer n is
  /// below it by at least 2^-45. Floats up to 100 are at most 2^-46 apart, so it is not rounded to n.
  static std::array<Quantity, 2> parts_of(Quantity highest, Pair amounts, Pair wholes) {
    const Pair parts = amounts * static_cast<double>(highest) / wholes;
    return {static_cast<Quantity>(parts[0]), static_cast<Quantity>(parts[1])};
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
double deviation(double a, double b) { return std::abs((a - b) / 2); }
double deviation(std::span<const double> shares) {
  if (shares.size() < 2) return 0;
  if (shares.size() == 2) return deviation(shares[0], shares[1]);
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
    rate_loads(
        loads_, nodes, raw,
        [highest = highest(), kind = query_.release.balance](const LoadPair& loads) {
          return balance_pair(loads, kind, highest);
        },
        [&](std::span<const Load> loads) { return balance(loads, shares.data()); });
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

  /// The score of a distance between shares, from 0 to 1.
  static Quantity evenness(double distance, Quantity highest) {
    return go::integer((1 - distance) * static_cast<double>(highest));
  }
  /// SCORE-BALANCED-5
  static Quantity gain(Quantity with, Quantity without, Quantity highest) {
    return highest / 2 + go::difference(go::sum(highest / 2, with), without) / 2;
  }

  /// SCORE-BALANCED-1
  Quantity by_distance(std::span<const Load> loads, double* shares) const {
    for (std::size_t i = 0; i < loads.size(); ++i) {
      shares[i] = share(loads[i].with, loads[i].allocatable);
      if (shares[i] >= 1) return 0;
    }
    return evenness(2 * deviation({shares, loads.size()}), highest());
  }
  /// SCORE-BALANCED-2
  Quantity by_deviation(std::span<const Load> loads, Quantity Load::* requested, double* shares) const {
    for (std::size_t i = 0; i < loads.size(); ++i)
      shares[i] = std::min(share(loads[i].*requested, loads[i].allocatable), 1.0);
    return evenness(deviation({shares, loads.size()}), highest());
  }
  Quantity balance(std::span<const Load> loads, double* shares) const {
    if (query_.release.balance == Balance::distance) return by_distance(loads, shares);
    const Quantity with = by_deviation(loads, &Load::with, shares);
    if (query_.release.balance == Balance::deviation) return with;
    return gain(with, by_deviation(loads, &Load::without, shares), highest());
  }

  /// The same, by the same operations, for cpu and memory. A pair is first of both resources, then of the
  /// nodes with and without the preemptor.
  static Quantity balance_pair(const LoadPair& loads, Balance kind, Quantity highest) {
    const Pair with = loads.with / loads.allocatable;
    if (kind == Balance::distance)
      return with[0] >= 1 || with[1] >= 1 ? 0 : evenness(2 * deviation(with[0], with[1]), highest);
    const Pair without = loads.without / loads.allocatable;
    const Pair difference = at_most_1(Pair{with[0], without[0]}) - at_most_1(Pair{with[1], without[1]});
    const Pair opposite = -difference;
    const Pair deviation = (difference > opposite ? difference : opposite) / 2.0;
    const Pair scores = (1.0 - deviation) * static_cast<double>(highest);  // from 0 to `highest`
    const auto of_with = static_cast<Quantity>(scores[0]);
    return kind == Balance::deviation ? of_with : gain(of_with, static_cast<Quantity>(scores[1]), highest);
  }
  static Pair at_most_1(Pair shares) {
    const Pair one{1, 1};
    return shares < one ? shares : one;
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
