#pragma once

#include <optional>
#include <string>
#include <vector>

#include "spec/vocabulary/decision.hpp"
#include "spec/vocabulary/scorers.hpp"

/// The result of a whole scheduling cycle: where the pod goes, or what preemption does if no node fits.
namespace touchstone {

/// What one scorer adds to the totals: normalised scores, times the weight of the scorer.
struct ScoreColumn {
  WeightedScorer scorer;
  std::vector<Quantity> scores;  ///< for each feasible node, in the order of Placement::feasible

  bool operator==(const ScoreColumn&) const = default;
};

struct Placement {
  /// The outcome, statuses and nomination of the cycle. `fits` means that the pod is scheduled. If no node is
  /// feasible this is the whole preemption decision.
  Decision decision;
  std::vector<NodeIndex> feasible;  ///< the nodes that the search found, in the order in which it found them
  /// The scorers that were not skipped, in the release's order. Empty if the release does not score: at most
  /// one node is feasible, or the nominated node is.
  std::vector<ScoreColumn> scores;
  std::vector<Quantity> extender_scores = {};  ///< for each feasible node; empty: no extender, or no scores
  std::vector<Quantity> totals;  ///< for each feasible node; empty if the release does not score
  std::vector<NodeIndex> best;   ///< the nodes that the release may choose, in the order of the cluster
  std::optional<NodeIndex> host;  ///< the chosen node; set exactly if the pod is scheduled
  /// EXT-UNKNOWN-2: names that extenders alone know. Their indices follow those of the cluster's nodes.
  std::vector<std::string> unknown_nodes = {};
  /// CYC-SEARCH-4: the start index of the next search. Set if the question has a start index, and no filter
  /// errs.
  std::optional<Quantity> next_start;

  bool operator==(const Placement&) const = default;
};

}  // namespace touchstone
