#pragma once

#include <string>

#include "reference/preemption/cycle.hpp"
#include "spec/vocabulary/cluster.hpp"

namespace touchstone::proofs {

/// What a certificate would need and does not have, the filter first; empty: nothing. Beyond reach is what
/// the reference skips; filters that look at other pods but for resources and host ports; names that no node
/// has; a quota; sizes.
std::string beyond_reach(const reference::Cycle& cycle, const Question& question);

}  // namespace touchstone::proofs
