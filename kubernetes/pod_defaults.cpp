#include "kubernetes/pod_defaults.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "kubernetes/fields.hpp"

namespace touchstone::kubernetes {

namespace {

using Notes = std::vector<std::string>;

/// Calls `each` with every container and init container, as the manifest has it and as it was read.
template <typename Each>
void for_each_container(const Value& spec, Pod& pod, Each each) {
  using Read = std::pair<std::string_view, std::vector<Container>*>;
  for (const auto& [key, read] :
       {Read("initContainers", &pod.init_containers), Read("containers", &pod.containers)}) {
    const auto list = spec.find(key);
    if (!list) continue;
    auto container = read->begin();
    for (const Value value : list->elements()) each(value, *container++, key);
  }
}

ResourceList limits_field(const Value& object) {
  const auto resources = object.find("resources");
  if (!resources) return {};
  return resources_field(*resources, "limits").value_or(ResourceList{});
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// In SetDefaults_Pod: each resource by itself, so a request may come from the limit beside one of its own.
void default_requests(const Value& spec, Pod& pod, Notes& notes) {
  for_each_container(spec, pod, [&](const Value& value, Container& container, std::string_view) {
    std::vector<std::string> names;
    for (const auto& [name, limit] : limits_field(value)) {
      if (container.requests.emplace(name, limit).second) names.push_back(name);
    }
    if (!names.empty()) {
      notes.push_back("requests " + joined(names) + " of container " + container.name + " from its limits");
    }
  });
}

bool is_hugepages(std::string_view resource) { return resource.starts_with("hugepages-"); }
bool can_be_overcommitted(std::string_view resource) { return resource == "cpu" || resource == "memory"; }

/// AggregateContainerRequests and AggregateContainerLimits of component-helpers/resource/helpers.go@v0.34.4:
/// the most that a pod uses at once. Give init containers first, in their order, then the others.
class Aggregate {
 public:
  explicit Aggregate(const Value& spec) : spec_(spec) {}

  void add_init_container(const ResourceList& amounts, bool restart_always) {
    if (restart_always) add(amounts, sidecars_);
    ResourceList used = sidecars_;
    if (!restart_always) add(amounts, used);
    for (const auto& [name, amount] : used) starting_[name] = std::max(starting_[name], amount);
  }

  void add_container(const ResourceList& amounts) { add(amounts, containers_); }

  ResourceList total() const {
    ResourceList running = containers_;
    add(sidecars_, running);
    for (const auto& [name, amount] : starting_) running[name] = std::max(running[name], amount);
    return running;
  }

 private:
  void add(const ResourceList& amounts, ResourceList& sum) const {
    for (const auto& [name, amount] : amounts) {
      if (__builtin_add_overflow(sum[name], amount, &sum[name])) {
        spec_.fail("quantity-overflow", "expected amounts of " + name + " whose sum stays within 64 bits");
      }
    }
  }

  const Value& spec_;
  ResourceList sidecars_;
  ResourceList containers_;
  ResourceList starting_;  ///< the most while init containers run
};

/// defaultHugePagePodLimits and defaultPodRequests: with limits for the pod as a whole, what it requests of
/// cpu and memory is what its containers do and, where they do not, the limit; of huge pages the limit.
void default_pod_requests(const Value& spec, Pod& pod, Notes& notes) {
  ResourceList limits = limits_field(spec);
  ResourceList requests = pod.pod_level_requests.value_or(ResourceList{});
  if (limits.empty() && requests.empty()) return;

  Aggregate container_requests(spec);
  Aggregate container_limits(spec);
  for_each_container(spec, pod, [&](const Value& value, const Container& container, std::string_view key) {
    if (key == "containers") {
      container_requests.add_container(container.requests);
      container_limits.add_container(limits_field(value));
    } else {
      container_requests.add_init_container(container.requests, container.restart_always);
      container_limits.add_init_container(limits_field(value), container.restart_always);
    }
  });
  for (const auto& [name, limit] : container_limits.total()) {
    if (is_hugepages(name) && !requests.contains(name)) limits.emplace(name, limit);
  }
  if (limits.empty()) return;

  std::vector<std::string> from_containers;
  std::vector<std::string> from_limits;
  for (const auto& [name, request] : container_requests.total()) {
    if (can_be_overcommitted(name) && requests.emplace(name, request).second) from_containers.push_back(name);
  }
  for (const auto& [name, limit] : limits) {
    const bool is_supported = can_be_overcommitted(name) || is_hugepages(name);
    if (is_supported && requests.emplace(name, limit).second) from_limits.push_back(name);
  }
  if (!requests.empty()) pod.pod_level_requests = requests;
  if (!from_containers.empty()) {
    notes.push_back("requests " + joined(from_containers) + " of the pod from its containers");
  }
  if (!from_limits.empty()) {
    notes.push_back("requests " + joined(from_limits) + " of the pod from its limits");
  }
}

/// defaultHostNetworkPorts, and the protocol that zz_generated.defaults.go sets.
void default_ports(const Value& spec, Pod& pod, Notes& notes) {
  const auto host_network = spec.find("hostNetwork");
  const bool is_in_host_network = host_network && host_network->boolean();
  for_each_container(spec, pod, [&](const Value& value, Container& container, std::string_view) {
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

}  // namespace

void default_pod(const Value& spec, Pod& pod, std::vector<std::string>& notes) {
  if (pod.scheduler_name.empty()) pod.scheduler_name = "default-scheduler";
  default_requests(spec, pod, notes);
  default_pod_requests(spec, pod, notes);
  default_ports(spec, pod, notes);
}

}  // namespace touchstone::kubernetes
