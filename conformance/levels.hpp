#pragma once

#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/generate/scenario.hpp"
#include "oracle/protocol/vectors.hpp"
#include "spec/vocabulary/cluster.hpp"

/// The levels of conformance, and the features that a scheduler claims. Both are data: which level a case
/// belongs to follows from its question.
namespace touchstone::conformance {

/// The levels, in the order in which they are judged. A case belongs to the last level that it needs.
enum class LevelId {
  core,
  ties,
  pdb,
  nominated,
  constraints,
  volumes,
  sampling,
  messages,
  scores,
  cycle,
  extenders,
  time
};
inline constexpr std::size_t k_levels_count = 12;

struct Level {
  LevelId id = LevelId::core;
  std::string_view name;  ///< on the command line: "pdb"
  std::string_view title;
  std::string_view what;              ///< what the level judges, as the end of a sentence
  std::set<fuzz::Family> families;    ///< of its generated cases, besides those of the levels before it
  std::size_t generated = 0;          ///< number of generated cases; fewer if the release shows fewer
  std::size_t generated_at_most = 0;  ///< number of clusters that are generated to find them
};

/// All levels, in the order of LevelId.
const std::array<Level, k_levels_count>& levels();
const Level& level_of(LevelId id);

/// The level with this name; null if there is none.
const Level* find_level(std::string_view name);

/// A part of what a scheduler may support. A subject claims it by naming it in the `features` of hello. A
/// case that needs a feature that the subject does not claim is not judged.
struct Feature {
  std::string_view name;
  LevelId level;
  std::string_view what;
};

/// All features, in the order of their levels.
const std::vector<Feature>& features();

/// The names of the features that a question needs. `line`: the question in the form of spec/protocol.md.
std::set<std::string_view> features_needed(const Question& question, oracle::Command command,
                                           const oracle::Json& line);

/// The level of a question. `answers`: the number of answers that the release may give. `is_scored`: the
/// release scores nodes for it.
LevelId level_of_question(const std::set<std::string_view>& needed, std::size_t answers, bool is_scored);

}  // namespace touchstone::conformance
