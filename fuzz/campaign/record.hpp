#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fuzz/campaign/participant.hpp"
#include "fuzz/campaign/questions.hpp"
#include "fuzz/generate/scenario.hpp"

/// Records the answers of running releases as vectors (spec/schema/vector.schema.json).
namespace touchstone::fuzz {

/// A named question that every side is to answer.
struct NamedQuestion {
  std::string name;
  Json question;
};

/// Chooses a few small questions from the first `cases` generated scenarios. chosen() selects them by what
/// shown_by() reports (fuzz/behaviour/coverage_selection.hpp). `progress` is called once for each case with
/// the number of cases already done.
std::vector<NamedQuestion> chosen_questions(const QuestionPlan& plan, const Scenarios& scenarios,
                                            const std::vector<Release>& releases, std::uint64_t seed,
                                            std::uint64_t cases, std::size_t each, const std::string& name,
                                            const std::function<void(std::uint64_t)>& progress,
                                            const std::atomic<bool>& stop);

/// Reads the questions of a vector file, or of all vector files below a directory, that have a command.
/// Errors: those of read_vectors().
Result<std::vector<NamedQuestion>> read_asked(const std::filesystem::path& file, oracle::Command command);

/// Runs every question on every side, and returns the text of a vector file. Equal answers are written once,
/// for ranges of releases. If some side fails on a question or gives a malformed answer, the question is
/// left out, and `left_out` gets its name. Requires: the sides have begun and are of different releases, the
/// oldest first. `date`: the day of the recording, such as 2026-11-21. Errors: stopped.
Result<std::string> recorded(std::vector<std::unique_ptr<Participant>>& sides,
                             const std::vector<NamedQuestion>& questions, const std::string& date,
                             const std::function<void(std::size_t)>& progress,
                             const std::function<void(const std::string&)>& left_out,
                             const std::atomic<bool>& stop);

}  // namespace touchstone::fuzz
