#pragma once

#include "reference/queue/world.hpp"
#include "spec/vocabulary/choices.hpp"

/// What the scheduler does with an event of its watch: first its copy of the object, then its cache, then its
/// queue.
namespace touchstone::reference {

/// Handles one event. `choices` picks what the release leaves to chance. Clauses: EVT-POD-1 to EVT-POD-4,
/// EVT-NODE-1, EVT-PDB-1, QUE-ENTITY-1.
void handle(World& world, const WatchEvent& event, Choices& choices);

}  // namespace touchstone::reference
