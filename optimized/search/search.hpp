#pragma once

#include <string>
#include <vector>

#include "optimized/search/decide.hpp"
#include "optimized/search/dry_run.hpp"
#include "optimized/search/first_pass.hpp"

namespace touchstone::optimized {

/// Result of the search over the potential nodes.
struct SearchResult {
  bool has_candidate = false;
  std::vector<NodeIndex> best;  ///< the candidates that tie by all criteria, ascending; not with extenders
  std::string error;            ///< of the first node whose dry run returned an error; empty: none did
  std::size_t dry_runs = 0;
  std::vector<NodeIndex> candidates;  ///< all of them, in the release's order, if there are extenders
};

/// Searches the potential nodes for candidates: all nodes that can win, or a sample as the release takes it.
/// Requires: `potential` is ascending and not empty. Clauses: PRE-SEARCH-1 to PRE-SEARCH-5, PRE-NODE-1 to
/// PRE-NODE-6.
SearchResult search_nodes(const Query& query, const FirstPass& first_pass,
                          const std::vector<NodeIndex>& potential, const Options& options, Workers& workers);

}  // namespace touchstone::optimized
