#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "fuzz/campaign/participant.hpp"
#include "fuzz/campaign/questions.hpp"
#include "fuzz/campaign/tally.hpp"
#include "fuzz/generate/scenario.hpp"

/// Campaigns. A campaign runs the same questions on two sides, and shrinks and saves the differences. If
/// both sides are engines of this process, questions and answers are not serialized. Only questions with a
/// difference then go through the protocol.
namespace touchstone::fuzz {

/// The settings of a campaign.
struct CampaignSetup {
  QuestionPlan questions;
  ParticipantSetup left;
  ParticipantSetup
      right;  ///< the subject under test; two engines without a release run every release in turn
  std::uint64_t seed = 0;
  std::set<Family> families;  ///< families that may occur in a scenario
  Shard shard;
  std::optional<std::uint64_t> cases_most;
  std::optional<std::chrono::milliseconds> time_most;
  std::size_t jobs = 1;
  std::filesystem::path out;  ///< directory for the results; empty: nothing is written
  std::size_t shrink_asks = 4000;
  bool keeps_labels = false;       ///< Shrinking::keeps_labels
  bool witness_described = false;  ///< also shrink ineffective evictions that spec/divergences.md describes
  std::size_t examples_each = 3;   ///< most differences to shrink for one signature and clause
};

/// State of a running campaign, for display.
struct Progress {
  std::uint64_t cases = 0;
  std::uint64_t cases_of_session = 0;
  double seconds_of_session = 0;
  std::uint64_t differ = 0;
  std::uint64_t skipped = 0;
  std::size_t behaviours = 0;
  double next_new = 1;  ///< estimated probability that the next case shows a new behaviour
  std::map<std::string, std::uint64_t> by_clause;
  bool shrinking = false;
};

/// Runs a campaign until its cases or its time are used up, or until `stop` is set. The time limit also ends
/// shrinking and the wait for an answer. If out/campaign.json is of the same campaign, the run resumes it.
/// The calling thread calls `show` ten times a second. Ensures: every judged case is counted, also in
/// out/campaign.json, also after a stop. A failure of a subject is a difference and never ends the campaign.
/// Errors: subject-failed and others of Participant::begin(); campaigns-differ if `out` holds another
/// campaign; campaign-in-brief if that campaign was saved in brief; those of read_tally(); file-unwritable.
Result<Tally> run_campaign(const CampaignSetup& setup, const std::atomic<bool>& stop,
                           const std::function<void(const Progress&)>& show);

}  // namespace touchstone::fuzz
