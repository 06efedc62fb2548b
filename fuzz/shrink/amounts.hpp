#pragma once

#include <cstdint>
#include <vector>

#include "fuzz/shrink/places.hpp"
#include "spec/vocabulary/quantity.hpp"

/// The numbers of a document, whatever they are written as.
namespace touchstone::fuzz {

/// How a number is written.
enum class Writing { integer, digits, cpu, quantity, time };

struct Amount {
  Path path;
  Writing writing;
  std::string group;  ///< what it is an amount of: those of one group are compared and added
  Quantity value;     ///< cpu in milli, time in nanoseconds since 1970

  /// How many make a whole one: a core, a second.
  Quantity whole() const;
};

/// Integers; texts of digits (labels may be compared as numbers); resource quantities; times.
/// An integer beyond int64 counts as the largest one.
std::vector<Amount> amounts_of(const Json& document);

/// An amount of this kind in its plainest writing: "2", "1500m", "3Gi", "1970-01-01T00:00:01Z".
Json written(const Amount& amount, Quantity value);

/// Without its sign, in whole ones where it is whole: one core is as much as one milli, as it is no longer to
/// read, and 1500m is more than either.
std::uint64_t magnitude_of(const Amount& amount);

}  // namespace touchstone::fuzz
