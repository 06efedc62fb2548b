#pragma once

#include "reference/queue/world.hpp"
#include "spec/vocabulary/choices.hpp"
#include "spec/vocabulary/result.hpp"

/// The scheduling loop.
namespace touchstone::reference {

/// The question that a scheduling cycle asks about a pod: the scheduler's cache, its nominations and its
/// copies of PDBs. Clauses: QUE-CYCLE-1, NOM-COUNT-1.
Question question_of(const World& world, const PodObject& pod);

/// A pod of the cache as preemption sees it. Clauses: QUE-ENTITY-7.
Pod seen_as_victim(const World& world, const PodObject& pod);

/// Whether a popped pod is left alone. Clauses: QUE-POP-3.
bool is_dropped(const World& world, const Pod& pod);

/// The error about a node that the release may not choose. Clauses: QUE-CYCLE-2.
Error not_admissible(const std::string& node);

/// Ends the cycle, whose result is known. Clauses: QUE-FAIL-1.
void end_loop(World& world);

/// Begins a scheduling cycle: pops a pod, decides, and does what needs no API call. `take`: the name of the
/// node to choose among equals; empty: `choices` picks. Ensures: the world is unchanged after an error.
/// Errors: not-admissible. Clauses: QUE-POP-1 to QUE-POP-3, QUE-CYCLE-1, QUE-CYCLE-2.
Result<CycleResult> begin_cycle(World& world, const std::string& take, Choices& choices);

/// Whether the loop has a step to take after a call or a preemption has ended.
bool loop_has_step(const World& world);
/// Takes that step. Clauses: QUE-FAIL-1, NOM-PATCH-1.
void take_loop_step(World& world);

}  // namespace touchstone::reference
