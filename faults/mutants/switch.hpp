#pragma once

#include <cstdint>

/// The mutant that runs. mutate.py writes `is_on(7)` before each of its changes. Other code does not use it.
namespace touchstone::mutants {

/// No mutant has this number.
inline constexpr int k_none = 0;

/// The number of the mutant that runs. A test program takes it from the environment, TOUCHSTONE_MUTANT.
extern int current;

/// One byte for each mutant, set when its place is reached. Null: places are not recorded.
extern std::uint8_t* reached;

inline bool is_on(int number) {
  if (reached != nullptr) reached[number] = 1;
  return number == current;
}

}  // namespace touchstone::mutants
