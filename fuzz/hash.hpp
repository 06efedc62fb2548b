#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace touchstone::fuzz {

/// A 64-bit FNV-1a hash, the same on every machine. It is a name, not a protection.
class Fnv1a {
 public:
  void add(unsigned char byte) { value_ = (value_ ^ byte) * 1099511628211ULL; }
  void add(std::string_view text) {
    for (const char c : text) add(static_cast<unsigned char>(c));
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 14695981039346656037ULL;
};

inline std::uint64_t fnv1a(std::string_view text) {
  Fnv1a hash;
  hash.add(text);
  return hash.value();
}

/// A hash in 16 hexadecimal digits.
inline std::string hex_of(std::uint64_t hash) {
  std::array<char, 17> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(hash));
  return digits.data();
}

/// The name of a text: its hash in 16 hexadecimal digits.
inline std::string hash_of(std::string_view text) { return hex_of(fnv1a(text)); }

}  // namespace touchstone::fuzz
