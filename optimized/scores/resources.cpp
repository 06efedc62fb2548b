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

/// Room for what is read of one node.
struct LoadsOfNode {
  std::vector<Load> loads;
  std::vector<double> shares;
};

/// A scorer of loads. It rates nodes by columns of cpu and memory where that is possible, else by all loads
/// of the node.
class LoadScorer : public NodeScorer {
 public:
  LoadScorer(const Query& query, Loads loads) : NodeScorer(query, Scaling::none), loads_(std::move(loads)) {}

  void rate(Nodes nodes, Quantity* raw) const override {
    LoadsOfNode of_node;
    LoadRoom room;
    while (!nodes.empty()) {
      const Nodes next = nodes.first(std::min(nodes.size(), PlaceTable::k_places));
      const std::uint64_t rated = uses_columns() ? rate_small(loads_.columns(next, room), raw) : 0;
      for (std::size_t i = 0; i < next.size(); ++i) {
        if ((rated >> i & 1) == 0) raw[i] = score_of(loads_.read(next[i], of_node.loads), of_node);
      }
      nodes = nodes.subspan(next.size());
      raw += next.size();
    }
  }
  std::uint64_t rate_word(const PlaceTable& table, std::size_t word, Quantity* raw) const override {
    return uses_columns() ? rate_small(loads_.columns(table, word), raw) : 0;
  }

 protected:
  /// The score of a node with these loads.
  virtual Quantity score_of(std::span<const Load> loads, LoadsOfNode& room) const = 0;
  /// The same for columns. Requires: uses_columns().
  virtual void rate_columns(const LoadColumns& loads, SmallScores& scores) const = 0;
  virtual bool uses_columns() const { return loads_.are_columns(); }

  const Loads& loads() const { return loads_; }
  Quantity highest() const { return query_.release.highest_score; }

 private:
  /// Returns which nodes the columns rate, as bits.
  std::uint64_t rate_small(const LoadColumns& columns, Quantity* raw) const {
    SmallScores scores;
    rate_columns(columns, scores);
    for (std::size_t i = 0; i != columns.count; ++i) raw[i] = scores[i];
    return ~columns.left_out;
  }

  Loads loads_;
};

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
class NodeResources final : public LoadScorer {
 public:
  explicit NodeResources(const Query& query)
      : LoadScorer(query,
                   Loads(query, query.release.fit_resources,
                         scored_requests_of_preemptor(query.pod, query.release), Requests::with_defaults)) {}

 private:
  Quantity score_of(std::span<const Load> loads, LoadsOfNode& /*room*/) const override {
    switch (query_.release.fit_strategy) {
      case FitStrategy::least_allocated:
        return mean_of(loads, FreeAmount());
      case FitStrategy::most_allocated:
        return mean_of(loads, allocated_amount());
      case FitStrategy::requested_to_capacity:
        break;
    }
    return on_shape(loads);
  }
  bool uses_columns() const override {
    return LoadScorer::uses_columns() && query_.release.fit_strategy != FitStrategy::requested_to_capacity;
  }
  void rate_columns(const LoadColumns& loads, SmallScores& scores) const override {
    if (query_.release.fit_strategy == FitStrategy::least_allocated) {
      rate_means(loads, FreeAmount(), scores);
    } else {
      rate_means(loads, allocated_amount(), scores);
    }
  }
  AllocatedAmount allocated_amount() const { return {query_.release.most_allocated_is_capped}; }

