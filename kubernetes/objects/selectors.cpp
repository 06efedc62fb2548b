#include "kubernetes/objects/selectors.hpp"

#include "kubernetes/objects/fields.hpp"

namespace touchstone::kubernetes {

namespace {

Requirement read_requirement(const Value& value) {
  return {.key = string_field(value, "key"),
          .op = string_field(value, "operator"),
          .values = strings_field(value, "values")};
}

NodeSelectorTerm read_node_selector_term(const Value& value) {
  return {.match_expressions = list_field(value, "matchExpressions", read_requirement),
          .match_fields = list_field(value, "matchFields", read_requirement)};
}

PodAffinityTerm read_pod_affinity_term(const Value& value) {
  return {.label_selector = label_selector_field(value, "labelSelector"),
          .namespaces = strings_field(value, "namespaces"),
          .namespace_selector = label_selector_field(value, "namespaceSelector"),
          .topology_key = string_field(value, "topologyKey"),
          .match_label_keys = strings_field(value, "matchLabelKeys"),
          .mismatch_label_keys = strings_field(value, "mismatchLabelKeys")};
}

PreferredNodeTerm read_preferred_node_term(const Value& value) {
  const auto preference = value.find("preference");
  return {.weight = int32_field(value, "weight"),
          .preference = preference ? read_node_selector_term(*preference) : NodeSelectorTerm{}};
}

WeightedPodAffinityTerm read_weighted_term(const Value& value) {
  const auto term = value.find("podAffinityTerm");
  return {.weight = int32_field(value, "weight"),
          .term = term ? read_pod_affinity_term(*term) : PodAffinityTerm{}};
}

/// The list `key` of one member of spec.affinity; empty if it is missing.
template <typename Read>
auto affinity_terms(const Value& spec, std::string_view member, std::string_view key, Read read) {
  std::vector<std::invoke_result_t<Read, const Value&>> none;
  const auto affinity = spec.find("affinity");
  if (!affinity) return none;
  const auto of_member = affinity->find(member);
  return of_member ? list_field(*of_member, key, read) : none;
}

}  // namespace

std::optional<LabelSelector> label_selector_field(const Value& object, std::string_view key) {
  const auto field = object.find(key);
  if (!field) return std::nullopt;
  return LabelSelector{.match_labels = labels_field(*field, "matchLabels"),
                       .match_expressions = list_field(*field, "matchExpressions", read_requirement)};
}

std::optional<std::vector<NodeSelectorTerm>> read_node_affinity(const Value& spec) {
  const auto affinity = spec.find("affinity");
  if (!affinity) return std::nullopt;
  const auto node_affinity = affinity->find("nodeAffinity");
  if (!node_affinity) return std::nullopt;
  const auto required = node_affinity->find(k_required);
  if (!required) return std::nullopt;
  return node_selector_terms_field(*required);
}

std::vector<NodeSelectorTerm> node_selector_terms_field(const Value& selector) {
  return list_field(selector, "nodeSelectorTerms", read_node_selector_term);
}

std::vector<PreferredNodeTerm> preferred_node_terms_field(const Value& node_affinity) {
  return list_field(node_affinity, k_preferred, read_preferred_node_term);
}

std::vector<PreferredNodeTerm> read_preferred_node_affinity(const Value& spec) {
  return affinity_terms(spec, "nodeAffinity", k_preferred, read_preferred_node_term);
}

std::vector<PodAffinityTerm> read_pod_affinity(const Value& spec, std::string_view key) {
  return affinity_terms(spec, key, k_required, read_pod_affinity_term);
}

std::vector<WeightedPodAffinityTerm> read_preferred_pod_affinity(const Value& spec, std::string_view key) {
  return affinity_terms(spec, key, k_preferred, read_weighted_term);
}

}  // namespace touchstone::kubernetes
