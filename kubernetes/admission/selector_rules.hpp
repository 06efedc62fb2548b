#pragma once

#include <string_view>

#include "kubernetes/text/json.hpp"

/// Rejects selectors that no API server would have stored: an unknown operator, or values that do not fit the
/// operator. Readers accept such a selector, because it has a meaning for a scheduler (PRE-PDB-2,
/// PRE-NODEAFFINITY-3). In a dump or a manifest it is a mistake. All functions throw InvalidInput
/// (invalid-selector), which names the field. Requires: the object was read without an error.
namespace touchstone::kubernetes {

/// Checks spec.selector of a PodDisruptionBudget, a ReplicaSet or a StatefulSet: objects of a `kind`, a
/// string literal, whose selector is a LabelSelector.
void refuse_invalid_selector(const Value& object, std::string_view kind);

/// Checks a node affinity, of a pod or of a configuration of the scheduler.
void refuse_invalid_node_affinity(const Value& node_affinity);

/// Checks the node affinity, inter-pod affinity and topology spread of a Pod.
void refuse_invalid_selectors_of_pod(const Value& pod);

}  // namespace touchstone::kubernetes
