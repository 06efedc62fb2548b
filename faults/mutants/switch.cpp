#include "faults/mutants/switch.hpp"

#include <array>
#include <cstdlib>
#include <fstream>

namespace touchstone::mutants {

namespace {

/// Environment variable: the file to which a test program writes which mutants it reached.
constexpr const char* k_reached_file = "TOUCHSTONE_REACHED";
constexpr const char* k_mutant = "TOUCHSTONE_MUTANT";

/// Larger than the number of mutants.
std::array<std::uint8_t, 1 << 16> all;

int wanted() {
  const char* number = std::getenv(k_mutant);
  return number == nullptr ? k_none : std::atoi(number);
}

/// Writes one byte for each mutant when the program ends.
struct Report {
  ~Report() {
    if (const char* file = std::getenv(k_reached_file))
      std::ofstream(file, std::ios::binary).write(reinterpret_cast<const char*>(all.data()), all.size());
  }
} report;

}  // namespace

int current = wanted();
std::uint8_t* reached = std::getenv(k_reached_file) == nullptr ? nullptr : all.data();

}  // namespace touchstone::mutants
