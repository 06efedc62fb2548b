#include "kubernetes/admission/pod_defaults.hpp"

#include <algorithm>
#include <string_view>

#include "kubernetes/objects/fields.hpp"

namespace touchstone::kubernetes {

namespace {

using Notes = std::vector<std::string>;

constexpr int k_late_minor = 37;  ///< PodLevelResourcesFixDefaulting: beta, on by default

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// Sets missing requests to the limits, as SetDefaults_Pod does. Each resource is separate: a container may
/// have a request of its own for one resource, and a request from its limit for another.
void default_requests(const Value& spec, Pod& pod, PodLimits& limits, Notes& notes) {
  for_each_container(spec, pod, limits, [&](const Value&, Container& container, ResourceList& own) {
    std::vector<std::string> names;
    for (const auto& [name, limit] : own) {
      if (container.requests.emplace(name, limit).second) names.push_back(name);
    }
    if (!names.empty()) {
      notes.push_back("requests " + joined(names) + " of container " + container.name + " from its limits");
    }
  });
}

bool can_be_overcommitted(std::string_view resource) { return resource == "cpu" || resource == "memory"; }

/// Sets host ports as defaultHostNetworkPorts does, and the protocol as zz_generated.defaults.go does.
void default_ports(const Value& spec, Pod& pod, PodLimits& limits, Notes& notes) {
  const auto host_network = spec.find("hostNetwork");
  const bool is_in_host_network = host_network && host_network->boolean();
  for_each_container(spec, pod, limits, [&](const Value& value, Container& container, ResourceList&) {
    const auto ports = value.find("ports");
    if (!ports) return;
    auto port = container.ports.begin();
    for (const Value port_value : ports->elements()) {
      if (port->protocol.empty()) port->protocol = "TCP";
      const Quantity container_port = port_value.require("containerPort").integer(1, k_port_max);
      if (is_in_host_network && port->host_port == 0) {
        port->host_port = container_port;
        notes.push_back("hostPort " + std::to_string(container_port) + " of container " + container.name +
                        ": hostNetwork");
      }
      ++port;
    }
  });
}

bool all_have_limit(const PodLimits& limits, const std::string& resource) {
  const auto has = [&](const ResourceList& own) { return own.contains(resource); };
  return std::all_of(limits.init_containers.begin(), limits.init_containers.end(), has) &&
         std::all_of(limits.containers.begin(), limits.containers.end(), has);
}

}  // namespace

void default_pod(const Value& spec, Pod& pod, PodLimits& limits, std::vector<std::string>& notes) {
  if (pod.scheduler_name.empty()) pod.scheduler_name = "default-scheduler";
  default_requests(spec, pod, limits, notes);
  default_ports(spec, pod, limits, notes);
}

void default_pod_level(const Value& spec, Pod& pod, PodLimits& all, const Version& release,
                       std::vector<std::string>& notes) {
  const bool is_late = pod_level_is_defaulted_late(release);
  ResourceList& limits = all.pod;
  ResourceList requests = pod.pod_level_requests.value_or(ResourceList{});
  if (limits.empty() && requests.empty()) return;

  const ResourceList of_containers = total_limits(spec, pod, all);
  for (const auto& [name, limit] : of_containers) {
    if (is_hugepages(name) && !requests.contains(name)) limits.emplace(name, limit);
  }
  if (limits.empty() && !is_late) return;

  std::vector<std::string> from_containers;
  std::vector<std::string> from_limits;
  for (const auto& [name, request] : total_requests(spec, pod)) {
    if (can_be_overcommitted(name) && requests.emplace(name, request).second) from_containers.push_back(name);
  }
  for (const auto& [name, limit] : limits) {
    const bool is_supported = can_be_overcommitted(name) || is_hugepages(name);
    if (is_supported && requests.emplace(name, limit).second) from_limits.push_back(name);
  }
  if (is_late) {
    for (const auto& [name, request] : requests) {
      const auto total = of_containers.find(name);
      if (total != of_containers.end() && all_have_limit(all, name))
        limits.emplace(name, std::max(total->second, request));
    }
  }
  if (!requests.empty()) pod.pod_level_requests = requests;
  if (!from_containers.empty()) {
    notes.push_back("requests " + joined(from_containers) + " of the pod from its containers");
  }
  if (!from_limits.empty()) {
    notes.push_back("requests " + joined(from_limits) + " of the pod from its limits");
  }
}

bool pod_level_is_defaulted_late(const Version& release) { return release.minor >= k_late_minor; }

}  // namespace touchstone::kubernetes
