#pragma once

#include <cstddef>

/// Seeded faults in the proof build. The include path of that build has this header before the one of
/// faults/. The other header also counts how often a fault changed a value; here such a count would decide
/// symbolic values.
namespace touchstone::faults {

/// The number of the fault that is on; 0: none.
inline thread_local constinit std::size_t fault_on = 0;

template <typename Right, typename Wrong>
auto seeded(std::size_t fault, const Right& right, const Wrong& wrong) {
  using Value = decltype(right());
  return fault_on == fault ? static_cast<Value>(wrong()) : right();
}

}  // namespace touchstone::faults
