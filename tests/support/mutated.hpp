#pragma once

#include <cstddef>
#include <random>
#include <string>
#include <string_view>

namespace touchstone::tests {

/// A text with one to four cuts, repetitions, ends or other bytes, of those that matter to its grammar.
inline std::string mutated(std::string text, std::string_view bytes, std::mt19937_64& random) {
  for (std::size_t n = random() % 4 + 1; n > 0 && !text.empty(); --n) {
    const std::size_t at = random() % text.size();
    const std::size_t size = random() % 40;
    switch (random() % 5) {
      case 0:
        text.erase(at, size);
        break;
      case 1:
        text.insert(random() % text.size(), text.substr(at, size));
        break;
      case 2:
        text.resize(at);
        break;
      default:
        text[at] = bytes[random() % bytes.size()];
    }
  }
  return text;
}

/// Bytes that matter to JSON, and to quantities and times in it.
inline constexpr std::string_view k_json_bytes = "\"\\{}[]:,0123456789.eE+-tfn kKmGi\x01\x80\xff";

}  // namespace touchstone::tests
