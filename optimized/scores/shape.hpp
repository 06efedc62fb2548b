#pragma once

#include <vector>

#include "spec/releases/release.hpp"

namespace touchstone::optimized {

/// The score that the points of a function give a utilization. Requires: at least one point; they rise in
/// utilization. Clauses: SCORE-STRATEGY-3, SCORE-CAPACITY-1.
inline Quantity score_on(const std::vector<ShapePoint>& points, Quantity utilization,
                         const Release& release) {
  const Quantity scale = release.highest_score / 10;
  if (utilization <= points.front().utilization) return points.front().score * scale;
  std::size_t right = 1;
  while (right < points.size() && utilization > points[right].utilization) ++right;
  if (right == points.size()) return points.back().score * scale;
  const ShapePoint& from = points[right - 1];
  const ShapePoint& to = points[right];
  const Quantity rise = (to.score - from.score) * scale * (utilization - from.utilization);
  return from.score * scale + rise / (to.utilization - from.utilization);
}

}  // namespace touchstone::optimized
