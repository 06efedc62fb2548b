#include "optimized/search/host.hpp"

#include <algorithm>

namespace touchstone::optimized {

std::vector<NodeIndex> best_nodes(Nodes feasible, const std::vector<Quantity>& totals) {
  const Quantity highest = *std::max_element(totals.begin(), totals.end());
  std::vector<NodeIndex> best;
  for (std::size_t i = 0; i < feasible.size(); ++i) {
    if (totals[i] == highest) best.push_back(feasible[i]);
  }
  std::sort(best.begin(), best.end());
  return best;
}

NodeIndex heap_root(Nodes feasible, const std::vector<Quantity>& totals) {
  std::size_t root = 0;
  for (std::size_t i = 1; i < feasible.size(); ++i) {
    const bool is_earlier = totals[i] == totals[root] && heap_rank(i) < heap_rank(root);
    if (totals[i] > totals[root] || is_earlier) root = i;
  }
  return feasible[root];
}

}  // namespace touchstone::optimized
