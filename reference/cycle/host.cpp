#include "reference/cycle/host.hpp"

#include <algorithm>
#include <utility>

namespace touchstone::reference {

Nodes best_nodes(const Nodes& nodes, const std::vector<Quantity>& totals) {
  const Quantity highest = *std::max_element(totals.begin(), totals.end());
  Nodes best;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (totals[i] == highest) best.push_back(nodes[i]);
  }
  std::sort(best.begin(), best.end());
  return best;
}

NodeIndex heap_root(const Nodes& nodes, const std::vector<Quantity>& totals) {
  std::vector<std::pair<Quantity, NodeIndex>> heap;
  for (std::size_t i = 0; i < nodes.size(); ++i) heap.emplace_back(totals[i], nodes[i]);
  for (std::size_t first = heap.size() / 2; first-- > 0;) {
    std::size_t parent = first;
    while (2 * parent + 1 < heap.size()) {
      std::size_t child = 2 * parent + 1;
      if (child + 1 < heap.size() && heap.at(child + 1).first > heap.at(child).first) ++child;
      if (heap.at(child).first <= heap.at(parent).first) break;
      std::swap(heap.at(child), heap.at(parent));
      parent = child;
    }
  }
  return heap.front().second;
}

}  // namespace touchstone::reference
