#include "kubernetes/write/written.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string_view>

#include "kubernetes/objects/controllers.hpp"
#include "kubernetes/objects/fields.hpp"
#include "kubernetes/objects/selecting.hpp"
#include "kubernetes/objects/volumes.hpp"
#include "kubernetes/write/written_extenders.hpp"
#include "kubernetes/write/written_fields.hpp"
#include "spec/vocabulary/node_features.hpp"

namespace touchstone::kubernetes {

namespace {

constexpr Quantity k_second_ns = 1'000'000'000;

template <typename T>
void put_list(Json& object, std::string_view key, const std::vector<T>& list, Json (*of)(const T&)) {
  for (const T& element : list) object[std::string(key)].push_back(of(element));
}

Json amounts_of(const ResourceList& amounts) {
  Json json = Json::object();
  for (const auto& [name, amount] : amounts) json[name] = written_amount(name, amount);
  return json;
}

Json requirement_of(const Requirement& requirement) {
  Json json{{"key", requirement.key}, {"operator", requirement.op}};
  put(json, "values", requirement.values);
  return json;
}

Json term_of(const NodeSelectorTerm& term) {
  Json json = Json::object();
  put_list(json, "matchExpressions", term.match_expressions, requirement_of);
  put_list(json, "matchFields", term.match_fields, requirement_of);
  return json;
}

}  // namespace

Json written_selector(const LabelSelector& selector) {
  Json json = Json::object();
  put(json, "matchLabels", selector.match_labels);
  put_list(json, "matchExpressions", selector.match_expressions, requirement_of);
  return json;
}

Json written_terms(const std::vector<NodeSelectorTerm>& terms) {
  Json json = Json::array();
  for (const NodeSelectorTerm& term : terms) json.push_back(term_of(term));
  return json;
}

namespace {

Json namespace_of(const std::pair<const std::string, Labels>& each) {
  Json json{{"metadata", {{"name", each.first}}}};
  put(json["metadata"], "labels", each.second);
  return json;
}

Json affinity_term_of(const PodAffinityTerm& term) {
  Json json = Json::object();
  if (term.label_selector) json["labelSelector"] = written_selector(*term.label_selector);
  put(json, "namespaces", term.namespaces);
  if (term.namespace_selector) json["namespaceSelector"] = written_selector(*term.namespace_selector);
  json["topologyKey"] = term.topology_key;
  put(json, "matchLabelKeys", term.match_label_keys);
  put(json, "mismatchLabelKeys", term.mismatch_label_keys);
  return json;
}

Json preferred_node_term_of(const PreferredNodeTerm& term) {
  return {{"weight", term.weight}, {"preference", term_of(term.preference)}};
}

Json weighted_term_of(const WeightedPodAffinityTerm& term) {
  return {{"weight", term.weight}, {"podAffinityTerm", affinity_term_of(term.term)}};
}

Json spread_of(const TopologySpreadConstraint& spread) {
  Json json{{"maxSkew", spread.max_skew},
            {"topologyKey", spread.topology_key},
            {"whenUnsatisfiable", spread.when_unsatisfiable}};
  if (spread.label_selector) json["labelSelector"] = written_selector(*spread.label_selector);
  if (spread.min_domains) json["minDomains"] = *spread.min_domains;
  put(json, "nodeAffinityPolicy", spread.node_affinity_policy);
  put(json, "nodeTaintsPolicy", spread.node_taints_policy);
  put(json, "matchLabelKeys", spread.match_label_keys);
  return json;
}

Json condition_of(const Condition& condition) {
  Json json{{"type", condition.type}, {"status", condition.status}};
  put(json, "reason", condition.reason);
  return json;
}

Json taint_of(const Taint& taint) {
  Json json{{"key", taint.key}};
  put(json, "value", taint.value);
  json["effect"] = taint.effect;
  return json;
}

Json toleration_of(const Toleration& toleration) {
  Json json = Json::object();
  put(json, "key", toleration.key);
  put(json, "operator", toleration.op);
  put(json, "value", toleration.value);
  put(json, "effect", toleration.effect);
  return json;
}

Json port_of(const ContainerPort& port) {
  // A container port must have a number; no decision reads it.
  Json json{{"containerPort", 80}};
  if (port.host_port != 0) json["hostPort"] = port.host_port;
  put(json, "protocol", port.protocol);
  put(json, "hostIP", port.host_ip);
  return json;
}

Json container_of(const Container& container) {
  Json json = Json::object();
  put(json, "name", container.name);
  if (!container.requests.empty()) json["resources"]["requests"] = amounts_of(container.requests);
  if (!container.limits.empty()) json["resources"]["limits"] = amounts_of(container.limits);
  put_list(json, "ports", container.ports, port_of);
  if (container.restart_always) json["restartPolicy"] = "Always";
  put(json, "image", container.image);
  return json;
}

/// Writes an empty map, too: v1.37 distinguishes an empty map from a missing one.
void put_resource_status(Json& json, const ResourceStatus& status) {
  if (status.allocated) json["allocatedResources"] = amounts_of(*status.allocated);
  if (status.has_resources) json["resources"] = Json::object();
  if (status.requests) json["resources"]["requests"] = amounts_of(*status.requests);
}

Json container_status_of(const ContainerStatus& status) {
  Json json{{"name", status.name}};
  put_resource_status(json, status.resources);
  return json;
}

Json metadata_of(const std::string& ns, const std::string& name, const Labels& labels) {
  Json json = Json::object();
  put(json, "namespace", ns);
  json["name"] = name;
  put(json, "labels", labels);
  return json;
}

Json node_image_of(const NodeImage& image) {
  Json json = Json::object();
  put(json, "names", image.names);
  json["sizeBytes"] = image.size;
  return json;
}

Json owner_of(const Controller& controller) {
  Json json = Json::object();
  put(json, "apiVersion", controller.api_version);
  put(json, "kind", controller.kind);
  put(json, "name", controller.name);
  put(json, "uid", controller.uid);
  return json;
}

Json avoided_of(const Controller& controller) {
  return {{"podSignature", {{"podController", owner_of(controller)}}}};
}

Json node_of(const Node& node) {
  Json json;
  json["metadata"] = metadata_of("", node.name, node.labels);
  if (!node.avoided.empty()) {
    Json avoided;
    put_list(avoided, "preferAvoidPods", node.avoided, avoided_of);
    json["metadata"]["annotations"][std::string(k_prefer_avoid_pods)] = avoided.dump();
  }
  if (node.unschedulable) json["spec"]["unschedulable"] = true;
  put_list(json["spec"], "taints", node.taints, taint_of);
  if (json["spec"].is_null()) json.erase("spec");
  json["status"]["allocatable"] = amounts_of(node.allocatable);
  put_list(json["status"], "conditions", node.conditions, condition_of);
  if (!node.declared_features.empty()) json["status"]["declaredFeatures"] = node.declared_features;
  put_list(json["status"], "images", node.images, node_image_of);
  return json;
}

/// Writes the fields by which a pod requires a feature. Requires: the pod has a container, if the feature is
/// one of containers.
void put_node_feature(Json& spec, const std::string& feature) {
  if (feature == k_user_namespaces_on_host_network) {
    spec["hostNetwork"] = true;
    spec["hostUsers"] = false;
    return;
  }
  if (spec["containers"].empty()) return;
  Json& container = spec["containers"][0];
  if (feature == k_restart_all_containers) {
    container["restartPolicyRules"] = {
        {{"action", "RestartAllContainers"}, {"exitCodes", {{"operator", "In"}, {"values", {1}}}}}};
  }
  if (feature == k_bind_mount_options) {
    container["volumeMounts"] = {
        {{"name", "data"}, {"mountPath", "/data"}, {"bindMountOptions", {"noexec"}}}};
  }
}

void put_affinity(Json& spec, const Pod& pod) {
  if (pod.node_affinity) {
    spec["affinity"]["nodeAffinity"][std::string(k_required)]["nodeSelectorTerms"] =
        written_terms(*pod.node_affinity);
  }
  const auto put_terms = [&spec](std::string_view member, std::string_view key, const auto& terms, auto of) {
    if (!terms.empty()) put_list(spec["affinity"][std::string(member)], key, terms, of);
  };
  put_terms("nodeAffinity", k_preferred, pod.preferred_node_affinity, preferred_node_term_of);
  put_terms("podAffinity", k_required, pod.pod_affinity, affinity_term_of);
  put_terms("podAffinity", k_preferred, pod.preferred_pod_affinity, weighted_term_of);
  put_terms("podAntiAffinity", k_required, pod.pod_anti_affinity, affinity_term_of);
  put_terms("podAntiAffinity", k_preferred, pod.preferred_pod_anti_affinity, weighted_term_of);
}

Json pod_spec_of(const Pod& pod) {
  Json json = Json::object();
  put(json, "nodeName", pod.node_name);
  json["priority"] = pod.priority;
  put(json, "preemptionPolicy", pod.preemption_policy);
  put(json, "schedulerName", pod.scheduler_name);
  for (const std::string& gate : pod.scheduling_gates) json["schedulingGates"].push_back({{"name", gate}});
  json["containers"] = Json::array();
  put_list(json, "containers", pod.containers, container_of);
  put_list(json, "initContainers", pod.init_containers, container_of);
  if (!pod.overhead.empty()) json["overhead"] = amounts_of(pod.overhead);
  if (pod.pod_level_requests) json["resources"]["requests"] = amounts_of(*pod.pod_level_requests);
  put(json, "nodeSelector", pod.node_selector);
  put_affinity(json, pod);
  put_list(json, "tolerations", pod.tolerations, toleration_of);
  put_list(json, "topologySpreadConstraints", pod.topology_spread, spread_of);
  put_list(json, "volumes", pod.volumes, written_volume);
  for (const std::string& claim : pod.resource_claims) json["resourceClaims"].push_back({{"name", claim}});
  for (const std::string& feature : pod.node_features) put_node_feature(json, feature);
  return json;
}

bool is_init_container(const Pod& pod, const std::string& name) {
  return std::any_of(pod.init_containers.begin(), pod.init_containers.end(),
                     [&name](const Container& container) { return container.name == name; });
}

Json pod_status_of(const Pod& pod) {
  Json json = Json::object();
  put(json, "phase", pod.phase);
  put(json, "nominatedNodeName", pod.nominated_node_name);
  if (pod.start_time_ns) json["startTime"] = written_time(*pod.start_time_ns);
  put_list(json, "conditions", pod.conditions, condition_of);
  for (const ContainerStatus& status : pod.container_statuses) {
    const bool init = is_init_container(pod, status.name);
    json[init ? "initContainerStatuses" : "containerStatuses"].push_back(container_status_of(status));
  }
  put_resource_status(json, pod.resource_status);
  return json;
}

Json pod_of(const Pod& pod) {
  Json json;
  json["metadata"] = metadata_of(pod.ns, pod.name, pod.labels);
  put(json["metadata"], "uid", pod.uid);
  if (pod.terminating) json["metadata"]["deletionTimestamp"] = k_deletion_time;
  if (pod.controller) {
    Json owner = owner_of(*pod.controller);
    owner["controller"] = true;
    json["metadata"]["ownerReferences"].push_back(std::move(owner));
  }
  json["spec"] = pod_spec_of(pod);
  Json status = pod_status_of(pod);
  if (!status.empty()) json["status"] = std::move(status);
  return json;
}

Json pdb_of(const PodDisruptionBudget& pdb) {
  Json json;
  json["metadata"] = metadata_of(pdb.ns, pdb.name, {});
  if (pdb.selector) json["spec"]["selector"] = written_selector(*pdb.selector);
  json["status"]["disruptionsAllowed"] = pdb.disruptions_allowed;
  for (const std::string& pod : pdb.disrupted_pods) json["status"]["disruptedPods"][pod] = k_deletion_time;
  return json;
}

Json selecting_of(const SelectingObject& selecting) {
  Json json;
  json["metadata"] = metadata_of(selecting.ns, selecting.name, {});
  if (!selecting.selector) return json;
  json["spec"]["selector"] = selects_by_labels(selecting.kind) ? Json(selecting.selector->match_labels)
                                                               : written_selector(*selecting.selector);
  return json;
}

/// The names of a kind. Requires: k_selecting_kinds is in the order of SelectingKind.
const SelectingNames& names_of(SelectingKind kind) {
  return k_selecting_kinds.at(static_cast<std::size_t>(kind));
}

}  // namespace

std::string written_amount(const std::string& resource, Quantity amount) {
  if (resource != "cpu") return std::to_string(amount);
  return amount % 1000 == 0 ? std::to_string(amount / 1000) : std::to_string(amount) + "m";
}

std::string written_time(Quantity time_ns) {
  // Rounds down to whole seconds first. The earliest second that int64 nanoseconds reach begins outside their
  // range.
  const Quantity below = time_ns % k_second_ns < 0 ? 1 : 0;
  const Quantity fraction = time_ns % k_second_ns + below * k_second_ns;
  const std::chrono::sys_seconds second{std::chrono::seconds(time_ns / k_second_ns - below)};
  const auto day = std::chrono::floor<std::chrono::days>(second);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss clock{second - day};
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02ld:%02ld:%02ld", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<long>(clock.hours().count()), static_cast<long>(clock.minutes().count()),
                static_cast<long>(clock.seconds().count()));
  std::string result = text.data();
  if (fraction != 0) {
    std::snprintf(text.data(), text.size(), ".%09ld", static_cast<long>(fraction));
    result += text.data();
    result.erase(result.find_last_not_of('0') + 1);
  }
  return result + "Z";
}

