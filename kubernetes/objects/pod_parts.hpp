#pragma once

#include <string>
#include <vector>

#include "kubernetes/text/json.hpp"
#include "spec/vocabulary/cluster.hpp"

/// Readers for parts of pods and nodes. All throw InvalidInput, which names the field.
namespace touchstone::kubernetes {

Condition read_condition(const Value& value);
Container read_container(const Value& value);
Container read_init_container(const Value& value);
ContainerStatus read_container_status(const Value& value);
/// Reads `resources` and `allocatedResources` of a status: the status of a container, or of the pod itself.
ResourceStatus read_resource_status(const Value& value);
Toleration read_toleration(const Value& value);
TopologySpreadConstraint read_topology_spread(const Value& value);

/// The features that a pod's spec requires of its node, by the names that nodes declare. The result does not
/// depend on the release: it includes features that a release does not know. Clauses: PRE-FEATURES-1.
std::vector<std::string> read_node_features(const Value& spec);

}  // namespace touchstone::kubernetes
