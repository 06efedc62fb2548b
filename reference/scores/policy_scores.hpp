#pragma once

#include "reference/scores/scores.hpp"

/// The scorers that a Policy alone can add. They have arguments.
namespace touchstone::reference {

/// Whether several Services select the preemptor, and a random choice among them decides a score. Clauses:
/// POL-APART-1.
bool service_is_unclear(const Cycle& cycle);

/// Runs a scorer with its arguments. Requires: at least one node. Clauses: POL-EQUAL-1, POL-MOST-1,
/// POL-RATIO-1, POL-PREFER-1, POL-APART-1; those of run_scorer().
Scores run_weighted(const WeightedScorer& scorer, const Cycle& cycle, const Nodes& nodes);

}  // namespace touchstone::reference
