#pragma once

#include <string>
#include <vector>

#include "spec/releases/release.hpp"
#include "spec/vocabulary/cluster.hpp"

namespace touchstone::kubernetes {

/// Merges matchLabelKeys and mismatchLabelKeys into label selectors, where the API server of a release does
/// so by default.
///  - Pod affinity and anti-affinity, required and preferred: from v1.31 (pkg/registry/core/pod/strategy.go,
///  mutatePodAffinity;
///    MatchLabelKeysInPodAffinity is alpha and off in v1.29 and v1.30).
///  - Topology spread: from v1.34 (mutateTopologySpreadConstraints).
/// A key that is not a label of the pod is not merged. A term without a selector stays as it is. Adds a note
/// to `notes` for each merged key.
void merge_label_keys(const Version& release, Pod& pod, std::vector<std::string>& notes);

}  // namespace touchstone::kubernetes
