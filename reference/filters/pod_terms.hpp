#pragma once

#include "reference/preemption/cycle.hpp"

/// Terms of affinity between pods, as the filter and the scorer read them.
namespace touchstone::reference {

/// Whether a term of `owner` matches the pod `other`, by labels and namespace. Clauses: PRE-AFFINITY-1,
/// SCORE-AFFINITY-2.
bool means(const PodAffinityTerm& term, const Pod& owner, const Pod& other, const Cycle& cycle);

}  // namespace touchstone::reference
