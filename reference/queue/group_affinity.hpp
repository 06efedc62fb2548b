#pragma once

#include "reference/queue/world.hpp"

namespace touchstone::reference {

/// Removes the terms of placed pods of a group that the release overlooks while it tries another pod of the
/// group. Returns whether there are some. `before`: the cache without the placed pods. Requires: the question
/// is about a pod of the group, and its other pods are those of the cache and of the nominations. Clauses:
/// QUE-GROUP-6.
bool overlook_affinity(const Cache& before, Question& question);

}  // namespace touchstone::reference
