#pragma once

#include <vector>

#include "reference/preemption/cycle.hpp"

/// The Services and the pods that the service affinities of a Policy look at.
namespace touchstone::reference {

/// The selectors of the Services that select the preemptor, in list order. Clauses: POL-SERVICE-1,
/// POL-APART-1.
std::vector<LabelSelector> services_of_preemptor(const Cycle& cycle);

/// The nodes of the pods that have all of the preemptor's labels and its namespace, in the order of the
/// cluster's nodes, one entry for each pod. `state`: the state of one node; removed pods do not count there.
/// Clauses: POL-SERVICE-1.
std::vector<NodeIndex> nodes_of_own_pods(const Cycle& cycle, const NodeState& state);

/// Whether a random choice among such pods can decide which nodes the filter accepts. Clauses: POL-SERVICE-2.
bool service_affinity_is_random(const Cycle& cycle);

/// Whether a nominated pod that counts on some node has all of the preemptor's labels and its namespace.
/// Clauses: POL-SERVICE-2.
bool service_affinity_meets_nominated(const Cycle& cycle);

}  // namespace touchstone::reference
