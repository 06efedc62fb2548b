#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "conformance/suite.hpp"
#include "conformance/verdict.hpp"
#include "oracle/subject/subject_process.hpp"

/// Runs a subject on suites. Each case gets a verdict, whatever the subject does.
namespace touchstone::conformance {

/// Sends one line of spec/protocol.md to a subject.
using Ask = std::function<oracle::Reply(const std::string& line)>;

/// Settings of a run.
struct RunSetup {
  NamedRelease release;
  std::set<std::string> claimed;        ///< the features that the subject names in hello
  std::size_t repeats = 2;              ///< how often each question is asked; the worst verdict counts
  std::size_t hangs_in_a_row_most = 5;  ///< of a level; after them, the rest of the level is not asked
};

/// A case that was shrunk, and the verdict on it.
struct Shrunk {
  Case question;
  CaseVerdict verdict;
};

/// The verdict on one case of a suite.
struct CaseResult {
  const Case* question = nullptr;
  CaseVerdict verdict;
  std::optional<std::size_t> known = {};        ///< index of the known failure that expects this verdict
  std::shared_ptr<const Shrunk> smallest = {};  ///< case of the clause, if shrink_smallest() was called
};

/// The results of a level.
struct LevelResult {
  const Suite* suite = nullptr;
  std::vector<CaseResult> results;                 ///< of the cases that were judged or skipped
  std::map<std::string, std::size_t> not_claimed;  ///< by feature that is not claimed: cases that need it
  std::size_t cases_not_claimed = 0;               ///< cases that need a feature that is not claimed
};

/// Asks each case of the suites whose features are claimed. If a subject hangs several times in a row, the
/// rest of the level is skipped; in each later level one hang is enough. If the subject writes more than its
/// answer, the case of that answer is malformed. If `stop` is set, the remaining cases are left out. Calls
/// `progress` with the number of cases done. Ensures: a result for each level. Requires: the suites outlive
/// the results; `release` is theirs.
std::vector<LevelResult> run_suites(std::span<const Suite> suites, const RunSetup& setup, const Ask& ask,
                                    const std::function<void(std::size_t)>& progress,
                                    const std::atomic<bool>& stop);

/// For each violated clause, shrinks the smallest case that violates it: the subject's answer to the smaller
/// question violates the same clause. Sets `smallest` of every case that violates the clause. A clause takes
/// at most ten seconds. Requires: as for run_suites().
void shrink_smallest(std::vector<LevelResult>& levels, const RunSetup& setup, const Ask& ask,
                     const std::atomic<bool>& stop);

/// What a subject says to a case: its answer, in the form of Case::ours; or that it failed; or that the run
/// was stopped.
using CaseReply = std::variant<Json, oracle::Failure, oracle::Stopped>;

/// Asks the question of a case, or plays its timeline. Raises `seq` by the number of lines sent. Ensures: a
/// failure in a timeline names the command.
CaseReply ask_case(const Case& one, const RunSetup& setup, const Ask& ask, long long& seq);

/// Number of cases with a verdict.
std::size_t count_of(const LevelResult& level, VerdictKind kind);

/// The outcome of a level.
enum class LevelOutcome {
  passes,
  known_failures,  ///< every case that does not conform is a known failure
  fails,
  not_claimed,  ///< no case was judged
};
inline constexpr std::array<std::string_view, 4> k_outcome_names = {"passes", "knownFailures", "fails",
                                                                    "notClaimed"};
LevelOutcome outcome_of(const LevelResult& level);

}  // namespace touchstone::conformance
