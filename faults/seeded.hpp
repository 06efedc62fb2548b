#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

/// Seeded faults: expressions of the reference that a copy of it evaluates wrongly when told so. The copy is
/// made when the project is built (faulty/generate.py), with every expression that some table (*.toml) names
/// put in the form seeded(NUMBER, [&] { return RIGHT; }, [&] { return WRONG; }).
namespace touchstone::fuzz {

/// Which fault of the copy is on, and what became of it. Each thread has its own.
struct FaultSwitch {
  std::size_t on = 0;           ///< a fault's number; 0: none, and the copy is the reference
  std::uint64_t reached = 0;    ///< how often its expression was evaluated
  std::uint64_t triggered = 0;  ///< how often that gave another value than the right one
};

inline thread_local constinit FaultSwitch fault_switch = {};

/// The value of an expression that may be faulty: the right one unless this very fault is on.
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

}  // namespace touchstone::fuzz
