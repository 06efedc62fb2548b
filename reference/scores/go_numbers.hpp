#pragma once

#include <concepts>
#include <cstdint>
#include <limits>

#include "spec/vocabulary/quantity.hpp"

/// Arithmetic as Go does it on amd64. Where C++ leaves a result undefined, these functions give Go's result.
namespace touchstone::reference {

namespace go {

template <std::integral Number>
Number sum(Number a, Number b) {
  Number wrapped{};
  static_cast<void>(__builtin_add_overflow(a, b, &wrapped));
  return wrapped;
}

template <std::integral Number>
Number difference(Number a, Number b) {
  Number wrapped{};
  static_cast<void>(__builtin_sub_overflow(a, b, &wrapped));
  return wrapped;
}

template <std::integral Number>
Number product(Number a, Number b) {
  Number wrapped{};
  static_cast<void>(__builtin_mul_overflow(a, b, &wrapped));
  return wrapped;
}

// The symbolic numbers of a proof build have no limits.

template <typename Number>
Number sum(Number a, Number b) {
  return a + b;
}

template <typename Number>
Number difference(Number a, Number b) {
  return a - b;
}

template <typename Number>
Number product(Number a, Number b) {
  return a * b;
}

}  // namespace go

/// a + b. Beyond 64 bits it wraps around.
inline Quantity go_sum(Quantity a, Quantity b) { return go::sum(a, b); }

/// a - b. Beyond 64 bits it wraps around.
inline Quantity go_difference(Quantity a, Quantity b) { return go::difference(a, b); }

/// a * b. Beyond 64 bits it wraps around.
inline Quantity go_product(Quantity a, Quantity b) { return go::product(a, b); }

/// The number as a double, rounded to the nearest one.
inline double go_float(Quantity value) { return static_cast<double>(static_cast<std::int64_t>(value)); }

/// The double as an integer, truncated toward zero. NaN and numbers outside 64 bits give the smallest
/// integer.
inline Quantity go_integer(double value) {
  constexpr double k_limit = 9223372036854775808.0;  // 2^63
  if (value >= -k_limit && value < k_limit) return static_cast<std::int64_t>(value);
  return std::numeric_limits<std::int64_t>::min();
}

}  // namespace touchstone::reference
