#pragma once

#include <limits>

#include "spec/vocabulary/quantity.hpp"

namespace touchstone::optimized::go {

/// Arithmetic of Go on amd64 where C++ has no defined result. Integers wrap around.
inline Quantity sum(Quantity a, Quantity b) {
  Quantity result;
  static_cast<void>(__builtin_add_overflow(a, b, &result));
  return result;
}
inline Quantity difference(Quantity a, Quantity b) {
  Quantity result;
  static_cast<void>(__builtin_sub_overflow(a, b, &result));
  return result;
}
inline Quantity product(Quantity a, Quantity b) {
  Quantity result;
  static_cast<void>(__builtin_mul_overflow(a, b, &result));
  return result;
}

/// A float as an integer, truncated toward zero. NaN and values outside 64 bits give the smallest integer.
inline Quantity integer(double value) {
  constexpr double k_limit = 9223372036854775808.0;  // 2^63
  const bool is_inside = value >= -k_limit && value < k_limit;
  return is_inside ? static_cast<Quantity>(value) : std::numeric_limits<Quantity>::min();
}

}  // namespace touchstone::optimized::go
