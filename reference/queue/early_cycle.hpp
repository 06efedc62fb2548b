#pragma once

#include "reference/queue/world.hpp"
#include "spec/vocabulary/choices.hpp"

/// The scheduling cycle of releases that set the condition of a failed pod first, then preempt in the loop,
/// and put the pod back beside it.
namespace touchstone::reference {

/// Goes on with a cycle whose pod was popped: decides, and does what needs no API call. `take`: the node to
/// choose among equals, if it is one of them; empty: `choices` picks. Clauses: QUE-STATUS-1 to QUE-STATUS-4,
/// QUE-ASSUME-1.
CycleResult begin_early_cycle(World& world, const std::string& take, Choices& choices);

/// Whether the next step of the loop is one of these cycles. Only then the outcome is not known yet.
bool is_early_step(const Loop& loop);
/// Takes it. Requires: the loop's call is answered. Clauses: QUE-STATUS-1, QUE-STATUS-3.
void take_early_step(World& world, Choices& choices);

/// Goes on with a binding that failed, after the cache forgot the pod. Clauses: QUE-LIMBO-1, QUE-STATUS-4.
void fail_early_binding(World& world, BindingRun& binding);

/// Puts a failed pod back: the one with this index in World::put_backs. Clauses: QUE-LIMBO-1, QUE-LIMBO-2.
void take_put_back(World& world, std::size_t index);

}  // namespace touchstone::reference
