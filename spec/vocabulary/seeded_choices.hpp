#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string_view>

#include "spec/vocabulary/choices.hpp"

namespace touchstone {

/// Picks a random alternative; each is equally likely. The same seed gives the same picks.
class SeededChoices final : public Choices {
 public:
  explicit SeededChoices(std::uint64_t seed) : random_(seed) {}
  std::size_t pick(std::size_t n, std::string_view) override {
    // Not uniform_int_distribution: its result differs between standard libraries. The bias is below
    // n / 2^64.
    return static_cast<std::size_t>(random_() % n);
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace touchstone
