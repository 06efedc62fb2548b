#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "oracle/protocol/command.hpp"
#include "oracle/protocol/protocol.hpp"
#include "spec/vocabulary/result.hpp"

/// Compares an engine with the vectors of spec/vectors (format: spec/schema/vector.schema.json).
namespace touchstone::oracle {

/// One case: a question, and the answer of each release whose answer is known.
struct VectorCase {
  std::string name;
  std::vector<std::string> clauses;
  Json question;
  std::vector<std::pair<std::string, Json>> answers;  ///< by release, in the order of the file
};

/// The release with the configuration and the feature gates in a question of vectors; the release itself if
/// there is none. `name`: of the case. Errors: those of kubernetes::configured.
Result<NamedRelease> configured_for(const Json& question, const std::string& name, const Pod& pod,
                                    NamedRelease named);

/// One file of cases.
struct VectorFile {
  std::filesystem::path path;
  bool recorded = false;  ///< recorded from running releases; false: worked examples
  bool statuses = false;  ///< an absent filter or dryRun means an empty one
  std::vector<VectorCase> cases;
  Command command = Command::run;  ///< that asks the questions
};

/// Reads one file, or all *.json files below a directory in the order of their names.
/// Errors: file-unreadable, json-malformed, vector-malformed; each names the file.
Result<std::vector<VectorFile>> read_vectors(const std::filesystem::path& place);

/// The same, without the files whose questions are for `schedule`.
Result<std::vector<VectorFile>> read_run_vectors(const std::filesystem::path& place);

/// A difference between a recorded answer and the engine's answer.
struct Disagreement {
  std::string case_name;
  std::string release;
  std::string key;  ///< of the answer
  std::string expected;
  std::string found;
};

/// The result of check_vectors().
struct VectorReport {
  std::map<std::string, std::size_t> agreed;   ///< by release
  std::size_t unseen = 0;                      ///< admissible nodes that no run of the same candidates chose
  std::map<std::string, std::size_t> skipped;  ///< by the feature that is not modelled
  std::vector<Disagreement> disagreements;
};

/// Which cases are checked, and which engine is checked.
struct VectorCheck {
  Engine engine = Engine::reference;  ///< parts that the optimized engine leaves out are not compared
  std::string_view release = {};      ///< empty: all
  std::string_view name = {};         ///< of a case; empty: all
  const Decider& decider = reference_decider();  ///< replaces the reference
};

/// Runs an engine on each question of a file, for each release with a recorded answer. Calls `progress` once
/// for each case.
VectorReport check_vectors(const VectorFile& file, const VectorCheck& check,
                           const std::function<void()>& progress);

/// The clauses for which a case is evidence. These are the clauses that its decisions cite, and the clauses
/// of each change of behaviour that matters to the case: without that change, the reference answers
/// differently. Requires: the question is for `run`.
std::set<std::string> clauses_shown(const VectorCase& vector_case);

/// Writes the clauses of each case into a recorded file and changes nothing else. Worked examples and cases
/// of `schedule` stay as they are: they name their clauses themselves. Returns whether the file was changed.
/// Errors: file-unreadable, file-unwritable.
Result<bool> update_clauses(const VectorFile& file, const std::function<void()>& progress);

}  // namespace touchstone::oracle
