#pragma once

#include <cstdint>
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

}  // namespace touchstone::fuzz
