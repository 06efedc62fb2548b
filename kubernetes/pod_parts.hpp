#pragma once

#include <string>
#include <vector>

#include "kubernetes/json.hpp"
#include "spec/cluster.hpp"

/// What the lists of a pod (and of a node) are made of. All throw InvalidInput, naming the field.
namespace touchstone::kubernetes {

Condition read_condition(const Value& value);
Container read_container(const Value& value);
Container read_init_container(const Value& value);
ContainerStatus read_container_status(const Value& value);
Toleration read_toleration(const Value& value);
TopologySpreadConstraint read_topology_spread(const Value& value);

/// Whether a pod asks for what only some nodes declare that they can do: user namespaces with the host's
/// network, or a container whose end restarts all containers.
bool needs_node_features(const Value& spec);

}  // namespace touchstone::kubernetes
