#pragma once

#include <string>

#include "fuzz/timelines/timelines.hpp"

/// Laws of a scheduler over time: what holds after every command, whatever the release.
namespace touchstone::fuzz {

/// A law that an answer breaks, as a sentence. Empty: none.
/// - Time never runs back.
/// - A pod is in at most one part of the queue.
/// - Once every event is delivered, each pending pod that does not terminate is in some part of the queue, in
///   flight, or assumed; and each pod in a part of the queue is a pending pod of the API.
/// - A pod is nominated to at most one node.
/// - A gated pod is in the unschedulable part, and the plug-in that gates it is among its rejectors.
/// - No backoff ends more than the longest backoff of the release, and a second, from now.
/// - The attempts of a pod that stays queued never become fewer.
std::string broken_law(const Release& release, const Observation& before, const TimelineCommand& command,
                       const Observation& now);

/// Plays a timeline. Returns the first law that is broken, with the number of the command.
std::string broken_law(const TimelineScript& script, MakeModel make, Choices& choices);

}  // namespace touchstone::fuzz
