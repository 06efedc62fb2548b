#pragma once

#include "reference/queue/world.hpp"
#include "spec/vocabulary/choices.hpp"

/// The scheduling cycle of a pod group of v1.36.
namespace touchstone::reference {

/// Begins the cycle of the group of the loop's pod, which is popped: tries all its pods, decides, and does
/// what needs no API call. Ensures: the outcome is that of the group. Clauses: QUE-GROUP-2 to QUE-GROUP-4.
CycleResult begin_group_cycle(World& world, Choices& choices);

/// Goes on after the call for a pod of the group. Clauses: QUE-GROUP-4.
void go_on_with_group(World& world);

}  // namespace touchstone::reference
