#include "reference/scores/shape.hpp"

namespace touchstone::reference {

Quantity score_on_shape(const std::vector<ShapePoint>& shape, Quantity utilization, const Release& release) {
  constexpr Quantity k_highest_score_of_shape = 10;
  const Quantity scale = release.highest_score / k_highest_score_of_shape;
  if (utilization <= shape.front().utilization) return shape.front().score * scale;
  for (std::size_t i = 1; i < shape.size(); ++i) {
    if (utilization > shape[i].utilization) continue;
    const ShapePoint& left = shape[i - 1];
    const ShapePoint& right = shape[i];
    const Quantity rise = (right.score - left.score) * scale;
    return left.score * scale +
           rise * (utilization - left.utilization) / (right.utilization - left.utilization);
  }
  return shape.back().score * scale;
}

}  // namespace touchstone::reference
