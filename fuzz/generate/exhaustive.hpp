#pragma once

#include <cstddef>
#include <functional>

#include "fuzz/generate/scenario.hpp"

/// Every scenario that is small enough, one after the other: not a sample.
namespace touchstone::fuzz {

/// What to go through: alternatives that are taken seldom only count as one, so that two are left of
/// "once in n"; of other choices at most so many, evenly spread, are tried; the rarest are never taken.
struct Bounds {
  std::size_t most_alternatives;
  std::size_t rarest;
};

/// Calls `look` with every scenario within the bounds, until it says that it has seen enough, and with
/// `limit` of them at most. Returns how many there were, and whether they were all.
struct Explored {
  std::size_t scenarios = 0;
  bool all = false;
};
Explored every_scenario(const Scenarios& scenarios, Bounds bounds, std::size_t limit,
                        const std::function<bool(const Question&)>& is_enough);

}  // namespace touchstone::fuzz
