#pragma once

#include <cstdint>
#include <cstdlib>

namespace touchstone::tests {

/// How many cases a test goes through that could go through any number: the count given, or so many times it as
/// TOUCHSTONE_SCALE says (the test setup "thorough" does).
inline std::uint64_t scaled(std::uint64_t count) {
  const char* scale = std::getenv("TOUCHSTONE_SCALE");
  return scale == nullptr ? count : count * std::strtoull(scale, nullptr, 10);
}

}  // namespace touchstone::tests
