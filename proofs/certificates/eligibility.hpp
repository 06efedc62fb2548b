#pragma once

#include "reference/preemption/cycle.hpp"

namespace touchstone::proofs {

/// The reasons why the preemptor may not preempt.
struct Obstacles {
  bool policy_is_never = false;   ///< PRE-ELIGIBLE-1
  bool waits_for_victim = false;  ///< PRE-ELIGIBLE-2 to PRE-ELIGIBLE-4

  bool any() const { return policy_is_never || waits_for_victim; }
};

Obstacles obstacles(const reference::Cycle& cycle);

}  // namespace touchstone::proofs
