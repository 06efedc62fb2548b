#pragma once

#include "reference/queue/world.hpp"

/// What an attempt to schedule a pod comes to if no node fits.
namespace touchstone::reference {

/// The outcome of the cycle. Clauses: QUE-CYCLE-3.
CycleOutcome outcome_of(const Question& question, const Decision& decision);

/// Why the attempt failed. Clauses: QUE-CYCLE-3, NOM-FAIL-1.
Failure failure_of(const Question& question, const Release& release, const Decision& decision);

/// The objects of the victims, in the order of the decision. Requires: the pods of the question begin with
/// those of the cache, and preemption chose a candidate.
std::vector<PodObject> victims_of(const World& world, const Question& question, const Decision& decision);

}  // namespace touchstone::reference
