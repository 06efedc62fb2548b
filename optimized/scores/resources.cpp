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

/// The scores of up to 64 nodes. They are at most 100. A processor converts floats to such small integers
/// several at a time.
using SmallScores = std::array<std::int32_t, PlaceTable::k_places>;

/// Rates nodes by columns of cpu and memory where that is possible, else by all loads of the node.
template <typename OfColumns, typename OfLoads>
void rate_loads(const Loads& loads, Nodes nodes, Quantity* raw, const OfColumns& of_columns,
                const OfLoads& of_loads) {
  std::vector<Load> of_node;
  LoadRoom room;
  SmallScores scores;
  while (!nodes.empty()) {
    const Nodes next = nodes.first(std::min(nodes.size(), PlaceTable::k_places));
    const std::optional<LoadColumns> columns = loads.are_columns() ? loads.columns(next, room) : std::nullopt;
    if (columns) of_columns(*columns, scores);
    for (std::size_t i = 0; i < next.size(); ++i)
      raw[i] = columns ? scores[i] : of_loads(loads.read(next[i], of_node));
    nodes = nodes.subspan(next.size());
    raw += next.size();
  }
}

/// The same for a word of places.
template <typename OfColumns>
bool rate_word_of_loads(const Loads& loads, const PlaceTable& places, std::size_t word, Quantity* raw,
                        const OfColumns& of_columns) {
  const std::optional<LoadColumns> columns = loads.are_columns() ? loads.columns(places, word) : std::nullopt;
  if (!columns) return false;
  SmallScores scores;
  of_columns(*columns, scores);
  for (std::size_t i = 0; i < PlaceTable::k_places; ++i) raw[i] = scores[i];
  return true;
}

/// The amount that SCORE-LEAST-1 gives scores for: what stays free.
struct FreeAmount {
  Quantity operator()(const Load& load) const {
    return load.with > load.allocatable ? 0 : go::difference(load.allocatable, load.with);
  }
  double operator()(double allocatable, double with) const {
    return with < allocatable ? allocatable - with : 0;
  }
};

