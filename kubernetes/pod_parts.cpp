#include "kubernetes/pod_parts.hpp"

#include "kubernetes/fields.hpp"
#include "kubernetes/selectors.hpp"

namespace touchstone::kubernetes {

namespace {

ContainerPort read_port(const Value& value) {
  const auto host_port = value.find("hostPort");
  return {.protocol = string_field(value, "protocol"),
          .host_ip = string_field(value, "hostIP"),
          .host_port = host_port ? host_port->integer(0, k_port_max) : 0};
}

}  // namespace

Condition read_condition(const Value& value) {
  return {.type = string_field(value, "type"),
          .status = string_field(value, "status"),
          .reason = string_field(value, "reason")};
}

Container read_container(const Value& value) {
  return {.name = string_field(value, "name"),
          .requests = requests_field(value).value_or(ResourceList{}),
          .ports = list_field(value, "ports", read_port)};
}

Container read_init_container(const Value& value) {
  Container container = read_container(value);
  container.restart_always = string_field(value, "restartPolicy") == "Always";
  return container;
}

ContainerStatus read_container_status(const Value& value) {
  return {.name = string_field(value, "name"),
          .resource_requests = requests_field(value),
          .allocated_resources = resources_field(value, "allocatedResources").value_or(ResourceList{})};
}

Toleration read_toleration(const Value& value) {
  return {.key = string_field(value, "key"),
          .op = string_field(value, "operator"),
          .value = string_field(value, "value"),
          .effect = string_field(value, "effect")};
}

TopologySpreadConstraint read_topology_spread(const Value& value) {
  const auto min_domains = value.find("minDomains");
  TopologySpreadConstraint spread;
  spread.topology_key = string_field(value, "topologyKey");
  spread.when_unsatisfiable = string_field(value, "whenUnsatisfiable");
  spread.max_skew = int32_field(value, "maxSkew");
  spread.label_selector = label_selector_field(value, "labelSelector");
  if (min_domains) spread.min_domains = int32_field(value, "minDomains");
  spread.node_affinity_policy = string_field(value, "nodeAffinityPolicy");
  spread.node_taints_policy = string_field(value, "nodeTaintsPolicy");
  spread.match_label_keys = strings_field(value, "matchLabelKeys");
  return spread;
}

bool needs_node_features(const Value& spec) {
  const auto host_network = spec.find("hostNetwork");
  const auto host_users = spec.find("hostUsers");
  if (host_network && host_network->boolean() && host_users && !host_users->boolean()) return true;
  for (const std::string_view list : {"containers", "initContainers"}) {
    const auto containers = spec.find(list);
    if (!containers) continue;
    for (const Value container : containers->elements()) {
      const auto rules = container.find("restartPolicyRules");
      if (!rules) continue;
      for (const Value rule : rules->elements()) {
        if (string_field(rule, "action") == "RestartAllContainers") return true;
      }
    }
  }
  return false;
}

}  // namespace touchstone::kubernetes
