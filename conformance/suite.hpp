#pragma once

#include <array>
#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/levels.hpp"
#include "oracle/protocol/timeline_vectors.hpp"
#include "oracle/protocol/vectors.hpp"
#include "spec/releases/release.hpp"
#include "spec/vocabulary/result.hpp"

/// The suites of cases. A suite is fixed for a level, a release and a version: its cases come from
/// spec/vectors and from the generator with a published seed.
namespace touchstone::conformance {

using oracle::Json;

/// The version of all suites. Raise it when the cases of a suite change; `touchstone conform --update` then
/// writes the new sizes and hashes into conformance/suites.json.
inline constexpr int k_suite_version = 1;

/// The seed of the generated cases.
inline constexpr std::uint64_t k_suite_seed = 34;

/// One question of a suite, with the answer of the reference. Of level Time: one timeline, with the answers.
struct Case {
  std::string name;    ///< of the vector, or "generated/LEVEL-NUMBER"
  std::string source;  ///< the vector file; empty if the case is generated
  oracle::Command command = oracle::Command::run;
  /// In the form of spec/protocol.md, without cmd, seq and release. A timeline has the key `commands` alone,
  /// and its answers have the key `answers`.
  Json question;
  std::set<std::string_view> needed;  ///< names of features
  Json ours;                          ///< the answer of the reference
  std::size_t answers = 1;            ///< number of answers that the release may give
  std::vector<std::string> example_of = {};  ///< the clauses of which the case is a worked example

  bool is_timeline() const { return question.contains("commands"); }
};

/// The word for what a case asks: "run", "schedule" or "timeline".
std::string_view command_of(const Case& one);

/// The cases of a level for a release.
struct Suite {
  const Level* level = nullptr;
  std::vector<Case> cases;
  std::string hash;  ///< of names, commands and questions: 16 hexadecimal digits
};

/// The beginning of the names of cases that show a seeded fault.
inline constexpr std::string_view k_mistakes = "mistakes/";

/// Reads the smallest clusters of seeded faults, faults/clusters: each shows a mistake in one clause.
/// Ensures: a file for each cluster, with one case named "mistakes/FAULT" and no answers. Errors:
/// file-unreadable, json-malformed, vector-malformed.
Result<std::vector<oracle::VectorFile>> read_mistakes(const std::filesystem::path& directory);

/// Which cases of a suite are built.
struct Selection {
  std::string only = {};  ///< the name of a case: other cases may be left out
  bool generates = true;  ///< false: only the cases of the vectors
};

/// The cases that are not generated.
struct FixedCases {
  std::vector<oracle::VectorFile> vectors;
  std::vector<oracle::RecordedTimeline> timelines = {};
};

/// Builds the suites of a release, for the levels in `wanted`. Leaves out the questions for which the
/// reference has no answer. Leaves out repeated questions, except worked examples. Calls `progress` with the
/// number of vectors read so far. Ensures: suites in the order of the levels; the same input gives the same
/// suites. If `stop` is set, the suites are incomplete. Errors: those of kubernetes::read_question_text().
Result<std::vector<Suite>> suites_of(const FixedCases& fixed, const NamedRelease& release,
                                     const std::set<LevelId>& wanted,
                                     const std::function<void(std::size_t)>& progress,
                                     const std::atomic<bool>& stop, const Selection& selection = {});

/// Finds one case of a suite by its level and name, without the rest of the suite. Nothing if there is none.
std::optional<Case> find_case(const FixedCases& fixed, const NamedRelease& release, const Level& level,
                              const std::string& name);

/// A case with another question, and the reference's answer to it. Nothing if the question is malformed, or
/// if the reference has no answer.
std::optional<Case> with_question(const Case& one, const Json& question, const NamedRelease& release);

/// The releases for which sizes and hashes are published.
inline constexpr std::array<std::string_view, 5> k_published_releases = {"v1.13.0", "v1.20.15", "v1.29.6",
                                                                         "v1.34.4", "v1.37.2"};

/// The published sizes and hashes of suites (conformance/suites.json), by release and level.
struct PublishedSuite {
  std::size_t cases = 0;
  std::string hash;

  bool operator==(const PublishedSuite&) const = default;
};
struct Published {
  int version = 0;
  std::map<std::string, std::map<std::string, PublishedSuite>> releases;
};

/// The size and the hash of each suite, by level.
std::map<std::string, PublishedSuite> published_of(const std::vector<Suite>& suites);

/// Reads and writes conformance/suites.json. Errors: file-unreadable, json-malformed; file-unwritable.
Result<Published> read_published(const std::string& file);
std::optional<Error> write_published(const std::string& file, const Published& published);

}  // namespace touchstone::conformance
