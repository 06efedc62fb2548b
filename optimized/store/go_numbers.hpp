#pragma once

#include <concepts>
#include <cstdint>
#include <limits>

#include "spec/vocabulary/quantity.hpp"

namespace touchstone::optimized::go {

/// Arithmetic of Go on amd64 where C++ has no defined result. Integers wrap around.
template <std::integral Number>
Number wrapped_sum(Number a, Number b) {
  Number result{};
  static_cast<void>(__builtin_add_overflow(a, b, &result));
  return result;
}
template <std::integral Number>
Number wrapped_product(Number a, Number b) {
  Number result{};
  static_cast<void>(__builtin_mul_overflow(a, b, &result));
  return result;
}
/// The symbolic numbers of a proof build have no limits.
template <typename Number>
Number wrapped_sum(Number a, Number b) {
  return a + b;
}
template <typename Number>
Number wrapped_product(Number a, Number b) {
  return a * b;
}
inline Quantity sum(Quantity a, Quantity b) { return wrapped_sum(a, b); }
inline Quantity product(Quantity a, Quantity b) { return wrapped_product(a, b); }
inline Quantity difference(Quantity a, Quantity b) {
  return wrapped_sum(a, wrapped_product(b, Quantity(-1)));
}

/// A float as an integer, truncated toward zero. NaN and values outside 64 bits give the smallest integer.
inline Quantity integer(double value) {
  constexpr double k_limit = 9223372036854775808.0;  // 2^63
  const bool is_inside = value >= -k_limit && value < k_limit;
  return is_inside ? static_cast<std::int64_t>(value) : std::numeric_limits<std::int64_t>::min();
}

}  // namespace touchstone::optimized::go
