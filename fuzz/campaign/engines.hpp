#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "fuzz/generate/changing.hpp"
#include "fuzz/generate/scenario.hpp"
#include "fuzz/campaign/tally.hpp"
#include "optimized/search/decide.hpp"

/// Cases asked of both engines in this process: nothing is put into words, so that there are many of them.
namespace touchstone::fuzz {

/// Whether each node of the last tie has the victims that the reference finds there. `numbered`: what the
/// snapshot says. Requires: the answers agree. Complexity: a dry run for each node of the tie.
bool agree_on_ties(const Changing& asked, const optimized::Answer& numbered, const Decision& decision);

/// What answers beside the reference, on the snapshot of the question's cluster.
using FastEngine = std::function<optimized::Answer(const optimized::Snapshot&, const Question&)>;

/// So many cases come of one scenario: it as it is drawn, and changed step by step.
inline constexpr std::uint64_t k_cases_of_a_scenario = 8;

/// Of one in so many blocks the first case is looked at for what it shows.
inline constexpr std::uint64_t k_blocks_a_behaviour = 16;

/// A case at which the engines differ.
struct EnginesDiffer {
  Question question;
  std::uint64_t number;  ///< of the case
};

/// What a block of cases came to.
struct EnginesBlock {
  Tally tally;  ///< of all of them; what differs is counted, and not followed up
  std::vector<EnginesDiffer> differ;
};

/// Asks both engines the cases of a block, for the release of the scenarios: of each k_cases_of_a_scenario
/// the first is numbered_scenario() of its number. Every so many blocks it also finds out what the first case
/// shows, which takes longer than deciding it.
EnginesBlock ask_engines(const Scenarios& scenarios, std::uint64_t seed, std::uint64_t block,
                         const FastEngine& engine);

}  // namespace touchstone::fuzz
