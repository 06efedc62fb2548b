#pragma once

#include <cstdint>
#include <vector>

#include "fuzz/shrink/places.hpp"
#include "spec/vocabulary/quantity.hpp"

/// The numbers of a document, in any notation.
namespace touchstone::fuzz {

/// The notation of a number.
enum class Writing { integer, digits, cpu, quantity, time };

/// A number of a document.
struct Amount {
  Path path;
  Writing writing;
  std::string group;  ///< what is counted; numbers of one group are compared and added
  Quantity value;     ///< cpu in millicores, time in nanoseconds since 1970

  /// The units in a whole one: millicores in a core, nanoseconds in a second.
  Quantity whole() const;
};

/// Finds integers, texts of digits (labels may be compared as numbers), resource quantities, and times. An
/// integer beyond int64 counts as the largest one.
std::vector<Amount> amounts_of(const Json& document);

/// Writes a value in the notation of an amount, as plainly as possible: "2", "1500m", "3Gi",
/// "1970-01-01T00:00:01Z".
Json written(const Amount& amount, Quantity value);

/// The absolute value, in whole units if it is whole. This measures how long a number is to read: one core
/// counts as much as one millicore, and 1500m counts more than either.
std::uint64_t magnitude_of(const Amount& amount);

}  // namespace touchstone::fuzz