/// The amount that SCORE-STRATEGY-2 gives scores for: what is allocated.
struct AllocatedAmount {
  Quantity operator()(const Load& load) const {
    return load.with <= load.allocatable ? load.with : is_capped ? load.allocatable : 0;
  }
  double operator()(double allocatable, double with) const {
    return with <= allocatable ? with : is_capped ? allocatable : 0;
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
        return rate_mean(nodes, raw, allocated_amount());
      case FitStrategy::requested_to_capacity:
        break;
    }
    std::vector<Load> of_node;
    for (std::size_t i = 0; i < nodes.size(); ++i) raw[i] = on_shape(loads_.read(nodes[i], of_node));
  }
  bool rate_word(const PlaceTable& places, std::size_t word, Quantity* raw) const override {
    switch (query_.release.fit_strategy) {
      case FitStrategy::least_allocated:
        return rate_mean_of_word(places, word, raw, FreeAmount());
      case FitStrategy::most_allocated:
        return rate_mean_of_word(places, word, raw, allocated_amount());
      case FitStrategy::requested_to_capacity:
        break;
    }
    return false;
  }

 private:
  AllocatedAmount allocated_amount() const { return {query_.release.most_allocated_is_capped}; }

  /// SCORE-LEAST-1, SCORE-STRATEGY-2: the mean, rounded down.
  template <typename Amount>
  void rate_mean(Nodes nodes, Quantity* raw, const Amount& amount) const {
    const Quantity highest = query_.release.highest_score;
    const auto of_columns = [&](const LoadColumns& loads, SmallScores& scores) {
      rate_columns(loads, amount, scores);
    };
    rate_loads(loads_, nodes, raw, of_columns, [&](std::span<const Load> loads) {
      Quantity sum = 0;
      Quantity weights = 0;
      for (const Load& load : loads) {
        const Quantity all = load.allocatable;
        const Quantity score = all == 0 ? 0 : go::product(amount(load), highest) / all;
        sum = go::sum(sum, go::product(score, load.weight));
        weights = go::sum(weights, load.weight);
      }
      return weights == 0 ? 0 : sum / weights;
    });
  }
  template <typename Amount>
  bool rate_mean_of_word(const PlaceTable& places, std::size_t word, Quantity* raw,
                         const Amount& amount) const {
    return rate_word_of_loads(loads_, places, word, raw, [&](const LoadColumns& loads, SmallScores& scores) {
      rate_columns(loads, amount, scores);
    });
  }
  template <typename Amount>
  void rate_columns(const LoadColumns& loads, const Amount& amount, SmallScores& scores) const {
    const double highest = static_cast<double>(query_.release.highest_score);
    const double own_cpu = loads_.own_cpu();
    const double own_memory = loads_.own_memory();
    for (std::size_t i = 0; i < loads.count; ++i) {
      const double with_cpu = loads.used_cpu[i] + own_cpu;
      const double with_memory = loads.used_memory[i] + own_memory;
      const std::int32_t of_cpu = part_of(highest, amount(loads.cpu[i], with_cpu), loads.cpu[i]);
      const std::int32_t of_memory = part_of(highest, amount(loads.memory[i], with_memory), loads.memory[i]);
      scores[i] = (of_cpu + of_memory) / 2;
    }
  }
  /// `highest` times the share that an amount has of a whole, rounded down. Requires: no amount is above its
  /// whole; `highest` is at most 100.
  ///
  /// Lemma (exact parts): wholes are below 2^45, so the product is exact. A quotient below an integer n is
  /// below it by at least 2^-45. Floats up to 100 are at most 2^-46 apart, so it is not rounded to n.
  static std::int32_t part_of(double highest, double amount, double whole) {
    return static_cast<std::int32_t>(amount * highest / whole);
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
        [this](const LoadColumns& loads, SmallScores& scores) { balance_columns(loads, scores); },
        [&](std::span<const Load> loads) { return balance(loads, shares.data()); });
  }
  bool rate_word(const PlaceTable& places, std::size_t word, Quantity* raw) const override {
    return rate_word_of_loads(
        loads_, places, word, raw,
        [this](const LoadColumns& loads, SmallScores& scores) { balance_columns(loads, scores); });
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

  /// The same, by the same operations, for columns.
  void balance_columns(const LoadColumns& loads, SmallScores& scores) const {
    const double highest = static_cast<double>(query_.release.highest_score);
    const auto half = static_cast<std::int32_t>(query_.release.highest_score / 2);
    const double own_cpu = loads_.own_cpu();
    const double own_memory = loads_.own_memory();
    switch (query_.release.balance) {
      case Balance::distance:
        for (std::size_t i = 0; i < loads.count; ++i) {
          const double cpu = (loads.used_cpu[i] + own_cpu) / loads.cpu[i];
          const double memory = (loads.used_memory[i] + own_memory) / loads.memory[i];
          const double distance = 2 * deviation(std::min(cpu, 1.0), std::min(memory, 1.0));
          const std::int32_t score = small_evenness(distance, highest);
          scores[i] = cpu >= 1 || memory >= 1 ? 0 : score;
        }
        return;
      case Balance::deviation:
        for (std::size_t i = 0; i < loads.count; ++i)
          scores[i] = small_evenness(deviation_of(loads, i, own_cpu, own_memory), highest);
        return;
      case Balance::change_by_pod:
        break;
    }
    for (std::size_t i = 0; i < loads.count; ++i) {
      const std::int32_t with = small_evenness(deviation_of(loads, i, own_cpu, own_memory), highest);
      const std::int32_t without = small_evenness(deviation_of(loads, i, 0, 0), highest);
      scores[i] = half + (half + with - without) / 2;
    }
  }
  static double deviation_of(const LoadColumns& loads, std::size_t i, double cpu, double memory) {
    return deviation(std::min((loads.used_cpu[i] + cpu) / loads.cpu[i], 1.0),
                     std::min((loads.used_memory[i] + memory) / loads.memory[i], 1.0));
  }
  static std::int32_t small_evenness(double distance, double highest) {
    return static_cast<std::int32_t>((1 - distance) * highest);
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
