#pragma once

#include <cstdint>

/// Which mutant runs. mutate.py writes `is_on(7)` before each of its changes; nothing else uses it.
namespace touchstone::mutants {

/// No mutant has this number.
inline constexpr int k_none = 0;

/// The mutant that runs. A test program takes it from the environment, TOUCHSTONE_MUTANT.
extern int current;

/// One byte a mutant, set when its place is reached; null: nobody wants to know.
extern std::uint8_t* reached;

inline bool is_on(int number) {
  if (reached != nullptr) reached[number] = 1;
  return number == current;
}

}  // namespace touchstone::mutants
