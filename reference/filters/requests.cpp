#include "reference/filters/requests.hpp"

#include <algorithm>

#include "reference/scores/go_numbers.hpp"

namespace touchstone::reference {

namespace {

void add(ResourceList& total, const ResourceList& more) {
  for (const auto& [name, amount] : more) total[name] = go_sum(total[name], amount);
}

void raise(ResourceList& total, const ResourceList& least) {
  for (const auto& [name, amount] : least) {
    Quantity& have = total[name];
    if (have < amount) have = amount;
  }
}

bool counts_at_pod_level(const std::string& name) {
  return name == "cpu" || name == "memory" || name.starts_with("hugepages-");
}

/// PRE-REQUESTS-6: whether a resize of the pod is infeasible. Only the first condition of type
/// PodResizePending counts.
bool resize_is_infeasible(const Pod& pod) {
  for (const Condition& condition : pod.conditions) {
    if (condition.type == "PodResizePending") return condition.reason == "Infeasible";
  }
  return false;
}

/// PRE-REQUESTS-6: the largest of spec, requests in force and allocated resources, for each resource. If the
/// resize is infeasible, the spec does not count.
ResourceList during_resize(const Pod& pod, const ResourceList& spec, const ResourceStatus& status) {
  ResourceList most = status.requests.value_or(ResourceList{});
  raise(most, status.allocated.value_or(ResourceList{}));
  if (!resize_is_infeasible(pod)) raise(most, spec);
  return most;
}

/// The resource status of a container; null: the pod has none for it.
const ResourceStatus* resource_status_of(const Pod& pod, const Container& container) {
  for (const ContainerStatus& status : pod.container_statuses) {
    if (status.name == container.name) return &status.resources;
  }
  return nullptr;
}

/// A function that returns the requests with which one container counts.
using RequestsOf = ResourceList (*)(const Pod& pod, const Container& container);

ResourceList of_spec(const Pod&, const Container& container) { return container.requests; }

/// PRE-REQUESTS-6: the requests of a container, with regard to its status if that has resources.
ResourceList of_spec_or_status(const Pod& pod, const Container& container) {
  const ResourceStatus* status = resource_status_of(pod, container);
  if (status == nullptr || !status->has_resources) return container.requests;
  return during_resize(pod, container.requests, *status);
}

/// PRE-REQUESTS-8: the allocated requests of a container.
ResourceList of_allocation(const Pod& pod, const Container& container) {
  const ResourceStatus* status = resource_status_of(pod, container);
  if (status != nullptr && status->allocated) return *status->allocated;
  return resize_is_infeasible(pod) ? ResourceList{} : container.requests;
}

/// PRE-REQUESTS-8: the requests of a container that are in force.
ResourceList in_force(const Pod& pod, const Container& container) {
  const ResourceStatus* status = resource_status_of(pod, container);
  if (status != nullptr && status->requests) return *status->requests;
  return of_allocation(pod, container);
}

/// How the containers of a pod count: `running` is for containers and sidecars, `ending` for init containers
/// that end.
struct CountedBy {
  RequestsOf running = of_spec;
  RequestsOf ending = of_spec;
};

/// SCORE-REQUESTS-1: the requests of a container, with defaults for the resources that it does not request.
ResourceList or_defaults(ResourceList requests, const ResourceList& defaults) {
  requests.insert(defaults.begin(), defaults.end());
  return requests;
}

ResourceList total_of_containers(const Pod& pod, const Release& release, bool init_containers,
                                 const CountedBy& counted, const ResourceList& defaults) {
  // PRE-REQUESTS-1: containers run together, so their requests add up.
  ResourceList total;
  for (const Container& container : pod.containers) {
    add(total, or_defaults(counted.running(pod, container), defaults));
  }

  // PRE-REQUESTS-1, PRE-REQUESTS-4: init containers run one after the other, beside the sidecars started
  // before.
  ResourceList sidecars;
  ResourceList highest;
  for (const Container& container : pod.init_containers) {
    if (!init_containers) break;  // PRE-REQUESTS-2
    ResourceList now = sidecars;
    if (container.restart_always && release.sidecars_add_up) {
      const ResourceList sidecar = or_defaults(counted.running(pod, container), defaults);
      add(now, sidecar);
      add(total, sidecar);
      sidecars = now;
    } else {
      add(now, or_defaults(counted.ending(pod, container), defaults));
    }
    raise(highest, now);
  }
  if (!release.init_zero_requests_count)  // PRE-FIT-3
    std::erase_if(highest,
                  [&total](const auto& item) { return !total.contains(item.first) && item.second == 0; });
  raise(total, highest);
  return total;
}

/// PRE-REQUESTS-8: the largest of three totals, for each resource: wanted, allocated and in force.
ResourceList largest_total(const Pod& pod, const Release& release, const ResourceList& defaults) {
  const ResourceStatus& status = pod.resource_status;
  ResourceList most;
  if (status.allocated && status.requests) {
    most = *status.allocated;
    raise(most, *status.requests);
  } else {
    most = total_of_containers(pod, release, true, {of_allocation, of_allocation}, defaults);
    raise(most, total_of_containers(pod, release, true, {in_force, in_force}, defaults));
  }
  if (!resize_is_infeasible(pod)) raise(most, total_of_containers(pod, release, true, {}, defaults));
  return most;
}

/// The requests of all containers of a pod together. `resize`: how the status of a resized pod counts.
ResourceList containers_request(const Pod& pod, const Release& release, bool init_containers,
                                ResizeStatus resize, const ResourceList& defaults) {
  if (resize == ResizeStatus::ignored)
    return total_of_containers(pod, release, init_containers, {}, defaults);
  if (resize != ResizeStatus::largest_of_three_totals)
    return total_of_containers(pod, release, init_containers, {of_spec_or_status, of_spec}, defaults);
  return largest_total(pod, release, defaults);
}

/// PRE-REQUESTS-5: replaces the total of the containers by the pod-level requests, for each resource that
/// these have. Requires: the pod has pod-level requests.
void replace_by_pod_level(const Pod& pod, ResizeStatus resize, ResourceList& total) {
  const ResourceList& spec = *pod.pod_level_requests;
  ResourceList effective = spec;
  if (resize >= ResizeStatus::of_containers_and_pod && pod.resource_status.has_resources)
    effective = during_resize(pod, spec, pod.resource_status);  // PRE-REQUESTS-6
  const ResourceList names =
      resize == ResizeStatus::largest_of_three_totals ? effective : spec;  // PRE-REQUESTS-8
  for (const auto& [name, amount] : names) {
    if (counts_at_pod_level(name)) total[name] = effective[name];
  }
}

ResourceList requests(const Pod& pod, const Release& release, bool init_containers, ResizeStatus resize,
                      const ResourceList& defaults) {
  ResourceList total = containers_request(pod, release, init_containers, resize, defaults);
  if (release.pod_level_requests && has_pod_level_requests(pod)) replace_by_pod_level(pod, resize, total);
  if (release.overhead_counts) add(total, pod.overhead);  // PRE-REQUESTS-3

  std::erase_if(total, [](const auto& item) { return !is_counted(item.first); });
  return total;
}

}  // namespace

ResourceList requests_of_preemptor(const Pod& pod, const Release& release, const ResourceList& defaults) {
  return requests(pod, release, true, ResizeStatus::ignored, defaults);
}

ResourceList requests_on_node(const Pod& pod, const Release& release, const ResourceList& defaults) {
  return requests(pod, release, release.init_containers_of_node_pods, release.resize_status, defaults);
}

bool is_counted(const std::string& resource) {
  const bool has_domain = resource.find('/') != std::string::npos;
  if (resource.find("kubernetes.io/") != std::string::npos) return true;
  if (has_domain) return !resource.starts_with("requests.");
  return resource == "cpu" || resource == "memory" || resource == "ephemeral-storage" ||
         resource.starts_with("hugepages-") || resource.starts_with("attachable-volumes-");
}

bool has_pod_level_requests(const Pod& pod) {
  if (!pod.pod_level_requests) return false;
  return std::any_of(pod.pod_level_requests->begin(), pod.pod_level_requests->end(),
                     [](const auto& item) { return counts_at_pod_level(item.first); });
}

bool has_sidecar(const Pod& pod) {
  return std::any_of(pod.init_containers.begin(), pod.init_containers.end(),
                     [](const Container& container) { return container.restart_always; });
}

std::vector<ContainerPort> host_ports(const Pod& pod, const Release& release) {
  std::vector<ContainerPort> ports;
  const auto take = [&](const Container& container) {
    for (ContainerPort port : container.ports) {
      if (port.host_port == 0) continue;
      if (port.protocol.empty() || release.ports_by_number_alone) port.protocol = "TCP";
      if (port.host_ip.empty() || release.ports_by_number_alone) port.host_ip = "0.0.0.0";
      ports.push_back(port);
    }
  };
  for (const Container& container : pod.init_containers) {
    if (container.restart_always && release.sidecar_ports_count) take(container);  // PRE-PORTS-3
  }
  for (const Container& container : pod.containers) take(container);
  return ports;
}

}  // namespace touchstone::reference
