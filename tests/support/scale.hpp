#pragma once

#include <cstdint>
#include <cstdlib>

namespace touchstone::tests {

/// The number of cases of a test that could run any number: `count`, multiplied by TOUCHSTONE_SCALE if it is
/// set. The test setup "thorough" sets it.
inline std::uint64_t scaled(std::uint64_t count) {
  const char* scale = std::getenv("TOUCHSTONE_SCALE");
  return scale == nullptr ? count : count * std::strtoull(scale, nullptr, 10);
}

}  // namespace touchstone::tests
