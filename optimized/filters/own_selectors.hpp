#pragma once

#include <vector>

#include "optimized/search/query.hpp"

namespace touchstone::optimized {

/// The selectors of the Services and controllers that select the preemptor; at most one where the release
/// merges them. Clauses: SCORE-SELECTOR-1, SCORE-SELECTOR-2. Complexity: linear in these objects of the
/// preemptor's namespace.
std::vector<LabelSelector> own_selectors(const Query& query);

}  // namespace touchstone::optimized
