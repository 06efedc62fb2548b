#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fuzz/generate/scenario.hpp"
#include "fuzz/campaign/participant.hpp"

/// Recording what running releases answer, as vectors (spec/schema/vector.schema.json).
namespace touchstone::fuzz {

/// One question to be asked of every side.
struct Asked {
  std::string name;
  Json question;
};

/// Questions from generated scenarios, few and small: those of the first `cases` that are chosen() by what is
/// shown_by() them (fuzz/behaviour/coverage_selection.hpp). `progress` is called once a case with how many are done.
std::vector<Asked> chosen_questions(const Scenarios& scenarios, const std::vector<Release>& releases,
                                    std::uint64_t seed, std::uint64_t cases, std::size_t each,
                                    const std::string& name,
                                    const std::function<void(std::uint64_t)>& progress,
                                    const std::atomic<bool>& stop);

/// The questions of a vector file, or of one with a single question. Errors: as read_vectors().
Result<std::vector<Asked>> read_asked(const std::filesystem::path& file);

/// Asks every side every question, and lays the answers out as a vector file: equal answers once, for ranges
/// of releases. A question that some side cannot answer is left out, and told to `left_out`. Requires: sides
/// are of different releases, the oldest first, and have begun. `date`: of the recording, such as 2026-11-21.
/// Errors: stopped.
Result<std::string> recorded(std::vector<std::unique_ptr<Participant>>& sides, const std::vector<Asked>& questions,
                             const std::string& date, const std::function<void(std::size_t)>& progress,
                             const std::function<void(const std::string&)>& left_out,
                             const std::atomic<bool>& stop);

}  // namespace touchstone::fuzz
