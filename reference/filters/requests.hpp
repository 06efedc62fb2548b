#pragma once

#include <string>
#include <vector>

#include "spec/releases/release.hpp"
#include "spec/vocabulary/cluster.hpp"

namespace touchstone::reference {

/// The requests of the preemptor by resource, as the release computes them. `defaults` are the amounts for a
/// container that does not request a resource; filters have none. Clauses: PRE-REQUESTS-1, PRE-REQUESTS-3,
/// PRE-REQUESTS-4, PRE-REQUESTS-5, PRE-REQUESTS-7, SCORE-REQUESTS-1.
ResourceList requests_of_preemptor(const Pod& pod, const Release& release, const ResourceList& defaults = {});

/// The requests of a pod that is on a node or nominated to it, as the release computes them. Clauses: as
/// above, and PRE-REQUESTS-2, PRE-REQUESTS-6.
ResourceList requests_on_node(const Pod& pod, const Release& release, const ResourceList& defaults = {});

/// Whether a resource of this name counts. Other names, such as storage and pods, are ignored. Clauses:
/// PRE-REQUESTS-7.
bool is_counted(const std::string& resource);

/// Whether a pod has a pod-level request for a resource that counts at pod level. Clauses: PRE-REQUESTS-5.
bool has_pod_level_requests(const Pod& pod);

/// Whether a pod has a sidecar: a restartable init container.
bool has_sidecar(const Pod& pod);

/// The host ports that a pod needs, with absent protocols and addresses filled in. Container ports without a
/// host port are left out. Clauses: PRE-PORTS-1, PRE-PORTS-3.
std::vector<ContainerPort> host_ports(const Pod& pod, const Release& release);

}  // namespace touchstone::reference
