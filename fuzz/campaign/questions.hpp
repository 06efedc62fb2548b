#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "fuzz/generate/scenario.hpp"
#include "oracle/compare/asked.hpp"
#include "oracle/protocol/command.hpp"
#include "spec/vocabulary/result.hpp"

/// The questions of a campaign, as they are sent to both sides.
namespace touchstone::fuzz {

using oracle::Json;

/// A question as it is sent, and as it is read.
struct SentQuestion {
  Json line;  ///< in the form of spec/protocol.md, with its configuration
  Question question;
  oracle::Command command = oracle::Command::run;  ///< that asks it

  /// The same for the oracle. Requires: this object outlives the result.
  oracle::Asked asked() const;
};

/// Reads a question. `name` begins the path of an error. Errors: those of kubernetes::read_question_text().
Result<SentQuestion> sent_question(Json line, oracle::Command command, const std::string& name);

/// Which configuration the questions of a campaign have.
struct Configurations {
  Json fixed = nullptr;     ///< of all questions; null: none
  bool are_random = false;  ///< each question has a generated one; not with `fixed`
};

/// What the questions of a campaign are.
struct QuestionPlan {
  oracle::Command command = oracle::Command::run;
  Configurations configurations = {};
};

/// Whether the questions are those of `run` without a configuration.
bool is_plain(const QuestionPlan& plan);

/// Whether the search ends at the first feasible node, and the question does not say where it begins. The
/// release then finds one feasible node, whichever comes first; the reference finds all. CYC-SEARCH-3.
bool finds_any_node(const Json& line, oracle::Command command, const Release& release);

/// Generates question `number` of a seed. Its cluster is numbered_scenario(), with a start index if
/// finds_any_node(). Ensures: as that function; the cluster of a number does not depend on the configuration.
SentQuestion numbered_question(const QuestionPlan& plan, const Scenarios& scenarios, std::uint64_t seed,
                               std::uint64_t number);

}  // namespace touchstone::fuzz
