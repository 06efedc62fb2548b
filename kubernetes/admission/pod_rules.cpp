#include "kubernetes/admission/pod_rules.hpp"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <set>
#include <string>
#include <utility>

#include "kubernetes/objects/fields.hpp"
#include "kubernetes/objects/names.hpp"

namespace touchstone::kubernetes {

namespace {

using Words = std::initializer_list<std::string_view>;

/// First minor in which the API server itself merges the keys of spread constraints. It then checks them as
/// it checks the keys of affinity.
constexpr int k_spread_merged_minor = 34;
constexpr int k_affinity_keys_minor = 31;
constexpr int k_spread_keys_minor = 27;
/// ContainerRestartRules: from this minor, an init container may have any restartPolicy.
constexpr int k_restart_rules_minor = 35;

[[noreturn]] void refuse(const Value& value, const std::string& expected) {
  value.fail("invalid-field", "expected " + expected + ", found \"" + std::string(value.string()) + "\"");
}

/// Checks that a field has one of these words. An empty string counts as a missing field.
void check_one_of(const Value& object, std::string_view key, Words words) {
  const auto value = object.find(key);
  if (!value || value->string().empty()) return;
  if (std::find(words.begin(), words.end(), value->string()) != words.end()) return;
  std::string expected;
  for (const std::string_view word : words) expected += (expected.empty() ? "" : " or ") + std::string(word);
  refuse(*value, expected);
}

void check_label_key(const Value& value) {
  if (!is_qualified_name(value.string())) refuse(value, "the key of a label");
}

void check_labels(const Value& object, std::string_view key) {
  const auto labels = object.find(key);
  if (!labels) return;
  for (const Value label : labels->members()) {
    if (!is_qualified_name(label.key())) label.fail("invalid-field", "expected the key of a label");
    if (!is_label_value(label.string())) refuse(label, "the value of a label");
  }
}

void check_requirements(const Value& object, std::string_view key) {
  const auto list = object.find(key);
  if (!list) return;
  for (const Value requirement : list->elements()) {
    check_label_key(requirement.require("key"));
    const auto values = requirement.find("values");
    if (!values) continue;
    for (const Value value : values->elements()) {
      if (!is_label_value(value.string())) refuse(value, "the value of a label");
    }
  }
}

void check_selector(const Value& object, std::string_view key) {
  const auto selector = object.find(key);
  if (!selector) return;
  check_labels(*selector, "matchLabels");
  check_requirements(*selector, "matchExpressions");
}

/// Adds the name in field `key` to `names`. Rejects a name that is there already.
void expect_new(std::set<std::string>& names, const Value& object, std::string_view key) {
  const Value name = object.require(key);
  if (!names.emplace(name.string()).second)
    name.fail("duplicate-object", "expected this name once, found another " + std::string(name.string()));
}

void check_names(const Value& metadata) {
  for (const std::string_view key : {"name", "generateName"}) {
    const auto name = metadata.find(key);
    if (!name || name->string().empty()) continue;
    std::string text(name->string());
    if (key == "generateName") text += "x";
    if (!is_dns_subdomain(text)) refuse(*name, "lower case letters, digits, and - or . between them");
  }
  check_labels(metadata, "labels");
}

void check_ports(const Value& container, const std::vector<ContainerPort>& read, bool is_in_host_network,
                 std::set<std::string>& taken) {
  const auto ports = container.find("ports");
  if (!ports) return;
  auto port = read.begin();
  for (const Value value : ports->elements()) {
    check_one_of(value, "protocol", {"TCP", "UDP", "SCTP"});
    const Quantity number = port->host_port;
    if (is_in_host_network && number != value.require("containerPort").integer(1, k_port_max))
      value.require("hostPort").fail("invalid-field", "expected the containerPort, because of hostNetwork");
    const std::string name = port->protocol + "/" + port->host_ip + "/" + std::to_string(number);
    if (number != 0 && !taken.insert(name).second)
      value.fail("duplicate-object", "expected a host port that no other container has");
    ++port;
  }
}

void check_containers(const Value& spec, const Pod& pod, const Version& release) {
  const auto host_network = spec.find("hostNetwork");
  const bool is_in_host_network = host_network && host_network->boolean();
  std::set<std::string> names;
  std::set<std::string> ports;
  const auto check_name = [&](const Value& container) {
    expect_new(names, container, "name");
    const Value name = container.require("name");
    if (!is_dns_label(name.string())) refuse(name, "lower case letters, digits, and - between them");
  };
  auto read = pod.containers.begin();
  const Value containers = spec.require("containers");
  for (const Value container : containers.elements()) {
    check_name(container);
    check_ports(container, (read++)->ports, is_in_host_network, ports);
  }
  read = pod.init_containers.begin();
  const auto init_containers = spec.find("initContainers");
  if (!init_containers) return;
  for (const Value container : init_containers->elements()) {
    check_name(container);
    std::set<std::string> own;  // init containers run one after another, so they may share a port
    check_ports(container, (read++)->ports, false, own);
    if (release.minor < k_restart_rules_minor) {
      check_one_of(container, "restartPolicy", {"Always"});
    } else {
      check_one_of(container, "restartPolicy", {"Always", "OnFailure", "Never"});
    }
  }
}

void check_weight(const Value& term) { term.require("weight").integer(1, 100); }

void check_node_terms(const Value& selector) {
  const Value terms = selector.require("nodeSelectorTerms");
  if (terms.elements().size() == 0) terms.fail("missing-field", "expected at least one term");
  for (const Value term : terms.elements()) {
    check_requirements(term, "matchExpressions");
    const auto fields = term.find("matchFields");
    if (!fields) continue;
    for (const Value field : fields->elements()) {
      const Value key = field.require("key");
      if (key.string() != "metadata.name") refuse(key, "metadata.name");
    }
  }
}

void check_affinity_to_nodes(const Value& affinity) {
  const auto node_affinity = affinity.find("nodeAffinity");
  if (!node_affinity) return;
  if (const auto required = node_affinity->find(k_required)) check_node_terms(*required);
  const auto preferred = node_affinity->find(k_preferred);
  if (!preferred) return;
  for (const Value term : preferred->elements()) {
    check_weight(term);
    check_requirements(term.require("preference"), "matchExpressions");
  }
}

/// Checks that each element is the key of a label, and that the term has a labelSelector.
void check_label_keys(const Value& term, std::string_view key) {
  const auto keys = term.find(key);
  if (!keys) return;
  for (const Value value : keys->elements()) {
    if (!term.find("labelSelector"))
      keys->fail("forbidden-field", "expected a labelSelector beside " + std::string(key));
    check_label_key(value);
  }
}

/// Counts the requirements of a selector for the key.
std::size_t uses_of(const std::string& key, const std::optional<LabelSelector>& selector) {
  if (!selector) return 0;
  const auto& expressions = selector->match_expressions;
  return selector->match_labels.count(key) +
         static_cast<std::size_t>(std::count_if(expressions.begin(), expressions.end(),
                                                [&](const Requirement& each) { return each.key == key; }));
}

void check_unused(const Value& term, const std::vector<std::string>& keys,
                  const std::optional<LabelSelector>& selector, std::size_t uses_most) {
  for (const std::string& key : keys) {
    if (uses_of(key, selector) > uses_most)
      term.require("matchLabelKeys")
          .fail("invalid-field", "expected keys that the labelSelector does not name, found " + key);
  }
}

void check_affinity_term(const Value& term) {
  const Value topology_key = term.require("topologyKey");
  if (topology_key.string().empty()) topology_key.fail("missing-field", "expected a topologyKey");
  check_label_key(topology_key);
  check_selector(term, "labelSelector");
  check_selector(term, "namespaceSelector");
  const auto namespaces = term.find("namespaces");
  if (!namespaces) return;
  for (const Value name : namespaces->elements()) {
    if (!is_dns_label(name.string())) refuse(name, "the name of a namespace");
  }
}

void check_required_term(const Value& term, const PodAffinityTerm& read, const Version& release) {
  check_affinity_term(term);
  if (release.minor < k_affinity_keys_minor) return;
  check_label_keys(term, "matchLabelKeys");
  check_label_keys(term, "mismatchLabelKeys");
  check_unused(term, read.match_label_keys, read.label_selector, 1);
  for (const std::string& key : read.match_label_keys) {
    const auto& others = read.mismatch_label_keys;
    if (std::find(others.begin(), others.end(), key) != others.end())
      term.require("matchLabelKeys")
          .fail("invalid-field", "expected keys that mismatchLabelKeys does not have, found " + key);
  }
}

void check_pod_affinity(const Value& affinity, std::string_view key,
                        const std::vector<PodAffinityTerm>& terms, const Version& release) {
  const auto pod_affinity = affinity.find(key);
  if (!pod_affinity) return;
  if (const auto required = pod_affinity->find(k_required)) {
    auto read = terms.begin();
    for (const Value term : required->elements()) check_required_term(term, *read++, release);
  }
  const auto preferred = pod_affinity->find(k_preferred);
  if (!preferred) return;
  for (const Value term : preferred->elements()) {
    check_weight(term);
    check_affinity_term(term.require("podAffinityTerm"));
  }
}

void check_toleration(const Value& toleration) {
  const std::string key = string_field(toleration, "key");
  const std::string op = string_field(toleration, "operator");
  const std::string value = string_field(toleration, "value");
  if (!key.empty()) check_label_key(toleration.require("key"));
  check_one_of(toleration, "operator", {"Equal", "Exists"});
  check_one_of(toleration, "effect", {"NoSchedule", "PreferNoSchedule", "NoExecute"});
  if (key.empty() && op != "Exists")
    toleration.fail("invalid-field", "expected the operator Exists, because there is no key");
  if (op == "Exists" && !value.empty()) refuse(toleration.require("value"), "no value beside Exists");
  if (!is_label_value(value)) refuse(toleration.require("value"), "the value of a label");
  if (toleration.find("tolerationSeconds") && string_field(toleration, "effect") != "NoExecute")
    toleration.fail("invalid-field", "expected the effect NoExecute beside tolerationSeconds");
}

void check_spread(const Value& spec, const Pod& pod, const Version& release) {
  constexpr Quantity k_most = std::numeric_limits<std::int32_t>::max();
  const auto constraints = spec.find("topologySpreadConstraints");
  if (!constraints) return;
  std::set<std::pair<std::string, std::string>> kinds;
  auto read = pod.topology_spread.begin();
  for (const Value constraint : constraints->elements()) {
    constraint.require("maxSkew").integer(1, k_most);
    const std::string topology_key = name_field(constraint, "topologyKey");
    const std::string action = name_field(constraint, "whenUnsatisfiable");
    check_one_of(constraint, "whenUnsatisfiable", {"DoNotSchedule", "ScheduleAnyway"});
    if (!kinds.emplace(topology_key, action).second)
      constraint.fail("duplicate-object",
                      "expected one constraint of this topologyKey and whenUnsatisfiable");
    if (const auto least = constraint.find("minDomains")) {
      least->integer(1, k_most);
      if (action != "DoNotSchedule")
        least->fail("invalid-field", "expected minDomains with DoNotSchedule only");
    }
    check_one_of(constraint, "nodeAffinityPolicy", {"Honor", "Ignore"});
    check_one_of(constraint, "nodeTaintsPolicy", {"Honor", "Ignore"});
    check_selector(constraint, "labelSelector");
    if (release.minor >= k_spread_keys_minor) {
      check_label_keys(constraint, "matchLabelKeys");
      const std::size_t uses_most = release.minor >= k_spread_merged_minor ? 1 : 0;
      check_unused(constraint, read->match_label_keys, read->label_selector, uses_most);
    }
    ++read;
  }
}

/// Checks that every element of a list has a name of this form, and that no two names are equal.
void check_named(const Value& spec, std::string_view key, bool (*has_form)(std::string_view)) {
  const auto list = spec.find(key);
  if (!list) return;
  std::set<std::string> names;
  for (const Value element : list->elements()) {
    expect_new(names, element, "name");
    const Value name = element.require("name");
    if (!has_form(name.string())) refuse(name, "a name of letters, digits, and - between them");
  }
}

}  // namespace

void check_pod(const Value& object, const Pod& pod, const Version& release) {
  if (const auto metadata = object.find("metadata")) check_names(*metadata);
  const Value spec = object.require("spec");
  check_containers(spec, pod, release);
  const auto ephemeral = spec.find("ephemeralContainers");
  if (ephemeral && ephemeral->elements().size() > 0)
    ephemeral->fail("forbidden-field", "expected no ephemeralContainers in a new pod");
  check_labels(spec, "nodeSelector");
  if (const auto affinity = spec.find("affinity")) {
    check_affinity_to_nodes(*affinity);
    check_pod_affinity(*affinity, "podAffinity", pod.pod_affinity, release);
    check_pod_affinity(*affinity, "podAntiAffinity", pod.pod_anti_affinity, release);
  }
  if (const auto tolerations = spec.find("tolerations")) {
    for (const Value toleration : tolerations->elements()) check_toleration(toleration);
  }
  check_spread(spec, pod, release);
  check_named(spec, "schedulingGates", is_qualified_name);
  check_named(spec, "volumes", is_dns_label);
  check_named(spec, "resourceClaims", is_dns_label);
}

}  // namespace touchstone::kubernetes
