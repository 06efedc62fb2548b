#pragma once

#include "reference/queue/world.hpp"
#include "spec/vocabulary/choices.hpp"
#include "spec/vocabulary/timeline.hpp"

/// Plays the commands of the protocol.
namespace touchstone::reference {

/// Runs a command with all that follows by itself. Ensures: the world is unchanged after an error. Errors:
/// those of the store; not-admissible; not-held; not-waiting.
StepAnswer play(World& world, const TimelineCommand& command, Choices& choices);

/// What can be seen of a scheduler.
Observation observe(const World& world);

/// The model as one object, for judges.
std::unique_ptr<TimelineModel> timeline_model();

}  // namespace touchstone::reference
