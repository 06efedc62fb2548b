#pragma once

#include "proofs/theorems/said.hpp"

/// What the theorems about scores share. The highest score is a number of the release, 10 or 100. Where a
/// theorem states a score exactly, it is 10: Z3 knows quotients by any number exactly up to 10. The code does
/// not depend on which of the two it is.
namespace touchstone::proofs::TOUCHSTONE_BUILD {

inline constexpr std::int64_t k_exact = 10;

inline Release with_highest(std::int64_t highest, std::string_view name = k_newest) {
  Release release = release_of(name);
  release.highest_score = highest;
  return release;
}

/// Whether `quotient` is dividend / divisor, rounded down. Requires: a quotient of at most 10, and a positive
/// divisor.
inline Truth is_quotient(Quantity quotient, Quantity dividend, Quantity divisor) {
  Truth is = false;
  for (int k = 0; k <= k_exact; ++k) {
    const Truth is_k = both(divisor * Quantity(k) <= dividend, dividend < divisor * Quantity(k + 1));
    is = either(is, both(quotient == Quantity(k), is_k));
  }
  return is;
}

inline Truth in_range(Quantity score, std::int64_t highest) {
  return both(score >= Quantity(0), score <= Quantity(highest));
}

}  // namespace touchstone::proofs::TOUCHSTONE_BUILD
