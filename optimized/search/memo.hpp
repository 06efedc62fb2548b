#pragma once

#include <list>
#include <optional>
#include <vector>

#include "optimized/search/kept_ratings.hpp"

namespace touchstone::optimized {

/// What earlier cycles found out about kinds of pods in one snapshot. Two pods are of one kind if they differ
/// in nothing but name and UID. A later cycle for the same kind looks only at nodes that have changed since.
/// The results are the same as without a memo. Requires: used with one snapshot only, by one caller at a
/// time.
class Memo {
 public:
  static constexpr std::size_t k_kinds_most = 32;
  static constexpr std::size_t k_bytes_usual = std::size_t{64} << 20;

  /// `bytes_most`: a limit for the memory of all kinds but the last one asked for.
  explicit Memo(std::size_t bytes_most = k_bytes_usual) : bytes_most_(bytes_most) {}

  /// The nodes in the order of the search (CYC-ORDER-1). Valid until the snapshot changes. Complexity: linear
  /// in the nodes if nodes were added or removed or came to another zone; else constant.
  const std::vector<NodeIndex>& order_of(const Tables& tables);

  /// The table of the nodes in order_of(). Valid until the snapshot changes. Complexity: linear in the
  /// changes since the last call; in all nodes for the first call, after the order has changed, or if the
  /// changes are no longer listed.
  const PlaceTable& table_of(const Tables& tables);

  /// The ratings for the kind of a pod, up to date with the snapshot. `asked.order` is order_of(). Forgets
  /// kinds that were not asked for recently, if there are too many.
  KeptRatings& ratings_for(const Pod& pod, const RatingQuery& asked);

  std::size_t kinds() const { return kinds_.size(); }
  /// How many calls of ratings_for() found ratings that could be kept.
  std::size_t reused() const { return reused_; }
  std::size_t bytes() const;

 private:
  struct Kind {
    Pod pod;             ///< without name and UID
    std::uint64_t seen;  ///< Changes::count() with which the ratings are up to date
    KeptRatings ratings;
  };

  std::vector<std::size_t> changed_places(std::uint64_t seen, const Tables& tables) const;
  void forget_some();

  std::size_t bytes_most_;
  std::list<Kind> kinds_;  ///< the one asked for last is first
  std::vector<NodeIndex> order_;
  std::vector<std::uint32_t> place_of_;  ///< by node; valid for nodes of order_
  std::uint64_t order_seen_ = 0;         ///< Changes::nodes with which order_ was made; 0: never
  PlaceTable table_;
  std::optional<std::uint64_t>
      table_seen_;  ///< Changes::count() with which table_ is up to date; none: never
  std::size_t reused_ = 0;
};

}  // namespace touchstone::optimized
