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
  std::size_t limit;        ///< the largest size on this side
  std::string_view beyond;  ///< what happens on the other side
  std::string_view tested;  ///< what has larger sizes, if no scenario has them; else empty
  std::size_t (*measure)(const Question&, const Placement&);
};

inline constexpr std::size_t k_threshold_count = 11;
extern const std::array<Threshold, k_threshold_count> k_thresholds;

/// How many cases stand where.
struct Sides {
  std::size_t below = 0;  ///< the limit
  std::size_t at = 0;
  std::size_t beyond = 0;
};

/// Counts a decided case.
void count_sides(const Question& question, const Placement& placement,
                 std::array<Sides, k_threshold_count>& sides);

}  // namespace touchstone::fuzz
