#pragma once

#include "reference/scores/scored_requests.hpp"

namespace touchstone::reference {

/// The score of a resource by its allocated part. Clauses: SCORE-STRATEGY-2.
Quantity most_allocated(const ScoredLoad& load, const Release& release);

}  // namespace touchstone::reference
