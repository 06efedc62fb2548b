#pragma once

#include <cstdint>
#include <span>

#include "optimized/search/query.hpp"
#include "optimized/store/place_table.hpp"

namespace touchstone::optimized {

/// Some places of one word, as its bits.
struct PlacesOfWord {
  std::size_t word = 0;
  std::uint64_t places = 0;
};

/// On which of some places the preemptor fits, with their pods unchanged. Requires: `table` is up to date
/// with `order`, which has the places. Clauses: PRE-FILTER-1.
std::uint64_t fitting(const Query& query, const PlaceTable& table, std::span<const NodeIndex> order,
                      PlacesOfWord asked);

}  // namespace touchstone::optimized
