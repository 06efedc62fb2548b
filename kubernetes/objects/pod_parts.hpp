#pragma once

#include <string>
#include <vector>

#include "kubernetes/text/json.hpp"
#include "spec/vocabulary/cluster.hpp"

/// What the lists of a pod (and of a node) are made of. All throw InvalidInput, naming the field.
namespace touchstone::kubernetes {

Condition read_condition(const Value& value);
Container read_container(const Value& value);
Container read_init_container(const Value& value);
ContainerStatus read_container_status(const Value& value);
/// `resources` and `allocatedResources` of a status: a container's, or the pod's own.
ResourceStatus read_resource_status(const Value& value);
Toleration read_toleration(const Value& value);
TopologySpreadConstraint read_topology_spread(const Value& value);

/// The features that a pod's spec asks of its node, by the names that nodes declare, whichever release knows
/// them. Clauses: PRE-FEATURES-1.
std::vector<std::string> read_node_features(const Value& spec);

}  // namespace touchstone::kubernetes
