#pragma once

#include <cstddef>

#include "optimized/store/snapshot.hpp"
#include "optimized/search/workers.hpp"
#include "spec/vocabulary/quantity.hpp"

namespace touchstone::oracle {

/// The columns that the first pass may read: of each node the allocatable cpu, memory and
/// pods, its flags and its taints, and the cpu and memory in use; and of each level of priority on it the
/// priority, where its pods begin, and the cpu and memory of the levels above.
std::size_t floor_bytes(const optimized::Snapshot& snapshot);

/// Reads these bytes once, each column from its begin to its end, and nothing else. Returns their sum, so
/// that no compiler leaves it out.
Quantity read_floor(const optimized::Snapshot& snapshot, optimized::Workers& workers);

}  // namespace touchstone::oracle
