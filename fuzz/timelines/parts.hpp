#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fuzz/timelines/compared.hpp"
#include "spec/vocabulary/choices.hpp"

/// Generated timelines of the controllers beside the scheduler, and their comparison.
namespace touchstone::fuzz {

/// Generates timeline `number` of a seed, as lines of the protocol, `init` first. Requires: `part` is
/// "disruption" or "leaderElection". Ensures: no line is an error in the model.
std::vector<Json> numbered_part_timeline(const std::string& part, const Release& release, std::uint64_t seed,
                                         std::uint64_t number);

/// The same, from any choices.
std::vector<Json> disruption_timeline(Choices& choices, const Release& release);
std::vector<Json> election_timeline(Choices& choices, const Release& release);

/// The part that the lines are about; empty: the scheduler itself.
std::string part_of_lines(const std::vector<Json>& lines);

/// The answers of the model to all lines.
std::vector<Json> part_answers(const std::vector<Json>& lines);

/// Compares answers with those of the model. No value: no answer differs.
std::optional<StepDifference> part_difference(const std::vector<Json>& lines, const TimelineAnswers& answers);

/// Drops lines, and objects of `init`, while `still_shows` holds.
std::vector<Json> shrink_part(std::vector<Json> lines,
                              const std::function<bool(const std::vector<Json>&)>& still_shows);

}  // namespace touchstone::fuzz