  /// SCORE-LEAST-1, SCORE-STRATEGY-2: the mean, rounded down.
  template <typename Amount>
  Quantity mean_of(std::span<const Load> loads, const Amount& amount) const {
    Quantity sum = 0;
    Quantity weights = 0;
    for (const Load& load : loads) {
      const Quantity all = load.allocatable;
      const Quantity score = all == 0 ? 0 : go::product(amount(load), highest()) / all;
      sum = go::sum(sum, go::product(score, load.weight));
      weights = go::sum(weights, load.weight);
    }
    return weights == 0 ? 0 : sum / weights;
  }
  /// The same for columns. Division by 2 takes much less time than by a weight.
  template <typename Amount>
  void rate_means(const LoadColumns& columns, const Amount& amount, SmallScores& scores) const {
    const double most = static_cast<double>(highest());
    const double own_cpu = loads().own_cpu();
    const double own_memory = loads().own_memory();
    const std::int32_t cpu_weight = loads().cpu_weight();
    const std::int32_t memory_weight = loads().memory_weight();
    const bool is_even = cpu_weight == memory_weight;
    for (std::size_t i = 0; i != columns.count; ++i) {
      const double with_cpu = columns.used_cpu[i] + own_cpu;
      const double with_memory = columns.used_memory[i] + own_memory;
      const std::int32_t of_cpu = part_of(most, amount(columns.cpu[i], with_cpu), columns.cpu[i]);
      const std::int32_t of_memory = part_of(most, amount(columns.memory[i], with_memory), columns.memory[i]);
      scores[i] = is_even ? (of_cpu + of_memory) / 2
                          : (of_cpu * cpu_weight + of_memory * memory_weight) / (cpu_weight + memory_weight);
    }
  }
  /// `most` times the share that an amount has of a whole, rounded down. Requires: no amount is above its
  /// whole; `most` is at most 100.
  ///
  /// Lemma (exact parts): wholes are below 2^45, so the product is exact. A quotient below an integer n is
  /// below it by at least 2^-45. Floats up to 100 are at most 2^-46 apart, so it is not rounded to n.
  static std::int32_t part_of(double most, double amount, double whole) {
    return static_cast<std::int32_t>(amount * most / whole);
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

/// The score of a distance between shares, from 0 to 1.
double evenness(double distance, double highest) { return (1 - distance) * highest; }

/// NodeResourcesBalancedAllocation. SCORE-BALANCED-1 to SCORE-BALANCED-5.
class BalancedAllocation final : public LoadScorer {
 public:
  explicit BalancedAllocation(const Query& query) : LoadScorer(query, loads_of(query)) {}

  bool is_skipped() const { return query_.release.balance_may_be_skipped && loads().requests_none(); }

 private:
  static Loads loads_of(const Query& query) {
    const Release& release = query.release;
    return release.balance_by_real_requests
               ? Loads(query, release.balanced_resources, real_requests_of_preemptor(query.pod, release),
                       Requests::real)
               : Loads(query, release.balanced_resources, scored_requests_of_preemptor(query.pod, release),
                       Requests::with_defaults);
  }

  Quantity score_of(std::span<const Load> loads, LoadsOfNode& room) const override {
    room.shares.resize(loads.size());
    if (query_.release.balance == Balance::distance) return by_distance(loads, room.shares.data());
    const Quantity with = by_deviation(loads, &Load::with, room.shares.data());
    if (query_.release.balance == Balance::deviation) return with;
    return gain(with, by_deviation(loads, &Load::without, room.shares.data()));
  }
  /// SCORE-BALANCED-5
  Quantity gain(Quantity with, Quantity without) const {
    return highest() / 2 + go::difference(go::sum(highest() / 2, with), without) / 2;
  }
  /// SCORE-BALANCED-1
  Quantity by_distance(std::span<const Load> loads, double* shares) const {
    for (std::size_t i = 0; i < loads.size(); ++i) {
      shares[i] = share(loads[i].with, loads[i].allocatable);
      if (shares[i] >= 1) return 0;
    }
    return go::integer(evenness(2 * deviation({shares, loads.size()}), static_cast<double>(highest())));
  }
  /// SCORE-BALANCED-2
  Quantity by_deviation(std::span<const Load> loads, Quantity Load::* requested, double* shares) const {
    for (std::size_t i = 0; i < loads.size(); ++i)
      shares[i] = std::min(share(loads[i].*requested, loads[i].allocatable), 1.0);
    return go::integer(evenness(deviation({shares, loads.size()}), static_cast<double>(highest())));
  }

  /// The same, by the same operations, for columns.
  void rate_columns(const LoadColumns& columns, SmallScores& scores) const override {
    const double most = static_cast<double>(highest());
    const auto half = static_cast<std::int32_t>(highest() / 2);
    const double own_cpu = loads().own_cpu();
    const double own_memory = loads().own_memory();
    switch (query_.release.balance) {
      case Balance::distance:
        for (std::size_t i = 0; i != columns.count; ++i) {
          const double cpu = (columns.used_cpu[i] + own_cpu) / columns.cpu[i];
          const double memory = (columns.used_memory[i] + own_memory) / columns.memory[i];
          const double distance = 2 * deviation(std::min(cpu, 1.0), std::min(memory, 1.0));
          const auto score = static_cast<std::int32_t>(evenness(distance, most));
          scores[i] = cpu >= 1 || memory >= 1 ? 0 : score;
        }
        return;
      case Balance::deviation:
        for (std::size_t i = 0; i != columns.count; ++i)
          scores[i] =
              static_cast<std::int32_t>(evenness(deviation_of(columns, i, own_cpu, own_memory), most));
        return;
      case Balance::change_by_pod:
        break;
    }
    for (std::size_t i = 0; i != columns.count; ++i) {
      const auto with =
          static_cast<std::int32_t>(evenness(deviation_of(columns, i, own_cpu, own_memory), most));
      const auto without = static_cast<std::int32_t>(evenness(deviation_of(columns, i, 0, 0), most));
      scores[i] = half + (half + with - without) / 2;
    }
  }
  static double deviation_of(const LoadColumns& columns, std::size_t i, double cpu, double memory) {
    return deviation(std::min((columns.used_cpu[i] + cpu) / columns.cpu[i], 1.0),
                     std::min((columns.used_memory[i] + memory) / columns.memory[i], 1.0));
  }
};

}  // namespace

MadeScorer node_resources(const Query& query) { return std::make_unique<NodeResources>(query); }

MadeScorer balanced_allocation(const Query& query) {
  auto scorer = std::make_unique<BalancedAllocation>(query);
  if (!scorer->is_skipped()) return scorer;
  return query.release.balance_prescore_off ? equal_scores(query, 0) : nullptr;  // SCORE-BALANCED-4
}

}  // namespace touchstone::optimized
