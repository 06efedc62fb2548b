#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fuzz/campaign/tally.hpp"
#include "fuzz/timelines/compared.hpp"
#include "reference/queue/play.hpp"

/// Campaigns over time: generated timelines are played on a subject and on the model. Differences are shrunk
/// to the shortest timeline, attributed to a clause, and saved as vectors.
namespace touchstone::fuzz {

struct TimelineCampaignSetup {
  ParticipantSetup subject;  ///< without a command: the model that `make` makes
  MakeModel make = reference::timeline_model;
  std::string part = {};  ///< "disruption" or "leaderElection"; empty: the scheduler itself
  std::uint64_t seed = 1;
  Shard shard;  ///< of the numbers of timelines
  std::optional<std::uint64_t> timelines_most;
  std::optional<std::chrono::milliseconds> time_most;
  std::size_t jobs = 1;
  std::filesystem::path out;       ///< directory for the results; empty: nothing is written
  std::size_t shrink_asks = 1000;  ///< most timelines that are played to shrink one difference
  std::size_t examples_each = 3;   ///< most differences to shrink for one part and clause
};

/// A difference that was shrunk.
struct TimelineFound {
  std::string hash;  ///< of the part, the clause and the shrunk timeline; names the files
  std::string key;   ///< the part of the answer that differs, or the code of a failure
  std::string clause;
  std::uint64_t number = 0;  ///< of the timeline in which it was found
  std::size_t commands = 0;
  std::size_t nodes = 0;
  std::size_t pods = 0;  ///< at the beginning
};

/// The counts of a campaign over time.
struct TimelineTally {
  Json setup;  ///< distinguishes campaigns
  std::uint64_t timelines = 0;
  std::uint64_t agree = 0;
  std::uint64_t differ = 0;
  std::map<std::string, std::uint64_t> skipped;     ///< timelines that end where the model does, by reason
  std::uint64_t commands = 0;                       ///< those that were compared
  std::map<std::string, std::uint64_t> by_clause;   ///< of the timelines that differ
  std::map<std::string, std::uint64_t> by_command;  ///< compared commands, by name
  std::map<std::string, std::uint64_t> outcomes;    ///< of the cycles
  std::vector<TimelineFound> found;
  double seconds = 0;            ///< elapsed, of all sessions
  std::uint64_t next = 0;        ///< all earlier timelines of the shard are done
  std::set<std::uint64_t> done;  ///< those after `next` that are done
};

Json json_of(const TimelineTally& tally);

/// State of a running campaign, for display.
struct TimelineProgress {
  std::uint64_t timelines = 0;
  std::uint64_t timelines_of_session = 0;
  double seconds_of_session = 0;
  std::uint64_t differ = 0;
  std::map<std::string, std::uint64_t> by_clause;
  bool shrinking = false;
};

/// A shrunk difference, with its timeline and the answers to it.
struct ShrunkTimeline {
  TimelineFound found;
  std::vector<Json> lines;  ///< of the protocol, `init` first
  StepDifference difference;
  std::vector<Json> answers;  ///< of the subject
};

/// The text that describes a difference: the commands, both answers, the clauses, and how to replay it.
std::string report_of(const ShrunkTimeline& shrunk, const TimelineSubject& subject,
                      const std::string& vector);

/// Plays a timeline, of the scheduler or of a part, on a subject. No value: no answer differs, the campaign
/// was stopped, or `init` is an error in the model. A difference with `skipped` is none: difference_of().
std::optional<ShrunkTimeline> replay_timeline(TimelineSubject& subject, const std::vector<Json>& lines);

/// Runs a campaign until its timelines or its time are used up, or until `stop` is set. If
/// out/campaign.json is of the same campaign, the run continues it. The calling thread calls `show` ten times
/// a second. Ensures: every timeline that was judged is counted, also in out/campaign.json. A failure of a
/// subject is a difference and never ends the campaign. Errors: those of TimelineSubject::begin();
/// campaigns-differ; campaign-malformed; not-modelled; file-unwritable.
Result<TimelineTally> run_timeline_campaign(const TimelineCampaignSetup& setup, const std::atomic<bool>& stop,
                                            const std::function<void(const TimelineProgress&)>& show);

}  // namespace touchstone::fuzz
