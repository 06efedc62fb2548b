#pragma once

#include <optional>
#include <vector>

#include "optimized/search/decide.hpp"
#include "optimized/search/memo.hpp"
#include "spec/vocabulary/placement.hpp"

namespace touchstone::optimized {

/// The result of a whole scheduling cycle, without the statuses of nodes. Nodes and pods are numbers of the
/// snapshot.
struct Placed {
  /// The outcome. `fits` means that the pod is scheduled. If no node is feasible, the whole preemption
  /// decision.
  Answer answer;
  std::vector<NodeIndex> feasible;  ///< the nodes that the search found, in the order in which it found them
  std::vector<ScoreColumn> scores;  ///< as in Placement
  std::vector<Quantity> extender_scores;  ///< as in Placement
  std::vector<Quantity> totals;     ///< for each feasible node; empty if the release does not score
  std::optional<Quantity> highest;  ///< the highest of the totals; set if nodes were scored
  std::vector<NodeIndex> best;      ///< the nodes that the release may choose, ascending
  std::optional<NodeIndex> host;    ///< set exactly if the pod is scheduled
  std::optional<Quantity> next_start;  ///< as in Placement

  bool operator==(const Placed&) const = default;
};

/// Runs a whole scheduling cycle. Ensures: every part that the reference's placement also has is equal to it,
/// for the same cluster; as in decide(), the outcome is skipped where the reference skips, and where the
/// reason begins with k_left_to_reference. The result does not depend on the number of workers. `choices`
/// breaks the tie of the best nodes, or that of preemption. Clauses: CYC-ORDER-1 to CYC-HOST-4, and those of
/// decide(). Complexity: linear in the nodes; with affinity or spreading over other pods linear in all pods.
Placed schedule(const Snapshot& snapshot, const Pod& pod, const Options& options, Workers& workers,
                Choices& choices);
/// The same, with what earlier cycles of this snapshot have found out. Ensures: the result is the same.
/// Complexity: see search_with_memo(), if the memo can be used.
Placed schedule(const Snapshot& snapshot, const Pod& pod, const Options& options, Workers& workers,
                Choices& choices, Memo& memo);
/// Without a memo, with the first of the nodes that the release may choose.
Placed schedule(const Snapshot& snapshot, const Pod& pod, const Options& options, Workers& workers);

}  // namespace touchstone::optimized
