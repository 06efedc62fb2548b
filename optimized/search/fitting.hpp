#pragma once

#include <cstdint>
#include <span>

#include "optimized/search/query.hpp"

namespace touchstone::optimized {

/// Which of these nodes the preemptor fits on with their pods unchanged: bit i stands for nodes[i]. Requires:
/// at most 64 nodes; they are in the cluster. Clauses: PRE-FILTER-1.
std::uint64_t fitting(const Query& query, std::span<const NodeIndex> nodes);

}  // namespace touchstone::optimized
