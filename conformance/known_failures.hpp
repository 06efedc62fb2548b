#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conformance/run.hpp"

/// Known failures: failures that a user expects, each with a reason.
namespace touchstone::conformance {

/// An entry of a file of known failures. It expects a failure in each case that has all of `level`, `clause`
/// and `case_name` that are not empty; at least one is not.
struct KnownFailure {
  std::string level;
  std::string clause;
  std::string case_name;
  std::string reason;
  std::string link;   ///< may be empty
  std::string until;  ///< the version of the subject in which the failure is gone; empty: not known
};

/// Reads a file of known failures, in JSON or YAML: a list of entries, or an object with the list `known`.
/// Errors: file-unreadable, json-malformed, yaml-malformed; missing-field (an entry without a reason, or
/// without a level, clause or case); unknown-level; unknown-clause; unknown-field; wrong-type. Each names the
/// file and the entry.
Result<std::vector<KnownFailure>> read_known_failures(const std::string& file);

/// What is wrong with a known failure.
struct KnownProblem {
  enum class Kind {
    unexpected_pass,  ///< cases that it names were judged, and none of them failed
    expired,          ///< the subject has the version `until`, or a later one
  };
  std::size_t entry = 0;
  Kind kind = Kind::unexpected_pass;
};

/// Marks each failing case that a known failure expects. An entry that has expired expects nothing. Returns
/// the entries that are wrong, in their order. An entry is not wrong if none of its cases was judged.
/// `version`: of the subject.
std::vector<KnownProblem> mark_known(std::vector<LevelResult>& levels, const std::vector<KnownFailure>& known,
                                     const std::string& version);

/// Whether version `a` is at least version `b`, compared number by number: 1.10 is later than 1.9, and v1.2
/// is the same as 1.2.0.
bool is_at_least(const std::string& a, const std::string& b);

}  // namespace touchstone::conformance
