#pragma once

#include <vector>

#include "optimized/search/decide.hpp"
#include "optimized/search/memo.hpp"

namespace touchstone::optimized {

/// Whether a cycle can use a memo: whether it does not matter, for the filters and scorers of this query,
/// what other nodes are like, and no node is excluded or filtered first.
bool can_use_memo(const Query& query);

/// What a search with a memo finds.
struct KeptSearch {
  std::size_t feasible = 0;      ///< how many feasible nodes it finds
  bool is_out_of_range = false;  ///< SCORE-SET-2: a score leaves its range
  std::optional<Quantity> highest;  ///< the highest total
  std::vector<NodeIndex> best;   ///< ascending; with is_out_of_range it counts only if one node is feasible
  std::vector<NodeIndex> nodes;  ///< the feasible nodes in the order of the search, if options.wants_scores
  std::optional<Quantity> next_start;  ///< CYC-SEARCH-4: where the next search begins
  std::vector<Quantity> totals;  ///< of `nodes`
};

/// The search for feasible nodes, their totals and the best of them, with the ratings that the memo keeps.
/// Requires: can_use_memo(). Clauses: CYC-ORDER-1, CYC-SEARCH-1, CYC-SEARCH-2, CYC-TOTAL-1, CYC-HOST-1 to
/// CYC-HOST-4. Complexity, for a kind of pod that was asked for before: linear in the nodes that have
/// changed, and in a 64th of all nodes; linear in the nodes if all must be listed, or if the scale of a score
/// changes.
KeptSearch search_with_memo(const Query& query, const Options& options, Workers& workers, Memo& memo);

}  // namespace touchstone::optimized
