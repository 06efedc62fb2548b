#pragma once

#include "reference/queue/world.hpp"

/// A preemption as a sequence of calls.
namespace touchstone::reference {

/// The preemption of these victims on a node. No value: there is nothing to do, because all victims terminate
/// already. Clauses: QUE-PREEMPT-1 to QUE-PREEMPT-3.
std::optional<Preemption> preemption_of(const PodObject& preemptor, const std::string& node,
                                        std::vector<PodObject> victims, const Release& release);

/// Whether a preemption has a step to take that is not one of its victims'.
bool has_step(const World& world, const Preemption& preemption);
/// Takes that step. Requires: has_step(). Clauses: QUE-PREEMPT-1, QUE-PREEMPT-2, QUE-PREEMPT-5.
void take_step(World& world, Preemption& preemption);

/// Takes the first steps of an asynchronous preemption, up to its first call. Requires: it has not begun.
/// Clauses: QUE-GROUP-3.
void begin_early(World& world, Preemption& preemption);

/// Whether the eviction of a victim has a step to take.
bool has_step(const World& world, const VictimRun& run);
/// Takes that step. Requires: has_step(); the victim is one of the preemption's running ones. Clauses:
/// QUE-PREEMPT-4, QUE-CALL-2.
void take_step(World& world, Preemption& preemption, VictimRun& run);

}  // namespace touchstone::reference
