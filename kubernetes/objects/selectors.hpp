#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "kubernetes/text/json.hpp"
#include "spec/vocabulary/cluster.hpp"

/// Selectors and affinity. All throw InvalidInput, naming the field.
namespace touchstone::kubernetes {

/// A label selector, or nothing where the field is missing; an empty selector is a selector.
std::optional<LabelSelector> label_selector_field(const Value& object, std::string_view key);

/// The required terms of spec.affinity.nodeAffinity; an empty list of terms differs from no requirement.
/// Requires: `spec` is the spec of a pod.
std::optional<std::vector<NodeSelectorTerm>> read_node_affinity(const Value& spec);

/// The terms of a node selector, in its field nodeSelectorTerms.
std::vector<NodeSelectorTerm> node_selector_terms_field(const Value& selector);

/// The required terms of spec.affinity.podAffinity or podAntiAffinity.
/// Requires: `spec` is the spec of a pod, `key` one of the two.
std::vector<PodAffinityTerm> read_pod_affinity(const Value& spec, std::string_view key);

}  // namespace touchstone::kubernetes
