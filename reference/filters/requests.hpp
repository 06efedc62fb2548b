#pragma once

#include <vector>

#include "spec/vocabulary/cluster.hpp"
#include "spec/releases/release.hpp"

namespace touchstone::reference {

/// What a pod asks of a node, per resource, as this release computes it for the pod that is to be scheduled.
/// Clauses: PRE-REQUESTS-1, PRE-REQUESTS-3, PRE-REQUESTS-4, PRE-REQUESTS-5, PRE-REQUESTS-7.
ResourceList requests_of_preemptor(const Pod& pod, const Release& release);

/// What a pod takes of the node it is on, or is nominated to.
/// Clauses: as above, and PRE-REQUESTS-2, PRE-REQUESTS-6.
ResourceList requests_on_node(const Pod& pod, const Release& release);

/// Whether a pod has a restartable init container.
bool has_sidecar(const Pod& pod);

/// The host ports a pod needs: defaults filled in, ports of other kinds left out. Clauses: PRE-PORTS-1,
/// PRE-PORTS-3.
std::vector<ContainerPort> host_ports(const Pod& pod, const Release& release);

}  // namespace touchstone::reference
