#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "optimized/search/query.hpp"

/// The scorers. A scorer rates each feasible node; its raw scores are scaled to those that count.
namespace touchstone::optimized {

class PlaceTable;

/// Feasible nodes, in the order in which the search found them.
using Nodes = std::span<const NodeIndex>;

/// How the raw scores of all feasible nodes become scores.
enum class Scaling {
  none,
  by_largest,           ///< SCORE-NORMAL-1
  by_largest_reversed,  ///< SCORE-NORMAL-2
  between_extremes,     ///< SCORE-AFFINITY-3
  rest,                 ///< SCORE-SPREAD-5
  rest_of_largest,      ///< SCORE-SPREAD-6
};

/// The raw score of a node that is not valid. Clauses: SCORE-SPREAD-3.
inline constexpr Quantity k_not_valid = std::numeric_limits<Quantity>::min();

/// What the scale of raw scores depends on. Nodes that are not valid do not count.
struct Extremes {
  bool has_valid = false;
  Quantity least = 0;
  Quantity largest = 0;
  Quantity total = 0;

  void add(Quantity raw);
  bool operator==(const Extremes&) const = default;
};

/// The score of a raw score. Clauses: SCORE-NORMAL-1, SCORE-NORMAL-2, SCORE-AFFINITY-3, SCORE-SPREAD-5,
/// SCORE-SPREAD-6.
Quantity scaled(Scaling scaling, Quantity raw, const Extremes& extremes, const Release& release);

/// A scorer that is prepared for one query.
class NodeScorer {
 public:
  NodeScorer(const Query& query, Scaling scaling) : query_(query), scaling_(scaling) {}
  virtual ~NodeScorer() = default;
  NodeScorer(const NodeScorer&) = delete;
  NodeScorer& operator=(const NodeScorer&) = delete;

  Scaling scaling() const { return scaling_; }
  /// The raw score of every node, if all have the same.
  virtual std::optional<Quantity> constant() const { return std::nullopt; }
  /// What the raw scores depend on besides the query and the node itself. Two scorers for equal queries with
  /// equal inputs give a node equal raw scores.
  virtual std::vector<Quantity> inputs() const { return {}; }
  /// Writes the raw score of each of these nodes. Several threads may call it at the same time.
  virtual void rate(Nodes nodes, Quantity* raw) const = 0;
  /// Writes a raw score for all 64 places of a word, whether feasible or not. Returns for which of them it
  /// counts; 0: it has written nothing.
  virtual std::uint64_t rate_word(const PlaceTable& /*table*/, std::size_t /*word*/,
                                  Quantity* /*raw*/) const {
    return 0;
  }

 protected:
  const Query& query_;

 private:
  Scaling scaling_;
};

/// The scorer, prepared for a query. `feasible`: all feasible nodes, at least one. Null: it is skipped.
/// Clauses: those of the scorer.
std::unique_ptr<const NodeScorer> scorer_for(Scorer scorer, const Query& query, Nodes feasible,
                                             Workers& workers);

/// Whether the raw score of a node does not depend on the pods and labels of other nodes. Then scorer_for()
/// needs no feasible nodes.
bool is_local(Scorer scorer, const Query& query);

// One function for each scorer. Null: the scorer is skipped.
using MadeScorer = std::unique_ptr<const NodeScorer>;
MadeScorer selector_spread(const Query& query, Nodes feasible);
bool selector_spread_is_local(const Query& query);
MadeScorer pod_affinity(const Query& query, Workers& workers);
bool pod_affinity_is_local(const Query& query);
MadeScorer node_resources(const Query& query);
MadeScorer balanced_allocation(const Query& query);
MadeScorer avoided_nodes(const Query& query);
MadeScorer preferred_nodes(const Query& query);
MadeScorer soft_taints(const Query& query);
MadeScorer image_locality(const Query& query);
MadeScorer soft_spread(const Query& query, Nodes feasible, Workers& workers);
bool soft_spread_is_local(const Query& query);
MadeScorer storage_capacity(const Query& query);
/// A scorer that gives every node the same raw score.
MadeScorer equal_scores(const Query& query, Quantity score);

}  // namespace touchstone::optimized
