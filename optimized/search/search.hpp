#pragma once

#include <string>
#include <vector>

#include "optimized/search/decide.hpp"
#include "optimized/search/dry_run.hpp"
#include "optimized/search/first_pass.hpp"

namespace touchstone::optimized {

/// What the search over the potential nodes comes to.
struct SearchResult {
  bool has_candidate = false;
  bool crashes = false;         ///< PRE-VICTIM-8: a candidate without victims among others
  std::vector<NodeIndex> best;  ///< the candidates that no criterion tells apart, ascending
  std::string error;            ///< of the first node whose dry run erred; empty: none did
  std::size_t dry_runs = 0;
};

/// Searches the potential nodes: all that can win, or as the release samples. Requires: ascending, at least
/// one. Clauses: PRE-SEARCH-1 to PRE-SEARCH-5, PRE-NODE-1 to PRE-NODE-6.
SearchResult search_nodes(const Query& query, const FirstPass& first_pass,
                          const std::vector<NodeIndex>& potential, const Options& options, Workers& workers);

}  // namespace touchstone::optimized
