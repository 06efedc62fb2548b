#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "fuzz/generate/scenario.hpp"
#include "fuzz/campaign/participant.hpp"
#include "fuzz/campaign/tally.hpp"

/// Campaigns: two sides asked the same questions, each difference shrunk and written down. Where both are
/// engines of this process, questions and answers are not put into words, and differences alone go through
/// the protocol.
namespace touchstone::fuzz {

struct CampaignSetup {
  ParticipantSetup left;
  ParticipantSetup right;  ///< the subject under judgement; of two engines without a release: every release in turn
  std::uint64_t seed = 0;
  std::set<Family> families;  ///< that may occur
  Shard shard;
  std::optional<std::uint64_t> cases_most;
  std::optional<std::chrono::milliseconds> time_most;
  std::size_t jobs = 1;
  std::filesystem::path out;  ///< where results are kept; empty: nowhere
  std::size_t shrink_asks = 4000;
  bool witness_described = false;  ///< shrink the first of every class of evictions in vain, described or not
  std::size_t examples_each = 3;   ///< differences shrunk of one signature and clause
};

/// What is to be seen while it runs.
struct Progress {
  std::uint64_t cases = 0;
  std::uint64_t cases_of_session = 0;
  double seconds_of_session = 0;
  std::uint64_t differ = 0;
  std::uint64_t skipped = 0;
  std::size_t behaviours = 0;
  double next_new = 1;  ///< probability that the next case shows a new behaviour, estimated
  std::map<std::string, std::uint64_t> by_clause;
  bool shrinking = false;
};

/// Runs a campaign until its cases or its time are used up, or `stop`. Its time bounds shrinking and the wait
/// for an answer too. Where out/campaign.json is of the same
/// campaign it goes on from there. `show` is called ten times a second by the calling thread.
/// Ensures: every case that was judged is counted, in out/campaign.json too, also after a stop; a subject
/// that fails is a difference and never ends it. Errors: subject-failed and others of Participant::begin();
/// campaigns-differ where `out` holds another; file-unwritable.
Result<Tally> run_campaign(const CampaignSetup& setup, const std::atomic<bool>& stop,
                           const std::function<void(const Progress&)>& show);

}  // namespace touchstone::fuzz
