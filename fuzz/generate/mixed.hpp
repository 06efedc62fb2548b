#pragma once

#include <cstdint>

namespace touchstone::fuzz {

/// splitmix64 (Steele, Lea, Flood 2014): neighbouring numbers give unrelated seeds.
inline std::uint64_t mixed(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

}  // namespace touchstone::fuzz
