#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "fuzz/behaviour.hpp"
#include "fuzz/scenario.hpp"
#include "fuzz/species.hpp"

/// How good a generator is: what its cases show, and how often.
namespace touchstone::fuzz {

struct Quality {
  std::size_t cases = 0;
  std::size_t answered = 0;  ///< not skipped
  std::size_t ran = 0;       ///< of those: preemption ran, since the pod fits nowhere
  std::size_t found = 0;     ///< of those: it found candidates
  std::array<std::size_t, k_family_names.size()> families{};
  std::array<std::size_t, k_classes> classes{};     ///< in how many cases each is shown
  std::map<std::string_view, std::size_t> clauses;  ///< likewise; absent: in none
  std::map<std::string, std::size_t> skipped;       ///< cases not answered, by the filter that is missing
  Species species;

  std::size_t shown(Class which) const { return classes[static_cast<std::size_t>(which)]; }
};

/// Measures the scenarios number 0 to cases - 1 of a seed, decided as the release of `scenarios`.
/// Ensures: deterministic. `progress` is called after every case.
Quality measure(
    const Scenarios& scenarios, std::uint64_t seed, std::size_t cases,
    const std::function<void()>& progress = [] {});

}  // namespace touchstone::fuzz
