#pragma once

#include <vector>

#include "oracle/compare/comparison.hpp"

/// Compares the placements of two answers to `schedule`.
namespace touchstone::oracle {

/// The parts in which two placements differ, in the order of a cycle: feasible nodes, scores, totals, host.
/// Keys that the given answer lacks are not compared. Lists of nodes are compared as sets. The given node,
/// and every node that runs chose (`chosen`, `observed`), must be one of our best. Requires: `ours` is an
/// answer of the reference with the outcome `scheduled`. Complexity: linear in the answers.
std::vector<Difference> placement_differences(const Json& given, const Json& ours, Scores scores);

}  // namespace touchstone::oracle
