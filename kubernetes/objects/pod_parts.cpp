#include "kubernetes/objects/pod_parts.hpp"

#include "kubernetes/objects/fields.hpp"
#include "kubernetes/objects/selectors.hpp"
#include "spec/vocabulary/node_features.hpp"

namespace touchstone::kubernetes {

namespace {

ContainerPort read_port(const Value& value) {
  const auto host_port = value.find("hostPort");
  return {.protocol = string_field(value, "protocol"),
          .host_ip = string_field(value, "hostIP"),
          .host_port = host_port ? host_port->integer(0, k_port_max) : 0};
}

/// The limits of a container; empty if it has none.
ResourceList limits_field(const Value& container) {
  const auto resources = container.find("resources");
  if (!resources) return {};
  return resources_field(*resources, "limits").value_or(ResourceList{});
}

/// True if a container in one of these lists of a pod's spec has an element in its list `field` for which
/// `wanted` is true.
template <typename Wanted>
bool some_container_has(const Value& spec, std::initializer_list<std::string_view> lists,
                        std::string_view field, Wanted wanted) {
  for (const std::string_view list : lists) {
    const auto containers = spec.find(list);
    if (!containers) continue;
    for (const Value container : containers->elements()) {
      const auto elements = container.find(field);
      if (!elements) continue;
      for (const Value element : elements->elements()) {
        if (wanted(element)) return true;
      }
    }
  }
  return false;
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
          .ports = list_field(value, "ports", read_port),
          .restart_always = false,
          .image = string_field(value, "image"),
          .limits = limits_field(value)};
}

Container read_init_container(const Value& value) {
  Container container = read_container(value);
  container.restart_always = string_field(value, "restartPolicy") == "Always";
  return container;
}

ResourceStatus read_resource_status(const Value& value) {
  ResourceStatus status;
  const auto resources = value.find("resources");
  status.has_resources = resources.has_value();
  if (resources) status.requests = resources_field(*resources, "requests");
  status.allocated = resources_field(value, "allocatedResources");
  return status;
}

ContainerStatus read_container_status(const Value& value) {
  return {.name = string_field(value, "name"), .resources = read_resource_status(value)};
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

std::vector<std::string> read_node_features(const Value& spec) {
  std::vector<std::string> features;
  const auto host_network = spec.find("hostNetwork");
  const auto host_users = spec.find("hostUsers");
  if (host_network && host_network->boolean() && host_users && !host_users->boolean())
    features.emplace_back(k_user_namespaces_on_host_network);
  if (some_container_has(spec, {"containers", "initContainers"}, "restartPolicyRules", [](const Value rule) {
        return string_field(rule, "action") == "RestartAllContainers";
      }))
    features.emplace_back(k_restart_all_containers);
  if (some_container_has(spec, {"containers", "initContainers", "ephemeralContainers"}, "volumeMounts",
                         [](const Value mount) { return !strings_field(mount, "bindMountOptions").empty(); }))
    features.emplace_back(k_bind_mount_options);
  return features;
}

}  // namespace touchstone::kubernetes
