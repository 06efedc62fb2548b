#pragma once

#include <string>
#include <vector>

#include "spec/vocabulary/cluster.hpp"
#include "spec/releases/release.hpp"

namespace touchstone::kubernetes {

/// Merges matchLabelKeys and mismatchLabelKeys into label selectors, where the API server of a release does
/// by default: those of pod affinity and anti-affinity from v1.31 (pkg/registry/core/pod/strategy.go,
/// mutatePodAffinity; MatchLabelKeysInPodAffinity is alpha and off in v1.29 and v1.30), those of topology
/// spread from v1.34 (mutateTopologySpreadConstraints). A key that is no label of the pod, and a term without
/// a selector, stay as they are. Says so in `notes`.
void merge_label_keys(const Version& release, Pod& pod, std::vector<std::string>& notes);

}  // namespace touchstone::kubernetes
