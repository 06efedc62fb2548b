#include <cstdint>
#include <iostream>
#include <map>
#include <string>

#include "tests/kubernetes/text/quantity_row.hpp"

/// Compares parse_quantity with the output of upstream/quantity, which it reads from standard input. The last
/// line is "N strings, D differences". Exit code: 0 if there was a string and no difference, else 1. See
/// upstream/quantity/compare.
int main() {
  constexpr std::int64_t k_shown_max = 20;
  std::ios::sync_with_stdio(false);
  std::map<std::string, std::int64_t> kinds;
  std::int64_t strings = 0;
  std::int64_t differences = 0;
  for (std::string line; std::getline(std::cin, line); ++strings) {
    const auto row = touchstone::kubernetes::read_quantity_row(line);
    const bool counted = row.whole.find_first_not_of("0123456789") == std::string::npos;
    ++kinds[counted ? "counted" : row.whole];
    const std::string found = difference(row);
    if (!found.empty() && ++differences <= k_shown_max) std::cout << found << '\n';
  }
  for (const auto& [kind, count] : kinds) std::cout << count << ' ' << kind << '\n';
  std::cout << strings << " strings, " << differences << " differences\n";
  return strings > 0 && differences == 0 ? 0 : 1;
}
