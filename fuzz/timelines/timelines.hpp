#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string_view>

#include "spec/vocabulary/choices.hpp"
#include "spec/vocabulary/timeline.hpp"

/// Generated timelines: commands to a scheduler over time. Campaigns, laws and seeded faults use them.
namespace touchstone::fuzz {

/// The feature that a timeline has more often than others.
enum class TimelineFamily {
  plain,     ///< pods that come and go, deletions, the clock
  holds,     ///< calls that wait or fail
  watch,     ///< events that wait
  gates,     ///< scheduling gates
  affinity,  ///< affinity, anti-affinity and topology spread
  nodes,     ///< changes of nodes
  pdb,       ///< PodDisruptionBudgets
  permit,    ///< pods that wait in Permit
  gangs,     ///< gangs of pods, if the release has gates for them that are modelled
};
inline constexpr std::array<std::string_view, 9> k_timeline_family_names = {
    "plain", "holds", "watch", "gates", "affinity", "nodes", "pdb", "permit", "gangs"};

/// Which timelines to generate.
struct TimelinePlan {
  Release release;
  std::size_t least_commands = 4;
  std::size_t most_commands = 60;
  std::size_t first_nodes = 1;      ///< fewest nodes at the beginning; there may be one more
  std::size_t most_nodes = 5;       ///< at one time
  std::size_t most_first_pods = 5;  ///< at the beginning
  std::size_t most_pods = 8;        ///< at one time
  /// Hold the calls that the next cycle is likely to make, and answer waiting calls soon.
  bool aims_holds = false;
};

/// The timelines of a campaign: 2 to 6 nodes, up to 12 pods.
TimelinePlan campaign_timelines(const Release& release);

/// Generates a timeline. Each command depends on the answers of the reference so far, so that most commands
/// have an effect. Total: any choices make a timeline without an error.
TimelineScript timeline(Choices& choices, const TimelinePlan& plan);

/// Generates timeline `number` of a seed. Ensures: timelines of different numbers are independent.
TimelineScript numbered_timeline(const TimelinePlan& plan, std::uint64_t seed, std::uint64_t number);

/// Where two models first differ.
struct TimelineDifference {
  std::size_t command = 0;  ///< 0: the beginning; n: the n-th command
  std::string_view key;     ///< the part of the answer: "error", "cycle", "calls", "ended", "state"
};

/// Plays a timeline on two models. No value: no answer differs.
std::optional<TimelineDifference> first_difference(const TimelineScript& script, MakeModel left,
                                                   MakeModel right);

/// Shrinks a timeline while `still_shows` holds: drops commands, objects, and parts of objects. Requires:
/// still_shows(script). Ensures: still_shows(result); no single command or object can be dropped.
TimelineScript shrink_timeline(TimelineScript script,
                               const std::function<bool(const TimelineScript&)>& still_shows);

}  // namespace touchstone::fuzz
