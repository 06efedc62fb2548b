#pragma once

#include <vector>

#include "optimized/decide.hpp"
#include "oracle/comparison.hpp"
#include "spec/cluster.hpp"

/// The two engines of this project, held against each other: the reference gives a Decision, the optimized
/// one an Answer, which has no statuses, no candidate that loses, and no message.
namespace touchstone::oracle {

/// What the reference decides: list orders as given, the first of the last tie.
Decision reference_decision(const Question& question, const Release& release);

/// What the optimized engine answers on a snapshot built for the question.
optimized::Answer optimized_answer(const Question& question, const Release& release,
                                   optimized::Workers& workers);

/// Whether the two agree in every part that an Answer has; one skips where the other does. Complexity: linear
/// in the answer, without allocations where victims are few.
bool agree(const optimized::Answer& answer, const Decision& decision);

/// The parts in which they do not; `given` is the optimized engine's. Ensures: empty where agree().
std::vector<Difference> differences_of(const optimized::Answer& answer, const Decision& decision,
                                       const Cluster& cluster);

}  // namespace touchstone::oracle
