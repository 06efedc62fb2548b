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

std::vector<PodAffinityTerm> read_pod_affinity(const Value& spec, std::string_view key) {
  const auto affinity = spec.find("affinity");
  if (!affinity) return {};
  const auto pod_affinity = affinity->find(key);
  if (!pod_affinity) return {};
  return list_field(*pod_affinity, k_required, read_pod_affinity_term);
}

}  // namespace touchstone::kubernetes
