#pragma once

#include "reference/queue/world.hpp"

/// Which pods the events of v1.28 to v1.31 look at. These releases ask no hints.
namespace touchstone::reference {

/// Whether a pod requires to be near a pod like this one. Topology is not looked at. Clauses: EVT-EARLY-2.
bool wants_pod(const Entry& entry, const PodObject& other, const Release& release);

/// Whether a pod passes the tests of a kubelet on a node, with the pods that run there now. Clauses:
/// EVT-EARLY-3.
bool may_run_there(const World& world, const Entry& entry, const Node& node);

}  // namespace touchstone::reference
