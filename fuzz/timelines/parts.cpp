#include "fuzz/timelines/parts.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "fuzz/generate/scenario.hpp"
#include "oracle/protocol/parts.hpp"
#include "oracle/protocol/timeline_vectors.hpp"
#include "spec/vocabulary/seeded_choices.hpp"

namespace touchstone::fuzz {

namespace {

/// The first part of two answers that differs, named by its keys.
std::optional<StepDifference> first_part(const nlohmann::json& ours, const nlohmann::json& given,
                                         const std::string& key) {
  if (ours == given) return std::nullopt;
  if (ours.is_object() && given.is_object()) {
    for (const nlohmann::json& one : {ours, given}) {
      for (const auto& [name, value] : one.items()) {
        const nlohmann::json mine = ours.value(name, nlohmann::json());
        const nlohmann::json other = given.value(name, nlohmann::json());
        if (auto difference = first_part(mine, other, key.empty() ? name : key + "." + name))
          return difference;
      }
    }
  }
  return StepDifference{0, key, given.dump(), ours.dump(), {}};
}

using StillShowsLines = std::function<bool(const std::vector<Json>&)>;

/// Drops runs of lines after the first one, long ones first.
bool drop_lines(std::vector<Json>& lines, const StillShowsLines& still_shows) {
  bool any = false;
  for (std::size_t length = std::max<std::size_t>(lines.size() / 2, 1); length > 0; length /= 2) {
    for (std::size_t begin = 1; begin + length <= lines.size();) {
      std::vector<Json> smaller = lines;
      const auto first = smaller.begin() + static_cast<std::ptrdiff_t>(begin);
      smaller.erase(first, first + static_cast<std::ptrdiff_t>(length));
      if (still_shows(smaller)) {
        lines = std::move(smaller);
        any = true;
      } else {
        begin += length;
      }
    }
  }
  return any;
}

/// Drops objects of `init`.
bool drop_listed(std::vector<Json>& lines, const StillShowsLines& still_shows) {
  bool any = false;
  for (const char* key : {"pods", "pdbs", "workloads", "electors"}) {
    for (std::size_t i = 0; lines[0].contains(key) && i < lines[0][key].size();) {
      std::vector<Json> smaller = lines;
      smaller[0][key].erase(i);
      if (still_shows(smaller)) {
        lines = std::move(smaller);
        any = true;
      } else {
        ++i;
      }
    }
  }
  return any;
}

}  // namespace

std::vector<Json> numbered_part_timeline(const std::string& part, const Release& release, std::uint64_t seed,
                                         std::uint64_t number) {
  SeededChoices choices(mixed(mixed(seed) + number));
  if (part == "disruption") return disruption_timeline(choices, release);
  return election_timeline(choices, release);
}

std::string part_of_lines(const std::vector<Json>& lines) {
  return lines.empty() ? "" : lines.front().value("part", "");
}

std::vector<Json> part_answers(const std::vector<Json>& lines) {
  std::vector<Json> answers;
  const std::unique_ptr<oracle::Part> model = oracle::part_of(lines.front());
  for (const Json& line : lines) answers.push_back(oracle::answer_to(line, *model));
  return answers;
}

std::optional<StepDifference> part_difference(const std::vector<Json>& lines,
                                              const TimelineAnswers& answers) {
  const std::unique_ptr<oracle::Part> model = oracle::part_of(lines.front());
  for (std::size_t i = 0; i < answers.answers.size(); ++i) {
    nlohmann::json given = answers.answers[i];
    given.erase("seq");
    const nlohmann::json ours = oracle::answer_to(lines[i], *model);
    const bool both_refuse = ours.contains("error") && given.contains("error");
    std::optional<StepDifference> difference;
    if (!both_refuse) difference = first_part(ours, given, "");
    if (!difference) continue;
    difference->line = i;
    difference->clauses = model->clauses();
    return difference;
  }
  if (!answers.failure) return std::nullopt;
  return StepDifference{answers.answers.size(),
                        std::string(oracle::code_of(answers.failure->kind)),
                        answers.failure->detail,
                        "",
                        {}};
}

std::vector<Json> shrink_part(std::vector<Json> lines, const StillShowsLines& still_shows) {
  for (bool any = true; any;) {
    any = drop_lines(lines, still_shows);
    any = drop_listed(lines, still_shows) || any;
  }
  return lines;
}

}  // namespace touchstone::fuzz
