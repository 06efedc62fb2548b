#pragma once

#include "reference/queue/world.hpp"
#include "spec/vocabulary/choices.hpp"
#include "spec/vocabulary/result.hpp"

/// Drives a scheduler over time. What is concurrent in the scheduler is a set of enabled steps; `choices`
/// picks the one that happens next.
namespace touchstone::reference {

/// A step that the scheduler can take by itself.
struct StepId {
  enum class Kind { loop, preemption, victim, binding, put_back };
  Kind kind = Kind::loop;
  std::size_t index = 0;        ///< of the preemption, the binding or the pod that is put back
  std::size_t victim = 0;       ///< of the victim
  bool is_synchronous = false;  ///< of the loop's own preemption

  bool operator==(const StepId&) const = default;
};

/// The steps that can be taken now: those that end a wait in Permit, then those of the loop, then others.
std::vector<StepId> enabled_steps(const World& world);

/// Takes a step. `choices` picks among equal nodes of a preemption. Requires: the step is enabled.
void take_step(World& world, const StepId& step, Choices& choices);

/// A world in which the scheduler has seen these objects. Pending pods enter the queue in list order. Errors:
/// exists. Clauses: QUE-START-1.
Result<World> world_of(const Release& release, Quantity now_ns, const Objects& objects);

/// Takes steps and delivers events, until all has come to rest or waits. Clauses: QUE-SETTLE-1.
void settle(World& world, Choices& choices);

/// One scheduling cycle with all that follows by itself. Ensures: the world is unchanged after an error.
/// Errors: not-admissible. Clauses: QUE-CYCLE-2.
Result<CycleResult> cycle(World& world, const std::string& take, Choices& choices);

/// Delivers events of a kind that is held: `count` of them. No value: all, and the hold ends. Errors:
/// not-held.
std::optional<Error> deliver(World& world, WatchedKind kind, std::optional<Quantity> count, Choices& choices);

}  // namespace touchstone::reference