Json written(const Question& question) {
  Json json;
  for (const char* list : {"nodes", "pods", "pdbs"}) json[list] = Json::array();
  put_list(json, "nodes", question.cluster.nodes, node_of);
  put_list(json, "pods", question.cluster.pods, pod_of);
  put_list(json, "pdbs", question.cluster.pdbs, pdb_of);
  for (const auto& each : question.cluster.namespaces) json["namespaces"].push_back(namespace_of(each));
  for (const SelectingObject& each : question.cluster.selecting)
    json[std::string(names_of(each.kind).key)].push_back(selecting_of(each));
  for (const StorageKind& kind : k_storage_kinds) {
    for (Json& object : kind.written(question.cluster.storage))
      json[std::string(kind.key)].push_back(std::move(object));
  }
  json["pod"] = pod_of(question.pod);
  if (question.offset) json["offset"] = *question.offset;
  if (question.quota) json["quota"] = *question.quota;
  if (question.start) json["start"] = *question.start;
  for (const Extender& each : question.extenders) json["extenders"].push_back(written_extender(each));
  return json;
}

Json written_list(const Question& question) {
  Json items = Json::array();
  const auto put_object = [&items](std::string_view version, std::string_view kind, const Json& object) {
    Json item{{"apiVersion", version}, {"kind", kind}};
    item.update(object);
    items.push_back(std::move(item));
  };
  for (const Node& node : question.cluster.nodes) put_object("v1", "Node", node_of(node));
  bool listed = false;
  for (const Pod& pod : question.cluster.pods) {
    listed = listed || (pod.ns == question.pod.ns && pod.name == question.pod.name);
    put_object("v1", "Pod", pod_of(pod));
  }
  if (!listed) put_object("v1", "Pod", pod_of(question.pod));
  for (const PodDisruptionBudget& pdb : question.cluster.pdbs)
    put_object("policy/v1", "PodDisruptionBudget", pdb_of(pdb));
  for (const auto& each : question.cluster.namespaces) put_object("v1", "Namespace", namespace_of(each));
  for (const SelectingObject& each : question.cluster.selecting) {
    const SelectingNames& names = names_of(each.kind);
    put_object(names.api_version, names.name, selecting_of(each));
  }
  for (const StorageKind& kind : k_storage_kinds) {
    for (const Json& object : kind.written(question.cluster.storage))
      put_object(kind.api_version, kind.kind, object);
  }
  return Json{{"apiVersion", "v1"}, {"kind", "List"}, {"items", std::move(items)}};
}

}  // namespace touchstone::kubernetes
