#pragma once

#include "reference/queue/world.hpp"

namespace touchstone::reference {

/// What the failure handler leaves to do.
struct Handled {
  std::optional<Call> patch;  ///< the patch of the pod's status, if something changes
  bool is_in_flight = false;  ///< the pod was not put back; its flight ends after the patch
};

/// Handles a failed attempt: puts the pod back, updates its nomination, and prepares the patch of its status.
/// Clauses: QUE-FAIL-1, QUE-FAIL-2, NOM-FAIL-1.
Handled handle_failure(World& world, Entry entry, const Failure& failure);

}  // namespace touchstone::reference
