#pragma once

#include <optional>
#include <span>
#include <vector>

#include "optimized/scores/scorer.hpp"
#include "optimized/search/fitting.hpp"
#include "optimized/search/ranking.hpp"

namespace touchstone::optimized {

/// A scorer with its weight.
struct WeightedNodeScorer {
  WeightedScorer weighted;
  MadeScorer scorer;
};

/// A query with its scorers, and the nodes in the order of the search. A place is an index in `order`.
struct RatingQuery {
  const Query& query;
  const std::vector<WeightedNodeScorer>& scorers;  ///< those that are not skipped; all are local
  const std::vector<NodeIndex>& order;
  const PlaceTable& table;  ///< up to date
};

/// Which nodes are feasible for one kind of pod, and their raw scores. Nodes are rated when a search first
/// visits them, and again when they have changed. Requires: no filter and no scorer looks at other nodes.
class KeptRatings {
 public:
  /// Nothing is rated yet.
  explicit KeptRatings(const RatingQuery& asked);

  /// Whether raw scores for this query are those of the query for which nodes were rated.
  bool suits(const RatingQuery& asked) const;

  /// Rates the places again that were rated and have changed. Requires: `changed` is ascending.
  void rate_again(const RatingQuery& asked, std::span<const std::size_t> changed);
  /// Rates the places of a word that are not rated yet.
  void rate_word(const RatingQuery& asked, std::size_t word);
  /// Rates all places, and keeps totals from now on.
  void rate_all(const RatingQuery& asked, Workers& workers);

  const PlaceSet& feasible() const { return feasible_; }
  /// The totals, after rate_all().
  const Ranking& ranking() const { return *ranking_; }
  /// The totals of some feasible places, in their order. No value: a score leaves its range. Clauses:
  /// CYC-TOTAL-1, SCORE-SET-2.
  std::optional<std::vector<Quantity>> totals_of(const RatingQuery& asked,
                                                 std::span<const std::size_t> places) const;
  /// After rate_all(): whether a score of a feasible place leaves its range.
  bool some_out_of_range(const RatingQuery& asked) const;

  std::size_t bytes() const;

 private:
  /// What a scorer depends on besides a node. Equal inputs give equal raw scores.
  struct Inputs {
    WeightedScorer weighted;
    Scaling scaling = Scaling::none;
    std::optional<Quantity> constant;
    std::vector<Quantity> inputs;

    bool operator==(const Inputs&) const = default;
  };
  /// A scorer whose raw scores are scaled and differ between nodes.
  struct ScaledColumn {
    std::size_t scorer = 0;     ///< index in RatingQuery::scorers
    std::vector<Quantity> raw;  ///< by place
    RawScores of_feasible;      ///< once there are totals
    Extremes extremes;          ///< with which the totals were computed
  };

  static std::vector<Inputs> inputs_of(const RatingQuery& asked);
  void rate(const RatingQuery& asked, std::size_t word, std::uint64_t places);
  std::uint64_t score(const RatingQuery& asked, PlacesOfWord feasible);
  /// The total of a place, and whether one of its scores is negative.
  struct Total {
    Quantity total = 0;
    bool is_out_of_range = false;
  };
  /// `extremes`: of each column, by its index.
  Total total_of(const RatingQuery& asked, std::size_t place, std::span<const Extremes> extremes) const;
  Quantity scaled_score(const RatingQuery& asked, std::size_t column, std::size_t place,
                        const Extremes& extremes) const;
  Total constant_total(const RatingQuery& asked) const;
  void count(std::span<const std::size_t> places, bool is_added);
  void rank(const RatingQuery& asked, std::span<const std::size_t> changed);
  void rank_all(const RatingQuery& asked);
  void set_totals(const RatingQuery& asked, std::size_t word, std::uint64_t places, Quantity constant,
                  std::span<const Extremes> extremes);

  std::vector<Inputs> inputs_;
  PlaceSet known_;
  PlaceSet feasible_;
  PlaceSet out_of_range_;           ///< places with a negative score that is not scaled
  PlaceSet ranked_out_of_range_;    ///< places with any negative score, once there are totals
  std::vector<Quantity> unscaled_;  ///< by place: the sum of the weighted scores that are not scaled
  std::vector<ScaledColumn> columns_;
  std::optional<Ranking> ranking_;
};

}  // namespace touchstone::optimized
