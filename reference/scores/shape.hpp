#pragma once

#include <vector>

#include "spec/releases/release.hpp"
#include "spec/vocabulary/scorers.hpp"

namespace touchstone::reference {

/// The score that a shape gives a utilization: that of the nearest point outside the shape, and a straight
/// line between two points. Requires: at least one point; the points rise in utilization;
/// release.highest_score is 10 or 100. Clauses: SCORE-STRATEGY-3, SCORE-CAPACITY-1.
Quantity score_on_shape(const std::vector<ShapePoint>& shape, Quantity utilization, const Release& release);

}  // namespace touchstone::reference
