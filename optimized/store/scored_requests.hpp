#pragma once

#include "optimized/store/requests.hpp"

namespace touchstone::optimized {

/// Amounts of cpu and memory.
struct CpuAndMemory {
  Quantity cpu = 0;
  Quantity memory = 0;
};

/// How much more than its requests a pod on a node counts with for scores, because containers without a
/// request count with a default. Negative if the scores leave out some containers. `requests`: those of
/// requests_of(). Clauses: SCORE-REQUESTS-1, SCORE-REQUESTS-2, SCORE-REQUESTS-4.
CpuAndMemory scored_beyond_requests(const Pod& pod, const Release& release, const Amounts& requests);

/// The requests of the preemptor for scores, with defaults. Clauses: SCORE-REQUESTS-1 to SCORE-REQUESTS-4.
ResourceList scored_requests_of_preemptor(const Pod& pod, const Release& release);

/// The requests of the preemptor for scores, as its containers state them. Clauses: SCORE-BALANCED-3,
/// SCORE-REQUESTS-3.
ResourceList real_requests_of_preemptor(const Pod& pod, const Release& release);

}  // namespace touchstone::optimized
