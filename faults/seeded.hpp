#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

/// Seeded faults: expressions of the reference that a copy of the reference can evaluate wrongly. The build
/// makes the copy (faulty/generate.py). It replaces every expression that a table (*.toml) names by
/// seeded(NUMBER, [&] { return RIGHT; }, [&] { return WRONG; }).
namespace touchstone::faults {

/// The fault of the copy that is on, and its counts. Each thread has its own switch.
struct FaultSwitch {
  std::size_t on = 0;           ///< number of a fault; 0: none, so the copy is the reference
  std::uint64_t reached = 0;    ///< evaluations of the fault's expression
  std::uint64_t triggered = 0;  ///< evaluations that gave another value than the right one
};

inline thread_local constinit FaultSwitch fault_switch = {};

/// Evaluates an expression that may be faulty. Returns the right value unless this fault is on.
template <typename Right, typename Wrong>
auto seeded(std::size_t fault, const Right& right, const Wrong& wrong) {
  using Value = decltype(right());
  if (fault_switch.on != fault) return right();
  const Value is = right();
  Value said = static_cast<Value>(wrong());
  ++fault_switch.reached;
  if (!(is == said)) ++fault_switch.triggered;
  return said;
}

}  // namespace touchstone::faults
