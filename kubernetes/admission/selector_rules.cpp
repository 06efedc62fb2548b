#include "kubernetes/admission/selector_rules.hpp"

#include <charconv>
#include <string>

#include "kubernetes/objects/fields.hpp"

namespace touchstone::kubernetes {

namespace {

enum class Operators { of_labels, of_nodes, of_fields };

bool is_integer(const std::string& text) {
  Quantity value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

void check_requirement(const Value& requirement, Operators operators) {
  const std::string op = string_field(requirement, "operator");
  const std::vector<std::string> values = strings_field(requirement, "values");
  const auto fail = [&](const std::string& expected) {
    const auto at = requirement.find("operator");
    (at ? *at : requirement)
        .fail("invalid-selector", "expected " + expected + ", found \"" + op + "\" with " +
                                      std::to_string(values.size()) + " values");
  };
  if (op == "In" || op == "NotIn") {
    if (operators == Operators::of_fields && values.size() != 1) fail("one value for a field");
    if (values.empty()) fail("values for In and NotIn");
  } else if (operators != Operators::of_fields && (op == "Exists" || op == "DoesNotExist")) {
    if (!values.empty()) fail("no values for Exists and DoesNotExist");
  } else if (operators == Operators::of_nodes && (op == "Gt" || op == "Lt")) {
    if (values.size() != 1 || !is_integer(values[0])) fail("one integer for Gt and Lt");
  } else {
    fail(operators == Operators::of_labels  ? "In, NotIn, Exists or DoesNotExist"
         : operators == Operators::of_nodes ? "In, NotIn, Exists, DoesNotExist, Gt or Lt"
                                            : "In or NotIn");
  }
}

void check_requirements(const Value& object, std::string_view key, Operators operators) {
  const auto list = object.find(key);
  if (!list) return;
  for (const Value requirement : list->elements()) check_requirement(requirement, operators);
}

void check_label_selector(const Value& object, std::string_view key) {
  if (const auto selector = object.find(key))
    check_requirements(*selector, "matchExpressions", Operators::of_labels);
}

void check_pod_affinity(const Value& affinity, std::string_view key) {
  const auto pod_affinity = affinity.find(key);
  if (!pod_affinity) return;
  const auto check_term = [](const Value& term) {
    check_label_selector(term, "labelSelector");
    check_label_selector(term, "namespaceSelector");
  };
  if (const auto preferred = pod_affinity->find(k_preferred)) {
    for (const Value weighted : preferred->elements()) {
      if (const auto term = weighted.find("podAffinityTerm")) check_term(*term);
    }
  }
  const auto terms = pod_affinity->find(k_required);
  if (!terms) return;
  for (const Value term : terms->elements()) check_term(term);
}

}  // namespace

void refuse_invalid_node_affinity(const Value& node_affinity) {
  const auto check_term = [](const Value& term) {
    check_requirements(term, "matchExpressions", Operators::of_nodes);
    check_requirements(term, "matchFields", Operators::of_fields);
  };
  if (const auto preferred = node_affinity.find(k_preferred)) {
    for (const Value term : preferred->elements()) {
      if (const auto preference = term.find("preference")) check_term(*preference);
    }
  }
  const auto required = node_affinity.find(k_required);
  if (!required) return;
  const auto terms = required->find("nodeSelectorTerms");
  if (!terms) return;
  for (const Value term : terms->elements()) check_term(term);
}

void refuse_invalid_selector(const Value& value, std::string_view kind) {
  const Value object = value.as_object(kind);
  if (const auto spec = object.find("spec")) check_label_selector(*spec, "selector");
}

void refuse_invalid_selectors_of_pod(const Value& value) {
  const Value pod = value.as_object("Pod");
  const auto spec = pod.find("spec");
  if (!spec) return;
  if (const auto affinity = spec->find("affinity")) {
    if (const auto node_affinity = affinity->find("nodeAffinity"))
      refuse_invalid_node_affinity(*node_affinity);
    check_pod_affinity(*affinity, "podAffinity");
    check_pod_affinity(*affinity, "podAntiAffinity");
  }
  if (const auto spread = spec->find("topologySpreadConstraints")) {
    for (const Value constraint : spread->elements()) check_label_selector(constraint, "labelSelector");
  }
}

}  // namespace touchstone::kubernetes
