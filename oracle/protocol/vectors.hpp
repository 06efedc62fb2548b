#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "oracle/protocol/protocol.hpp"
#include "spec/vocabulary/result.hpp"

/// The vectors of spec/vectors (format: spec/schema/vector.schema.json) held against an engine.
namespace touchstone::oracle {

/// One case: a question, and the answer of each release that is known to give it.
struct VectorCase {
  std::string name;
  std::vector<std::string> clauses;
  Json question;
  std::vector<std::pair<std::string, Json>> answers;  ///< by release, in the order of the file
};

struct VectorFile {
  std::filesystem::path path;
  bool recorded = false;  ///< from running releases; others are worked examples
  bool statuses = false;  ///< filter and dryRun are known to be empty where they are absent
  std::vector<VectorCase> cases;
};

/// Reads one file, or all *.json files below a directory in the order of their names.
/// Errors: file-unreadable, json-malformed, vector-malformed (with the case and the key).
Result<std::vector<VectorFile>> read_vectors(const std::filesystem::path& place);

/// A recorded answer that is not the reference's.
struct Disagreement {
  std::string case_name;
  std::string release;
  std::string key;  ///< of the answer
  std::string expected;
  std::string found;
};

struct VectorReport {
  std::map<std::string, std::size_t> agreed;  ///< by release
  std::size_t unseen = 0;  ///< admissible nodes that the few runs of their candidates never showed
  std::map<std::string, std::size_t> skipped;  ///< by what is not modelled
  std::vector<Disagreement> disagreements;
};

/// Which cases are checked, and against whom.
struct VectorCheck {
  Engine engine = Engine::reference;  ///< of what the optimized one leaves out, nothing is compared
  std::string_view release = {};      ///< empty: all
  std::string_view name = {};         ///< of a case; empty: all
  const Decider& decider = reference_decider();  ///< what stands for the reference
};

/// Asks an engine every question of a file for every release that answered it. `progress` is called once a
/// case.
VectorReport check_vectors(const VectorFile& file, const VectorCheck& check,
                           const std::function<void()>& progress);

/// The clauses that a case is evidence for: those that its decisions cite, and those whose change of
/// behaviour it tells apart, that is, where the reference without that change answers otherwise.
std::set<std::string> clauses_shown(const VectorCase& vector_case);

/// Writes the clauses of each case into a recorded file, which otherwise stays as it is; worked examples name
/// their own. Returns whether the file was changed. Errors: file-unreadable, file-unwritable.
Result<bool> update_clauses(const VectorFile& file, const std::function<void()>& progress);

}  // namespace touchstone::oracle
