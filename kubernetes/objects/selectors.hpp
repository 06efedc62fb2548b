#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "kubernetes/text/json.hpp"
#include "spec/vocabulary/cluster.hpp"

/// Readers for selectors and affinity. All throw InvalidInput, which names the field.
namespace touchstone::kubernetes {

/// The label selector in a field; nothing if the field is missing. An empty selector is not nothing.
std::optional<LabelSelector> label_selector_field(const Value& object, std::string_view key);

/// The required terms of spec.affinity.nodeAffinity. An empty list of terms is not the same as no
/// requirement.
/// Requires: `spec` is the spec of a pod.
std::optional<std::vector<NodeSelectorTerm>> read_node_affinity(const Value& spec);

/// The preferred terms of spec.affinity.nodeAffinity. A term without a preference is empty.
/// Requires: `spec` is the spec of a pod. Errors: out-of-range (weight).
std::vector<PreferredNodeTerm> read_preferred_node_affinity(const Value& spec);

/// The preferred terms of a node affinity. Errors: out-of-range (weight).
std::vector<PreferredNodeTerm> preferred_node_terms_field(const Value& node_affinity);

/// The terms in the field nodeSelectorTerms of a node selector.
std::vector<NodeSelectorTerm> node_selector_terms_field(const Value& selector);

/// The required terms of spec.affinity.podAffinity or podAntiAffinity.
/// Requires: `spec` is the spec of a pod; `key` is one of these two names.
std::vector<PodAffinityTerm> read_pod_affinity(const Value& spec, std::string_view key);

/// The preferred terms there. Requires: as read_pod_affinity. Errors: out-of-range (weight).
std::vector<WeightedPodAffinityTerm> read_preferred_pod_affinity(const Value& spec, std::string_view key);

}  // namespace touchstone::kubernetes
