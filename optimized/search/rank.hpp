#pragma once

#include <limits>

#include "spec/vocabulary/quantity.hpp"

namespace touchstone::optimized {

/// PRE-NODE-3: added to every priority, so that each counts as 0 or more in a sum.
inline constexpr Quantity k_priority_offset = 2147483648;

/// The rank of a candidate by the criteria of PRE-NODE-1 to PRE-NODE-5. The candidate with the lesser rank
/// wins.
struct Rank {
  Quantity pdb_violations = 0;
  Quantity first_priority = 0;
  Quantity priority_sum = 0;
  Quantity victims = 0;
  Quantity has_started = 0;  ///< 1: a victim of the highest priority has; 0: none has, or it does not matter
  Quantity earliest_start = 0;  ///< the complement of their earliest start, so that later is lesser

  auto operator<=>(const Rank&) const = default;
  bool operator==(const Rank&) const = default;
};

}  // namespace touchstone::optimized
