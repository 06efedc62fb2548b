#pragma once

#include <string>

namespace touchstone::tests {

/// A UID in the usual form of 36 characters. Each number below 10^12 gives another one.
inline std::string usual_uid(std::size_t number) {
  std::string digits = std::to_string(number);
  digits.insert(0, 12 - digits.size(), '0');
  return "3f2b8c1e-5d4a-4c6b-9a7f-" + digits;
}

}  // namespace touchstone::tests
