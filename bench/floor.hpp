#pragma once

#include <cstddef>

#include "optimized/search/workers.hpp"
#include "optimized/store/snapshot.hpp"
#include "spec/vocabulary/quantity.hpp"

namespace touchstone::bench {

/// The size in bytes of the columns that the first pass may read. For each node these are the allocatable
/// cpu, memory and pods, the flags, the taints, and the cpu and memory in use. For each priority level on a
/// node these are the priority, the index of its first pod, and the cpu and memory of the levels above.
std::size_t floor_bytes(const optimized::Snapshot& snapshot);

/// Reads the columns of floor_bytes() once, each from its begin to its end, and nothing else. The time that
/// this takes is the floor of a measurement. Returns the sum of all values, so that the compiler cannot
/// remove the reads.
Quantity read_floor(const optimized::Snapshot& snapshot, optimized::Workers& workers);

}  // namespace touchstone::bench
