#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "optimized/scores/scorer.hpp"

namespace touchstone::optimized {

/// The nodes with the highest total, ascending. Clauses: CYC-HOST-1 to CYC-HOST-3.
std::vector<NodeIndex> best_nodes(Nodes feasible, const std::vector<Quantity>& totals);

/// The rank of position `place` in a depth-first walk of a binary heap, from the left, a parent before its
/// children. Only the order of ranks has a meaning. Requires: place is below 2^32.
///
/// Lemma (root): after the heap is built as in CYC-HOST-4, its root is the element with the highest total
/// that comes first in this walk. Proof by induction from the leaves: when a position is handled, the roots
/// below it are those of its two parts. Its own element stays unless a child is strictly greater, and then
/// the greater child moves up, the left one if both are equal.
constexpr std::uint64_t heap_rank(std::uint64_t place) {
  // The path from the root: the bits of place + 1 after the first, 0 is left. It is written from the top of
  // 58 bits. Its length follows, so that a parent comes before its first child.
  const std::uint64_t number = place + 1;
  const auto length = static_cast<std::uint64_t>(std::bit_width(number)) - 1;
  const std::uint64_t path = (number ^ (std::uint64_t{1} << length)) << (58 - length);
  return path << 6 | length;
}

/// The root of a heap over the totals. Requires: at least one node. Clauses: CYC-HOST-4.
NodeIndex heap_root(Nodes feasible, const std::vector<Quantity>& totals);

}  // namespace touchstone::optimized
