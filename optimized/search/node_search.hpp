#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "optimized/search/first_pass.hpp"

namespace touchstone::optimized {

/// The nodes of the cluster in the order in which the release visits them. Clauses: CYC-ORDER-1. Complexity:
/// linear in the nodes.
std::vector<NodeIndex> nodes_in_order(const Tables& tables);

/// The nodes of the cluster in the order in which a search that begins at index `start` visits them, if
/// PreFilter leaves all of them. Requires: no PreFilter rejects the pod. Clauses: CYC-SEARCH-2, CYC-SEARCH-4.
std::vector<NodeIndex> search_order(const Query& query, Quantity start);

/// Sorts nodes in ascending order. Complexity: linear if they are sorted already, as they often are.
inline void sort_if_needed(std::vector<NodeIndex>& nodes) {
  if (!std::ranges::is_sorted(nodes)) std::ranges::sort(nodes);
}

/// The number of feasible nodes after which the search stops, if it may visit `nodes` nodes. Clauses:
/// CYC-SEARCH-1, CYC-SEARCH-3.
std::size_t nodes_to_find(std::size_t nodes, const Release& release,
                          const std::vector<Extender>& extenders = {});

/// How far a search went.
struct VisitedNodes {
  std::size_t may_visit = 0;   ///< the number of nodes that it may visit
  std::size_t dealt_with = 0;  ///< nodes with a status, and feasible ones that it keeps
  bool ended_early = false;    ///< it met a feasible node that it does not keep
};
/// Where the search after it begins. `first`: where it began itself. Clauses: CYC-SEARCH-4.
Quantity next_start_of(const Query& query, Quantity first, const VisitedNodes& visited);

/// What a search finds.
struct FoundNodes {
  std::vector<NodeIndex> nodes;             ///< in the order in which the release finds them
  bool in_order = true;                     ///< false: the release visits the nodes in a random order
  bool is_by_chance = false;                ///< which nodes are found depends on that order
  std::optional<Quantity> next_start = {};  ///< where the next search begins, if `start` is given
  /// The nodes that the search did not visit since it had found enough, if there are extenders.
  std::vector<NodeIndex> unseen = {};
};

/// The feasible nodes that the release finds. `start`: the index, in the order of nodes_in_order(), of the
/// first node that it visits; none: it visits every node, in the order of the cluster. Requires: the first
/// pass has no error. Clauses: CYC-SEARCH-2, CYC-SEARCH-4, CYC-NOMINATED-1.
FoundNodes found_nodes(const Query& query, const FirstPass& first_pass, std::optional<Quantity> start,
                       NominatedNode nominated = NominatedNode::first);

}  // namespace touchstone::optimized
