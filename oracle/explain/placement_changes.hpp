#pragma once

#include <vector>

#include "oracle/explain/what_if.hpp"
#include "oracle/protocol/decider.hpp"
#include "spec/releases/release.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/placement.hpp"

namespace touchstone::oracle {

/// The changes that would move a pod to another node, and how many changes were tried.
struct PlacementChanges {
  std::vector<WhatIf> found;
  std::size_t tried = 0;  ///< cycles that were run again, each with one change
  bool is_cut = false;    ///< more changes are known than were tried
};

/// Finds small changes after which the pod goes to another node than its host: points, weights, taints,
/// labels, images, requests, pods and terms. Each change is of one kind and of one node or of the pod.
/// Ensures: `decider` scheduled the pod again with every reported change, except for points, which are sums.
/// Requires: the placement has a host. Complexity: at most three dozen cycles; fewer in a large cluster.
PlacementChanges placement_changes(const Question& question, const Release& release,
                                   const Placement& placement, const Decider& decider = reference_decider());

}  // namespace touchstone::oracle
