#pragma once

#include <vector>

#include "reference/preemption/cycle.hpp"

namespace touchstone::reference {

/// The selectors of the Services and controllers that select the preemptor. A pod is counted if one of them
/// matches it, or if all do: release.several_selectors. With SeveralSelectors::merged there is at most one.
/// Clauses: SCORE-SELECTOR-1, SCORE-SELECTOR-2.
std::vector<LabelSelector> own_selectors(const Cycle& cycle);

}  // namespace touchstone::reference
