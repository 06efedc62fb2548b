#pragma once

#include <cstddef>

/// The seeded faults of the proof build: its include path has this header before that of faults, which
/// also counts what a fault did; a count of what is not decided would decide it.
namespace touchstone::fuzz {

/// The number of the fault that is on; 0: none.
inline thread_local constinit std::size_t fault_on = 0;

template <typename Right, typename Wrong>
auto seeded(std::size_t fault, const Right& right, const Wrong& wrong) {
  using Value = decltype(right());
  return fault_on == fault ? static_cast<Value>(wrong()) : right();
}

}  // namespace touchstone::fuzz
