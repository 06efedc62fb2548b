#include "kubernetes/objects/objects.hpp"

#include <limits>

#include "kubernetes/objects/controllers.hpp"
#include "kubernetes/objects/fields.hpp"
#include "kubernetes/objects/pod_parts.hpp"
#include "kubernetes/objects/selectors.hpp"
#include "kubernetes/objects/volumes.hpp"

namespace touchstone::kubernetes {

namespace {

Taint read_taint(const Value& value) {
  return {.key = string_field(value, "key"),
          .value = string_field(value, "value"),
          .effect = string_field(value, "effect")};
}

NodeImage read_image(const Value& value) {
  const auto size = value.find("sizeBytes");
  return {.names = strings_field(value, "names"),
          .size = size ? size->integer(0, std::numeric_limits<Quantity>::max()) : 0};
}

std::string read_name_field(const Value& value) { return string_field(value, "name"); }

void read_pod_spec(const Value& spec, Pod& pod) {
  pod.node_name = string_field(spec, "nodeName");
  pod.priority = int32_field(spec, "priority");
  pod.preemption_policy = string_field(spec, "preemptionPolicy");
  pod.scheduler_name = string_field(spec, "schedulerName");
  pod.scheduling_gates = list_field(spec, "schedulingGates", read_name_field);
  pod.containers = list_field(spec, "containers", read_container);
  pod.init_containers = list_field(spec, "initContainers", read_init_container);
  pod.overhead = resources_field(spec, "overhead").value_or(ResourceList{});
  pod.pod_level_requests = requests_field(spec);
  if (pod.pod_level_requests && pod.pod_level_requests->empty()) pod.pod_level_requests.reset();
  pod.node_selector = labels_field(spec, "nodeSelector");
  pod.node_affinity = read_node_affinity(spec);
  pod.preferred_node_affinity = read_preferred_node_affinity(spec);
  pod.tolerations = list_field(spec, "tolerations", read_toleration);
  pod.pod_affinity = read_pod_affinity(spec, "podAffinity");
  pod.pod_anti_affinity = read_pod_affinity(spec, "podAntiAffinity");
  pod.preferred_pod_affinity = read_preferred_pod_affinity(spec, "podAffinity");
  pod.preferred_pod_anti_affinity = read_preferred_pod_affinity(spec, "podAntiAffinity");
  pod.topology_spread = list_field(spec, "topologySpreadConstraints", read_topology_spread);
  pod.volumes = list_field(spec, "volumes", read_volume);
  pod.node_features = read_node_features(spec);
  pod.resource_claims = list_field(spec, "resourceClaims", read_name_field);
}

void read_pod_status(const Value& status, Pod& pod) {
  pod.phase = string_field(status, "phase");
  pod.nominated_node_name = string_field(status, "nominatedNodeName");
  pod.start_time_ns = time_field(status, "startTime");
  pod.conditions = list_field(status, "conditions", read_condition);
  pod.container_statuses = list_field(status, "containerStatuses", read_container_status);
  for (ContainerStatus& init : list_field(status, "initContainerStatuses", read_container_status)) {
    pod.container_statuses.push_back(std::move(init));
  }
  pod.resource_status = read_resource_status(status);
}

}  // namespace

Node read_node(const Value& value) {
  const Value object = value.as_object("Node");
  const Value metadata = object.require("metadata");
  Node node;
  node.name = name_field(metadata);
  node.labels = labels_field(metadata, "labels");
  node.avoided = read_avoided(metadata);
  if (const auto spec = object.find("spec")) {
    node.unschedulable = bool_field(*spec, "unschedulable");
    node.taints = list_field(*spec, "taints", read_taint);
  }
  if (const auto status = object.find("status")) {
    node.allocatable = resources_field(*status, "allocatable").value_or(ResourceList{});
    node.conditions = list_field(*status, "conditions", read_condition);
    node.declared_features = strings_field(*status, "declaredFeatures");
    node.images = list_field(*status, "images", read_image);
  }
  return node;
}

Pod read_new_pod(const Value& value) {
  const Value object = value.as_object("Pod");
  Pod pod;
  if (const auto metadata = object.find("metadata")) pod.labels = labels_field(*metadata, "labels");
  if (const auto spec = object.find("spec")) read_pod_spec(*spec, pod);
  return pod;
}

Pod read_pod(const Value& value) {
  const Value object = value.as_object("Pod");
  const Value metadata = object.require("metadata");
  Pod pod;
  pod.name = name_field(metadata);
  pod.ns = namespace_field(metadata);
  pod.uid = string_field(metadata, "uid");
  pod.labels = labels_field(metadata, "labels");
  pod.terminating = time_field(metadata, "deletionTimestamp").has_value();
  pod.controller = read_controller(metadata);
  if (const auto spec = object.find("spec")) read_pod_spec(*spec, pod);
  if (const auto status = object.find("status")) read_pod_status(*status, pod);
  return pod;
}

std::optional<Quantity> read_grace_seconds(const Value& value) {
  const auto spec = value.find("spec");
  const auto seconds = spec ? spec->find("terminationGracePeriodSeconds") : std::nullopt;
  if (!seconds) return std::nullopt;
  return seconds->integer(0, std::numeric_limits<Quantity>::max() / 1'000'000'000);
}

PodDisruptionBudget read_pdb(const Value& value) {
  const Value object = value.as_object("PodDisruptionBudget");
  const Value metadata = object.require("metadata");
  PodDisruptionBudget pdb;
  pdb.name = name_field(metadata);
  pdb.ns = namespace_field(metadata);
  if (const auto spec = object.find("spec")) pdb.selector = label_selector_field(*spec, "selector");
  if (const auto status = object.find("status")) {
    pdb.disruptions_allowed = int32_field(*status, "disruptionsAllowed");
    if (const auto disrupted = status->find("disruptedPods")) {
      for (const Value pod : disrupted->members()) {
        if (!pod.is_null()) read_time(pod);
        pdb.disrupted_pods.emplace_back(pod.key());
      }
    }
  }
  return pdb;
}

PriorityClass read_priority_class(const Value& value) {
  const Value object = value.as_object("PriorityClass");
  const Value metadata = object.require("metadata");
  return {.name = name_field(metadata),
          .value = int32_field(object, "value"),
          .global_default = bool_field(object, "globalDefault"),
          .preemption_policy = string_field(object, "preemptionPolicy")};
}

Namespace read_namespace(const Value& value) {
  const Value object = value.as_object("Namespace");
  const Value metadata = object.require("metadata");
  return {.name = name_field(metadata), .labels = labels_field(metadata, "labels")};
}

}  // namespace touchstone::kubernetes
