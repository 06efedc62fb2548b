#pragma once

#include <cstddef>
#include <functional>

#include "fuzz/generate/scenario.hpp"

/// Exhaustive enumeration of all small scenarios; not a sample.
namespace touchstone::fuzz {

/// Limits of the enumeration. A choice "once in n" has two alternatives, no and yes; if n is above `rarest`,
/// it is always no. Of every other choice, at most `most_alternatives` are tried, evenly spread.
struct Bounds {
  std::size_t most_alternatives;
  std::size_t rarest;
};

/// The number of scenarios that were enumerated, and whether they were all.
struct Explored {
  std::size_t scenarios = 0;
  bool all = false;
};
/// Calls `is_enough` with every scenario within the bounds, until it returns true or `limit` scenarios were
/// enumerated.
Explored every_scenario(const Scenarios& scenarios, Bounds bounds, std::size_t limit,
                        const std::function<bool(const Question&)>& is_enough);

}  // namespace touchstone::fuzz
