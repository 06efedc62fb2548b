#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/placement.hpp"

/// Sizes at which a release or an engine takes another path. A generator whose cases stay on one side of a
/// threshold never runs the path on the other side.
namespace touchstone::fuzz {

struct Threshold {
  std::string_view size;    ///< what is counted: "PDBs"
  std::size_t limit;        ///< the largest size before something changes
  std::string_view change;  ///< what is different with larger sizes
  std::string_view tests;   ///< unit tests with larger sizes, if no scenario has them; else empty
  std::size_t (*measure)(const Question&, const Placement&);
};

inline constexpr std::size_t k_threshold_count = 11;
extern const std::array<Threshold, k_threshold_count> k_thresholds;

/// How many cases have a size below a limit, at it, and beyond it.
struct Sides {
  std::size_t below = 0;
  std::size_t at = 0;
  std::size_t beyond = 0;
};

/// Adds a decided case to the counts. `sides` is in the order of k_thresholds.
void count_sides(const Question& question, const Placement& placement,
                 std::array<Sides, k_threshold_count>& sides);

}  // namespace touchstone::fuzz
