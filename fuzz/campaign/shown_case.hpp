#pragma once

#include <cstdint>

#include "fuzz/campaign/questions.hpp"
#include "spec/releases/release.hpp"
#include "spec/vocabulary/decision.hpp"

namespace touchstone::fuzz {

/// The reference's decision on a case, and the behaviour that it shows.
struct ShownCase {
  Decision decision;  ///< of `schedule`: as Placement::decision
  std::uint64_t signature = 0;
};

/// Decides a case and classifies it. `release` has the configuration of the question.
ShownCase shown_case(const SentQuestion& sent, const Release& release);

}  // namespace touchstone::fuzz
