#pragma once

#include "reference/queue/world.hpp"
#include "spec/vocabulary/choices.hpp"

/// The scheduling cycle of a pod group that was popped as a whole.
namespace touchstone::reference {

/// Begins the cycle of a popped group. Ensures: what begin_cycle() ensures. Clauses: QUE-ENTITY-3,
/// QUE-ENTITY-5.
CycleResult begin_queued_group_cycle(World& world, const GroupEntry& popped, Choices& choices);

/// Goes on after the answer to the patch of a pod of such a group. Clauses: QUE-ENTITY-5.
void go_on_with_queued_group(World& world);

}  // namespace touchstone::reference
