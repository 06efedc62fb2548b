#pragma once

#include <cstddef>
#include <vector>

#include "oracle/protocol/engine.hpp"
#include "spec/vocabulary/cluster.hpp"

/// Estimates the work of the reference for a decision, and chooses an engine by it.
namespace touchstone::oracle {

/// The approximate number of pods that the reference looks at for a decision. On each node it runs the
/// filters once with all pods, once without the pods of lower priority, and once for each of these. Each run
/// looks at the pods of the node and at the pods of the cluster that have anti-affinity. If the preemptor has
/// affinity terms or spread constraints, it looks at all pods. Complexity: linear in nodes and pods.
std::size_t pods_looked_at(const Cluster& cluster, const Pod& preemptor);

/// The reference, or the optimized engine if the reference needs more than about one second on a current
/// processor for all these decisions. Requires: `preemptors` contains no null.
Engine engine_by_work(const Cluster& cluster, const std::vector<const Pod*>& preemptors);

}  // namespace touchstone::oracle
