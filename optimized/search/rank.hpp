#pragma once

#include <limits>

#include "spec/vocabulary/quantity.hpp"

namespace touchstone::optimized {

/// PRE-NODE-3: makes every priority count as 0 or more in a sum.
inline constexpr Quantity k_priority_offset = 2147483648;

/// How a candidate stands in the criteria of PRE-NODE-1 to PRE-NODE-5, written so that the lesser one wins.
struct Rank {
  Quantity pdb_violations = 0;
  Quantity first_priority = 0;
  Quantity priority_sum = 0;
  Quantity victims = 0;
  Quantity has_started = 0;  ///< whether some victim of the highest priority has; 0 where it decides nothing
  Quantity earliest_start = 0;  ///< of those: its complement, so that the later is the lesser

  auto operator<=>(const Rank&) const = default;
  bool operator==(const Rank&) const = default;
};

}  // namespace touchstone::optimized
