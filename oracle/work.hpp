#pragma once

#include <cstddef>
#include <vector>

#include "oracle/protocol/engine.hpp"
#include "spec/vocabulary/cluster.hpp"

/// What a decision costs the reference, and which engine is chosen for that reason.
namespace touchstone::oracle {

/// About how many pods the reference looks at until it has decided. On each node it runs the filters once as
/// the node is, once without the pods of lower priority, and once for each of those. A run looks at the pods
/// of the node, at the pods of the cluster that have anti-affinity, and at all pods where the preemptor has
/// terms or spreads. Complexity: linear in nodes and pods.
std::size_t pods_looked_at(const Cluster& cluster, const Pod& preemptor);

/// The reference, or the optimized engine where the reference would need more than about a second of a
/// current processor for all these decisions. Requires: `preemptors` has no null.
Engine engine_by_work(const Cluster& cluster, const std::vector<const Pod*>& preemptors);

}  // namespace touchstone::oracle
