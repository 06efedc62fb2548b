#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/campaign/campaign.hpp"
#include "oracle/protocol/command.hpp"

/// What a change to a scheduler does: two built schedulers, compared by clauses.
namespace touchstone::fuzz {

/// Two schedulers, and how long they are compared.
struct TwoSubjects {
  std::string before;  ///< command for the shell
  std::string after;
  std::string before_release;  ///< empty: the only release that the subject supports
  std::string after_release;
  std::uint64_t seed = 1;
  std::size_t jobs = 1;
  std::chrono::milliseconds time{240'000};
  std::optional<std::uint64_t> cases_most;  ///< of each campaign
  std::filesystem::path out;                ///< directory for the campaigns
};

/// The smallest cluster that shows a difference.
struct SmallestCluster {
  std::size_t nodes = 0;
  std::size_t pods = 0;  ///< including the preemptor
  bool minimal = false;
  std::string sentence;        ///< what the two sides do
  std::string objects;         ///< the cluster as a List in YAML
  std::filesystem::path file;  ///< text with both answers and the explanation
};

/// The cases in which two schedulers differ by one clause.
struct ChangedClause {
  std::string clause;           ///< or the kind of a failure, such as "crashed"
  std::uint64_t decisions = 0;  ///< cases of `run`
  std::uint64_t cycles = 0;     ///< cases of `schedule`
  std::optional<SmallestCluster> smallest = {};
  /// Rarer clauses to which some of these cases were attributed first. `clause` explains these cases, too.
  std::vector<std::string> first_seen_as = {};
};

/// The campaigns of two schedulers.
struct SubjectsCompared {
  Tally decisions;                          ///< of `run`
  std::optional<Tally> cycles;              ///< of `schedule`; none if a side does not have this feature
  std::vector<ChangedClause> changed = {};  ///< the most frequent first
  /// Cases that differed but show no change. Either the difference did not recur each time that the question
  /// was repeated, or both sides have one release, and it may give both answers (a Go map has no order).
  std::uint64_t random = 0;
};

/// Runs a campaign of decisions and, if both sides can, one of whole cycles. `show` gets the campaign that is
/// running and its progress. Errors: those of run_campaign().
Result<SubjectsCompared> compare_subjects(
    const TwoSubjects& subjects, const std::atomic<bool>& stop,
    const std::function<void(const CampaignSetup&, const Progress&)>& show);

}  // namespace touchstone::fuzz
