#pragma once

#include <cstddef>
#include <random>
#include <string>
#include <string_view>

namespace touchstone::fuzz {

/// The text with one to four mutations: a deletion, a repetition, a truncation, or another byte that matters
/// to JSON, YAML, quantities or times. Ensures: the same text and number give the same result.
inline std::string mutated(std::string text, std::size_t number) {
  constexpr std::string_view k_bytes = "\"'\\{}[]:,-&*!|>%@?#<~ \n\t0123456789.eE+TZxtfnacskKmGi\x01\x80\xff";
  std::mt19937_64 random(number);
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
        text[at] = k_bytes[random() % k_bytes.size()];
    }
  }
  return text;
}

}  // namespace touchstone::fuzz
