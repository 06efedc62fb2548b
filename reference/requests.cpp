#include "reference/requests.hpp"

#include <algorithm>

namespace touchstone::reference {

namespace {

void add(ResourceList& total, const ResourceList& more) {
  for (const auto& [name, amount] : more) total[name] += amount;
}

void raise(ResourceList& total, const ResourceList& least) {
  for (const auto& [name, amount] : least) {
    Quantity& have = total[name];
    if (have < amount) have = amount;
  }
}

/// PRE-REQUESTS-7: no node is asked for other names, such as storage.
bool counts(const std::string& name) {
  const bool has_domain = name.find('/') != std::string::npos;
  if (name.find("kubernetes.io/") != std::string::npos) return true;
  if (has_domain) return !name.starts_with("requests.");
  return name == "cpu" || name == "memory" || name == "ephemeral-storage" || name.starts_with("hugepages-") ||
         name.starts_with("attachable-volumes-");
}

bool counts_at_pod_level(const std::string& name) {
  return name == "cpu" || name == "memory" || name.starts_with("hugepages-");
}

/// PRE-REQUESTS-6: the first condition of that type tells.
bool resize_is_infeasible(const Pod& pod) {
  for (const Condition& condition : pod.conditions) {
    if (condition.type == "PodResizePending") return condition.reason == "Infeasible";
  }
  return false;
}

/// PRE-REQUESTS-6: the largest of what is wanted, what runs, and what the kubelet has admitted.
ResourceList during_resize(const Pod& pod, const ResourceList& spec, const ResourceList& actual,
                           const ResourceList& allocated) {
  ResourceList most = actual;
  raise(most, allocated);
  if (!resize_is_infeasible(pod)) raise(most, spec);
  return most;
}

ResourceList container_requests(const Pod& pod, const Container& container, bool use_status) {
  if (!use_status) return container.requests;
  for (const ContainerStatus& status : pod.container_statuses) {
    if (status.name == container.name && status.resource_requests) {
      return during_resize(pod, container.requests, *status.resource_requests, status.allocated_resources);
    }
  }
  return container.requests;
}

ResourceList requests(const Pod& pod, const Release& release, bool init_containers, ResizeStatus resize) {
  const bool use_status = resize != ResizeStatus::ignored;

  // PRE-REQUESTS-1: containers run together, so their requests add up.
  ResourceList total;
  for (const Container& container : pod.containers)
    add(total, container_requests(pod, container, use_status));

  // PRE-REQUESTS-1, PRE-REQUESTS-4: init containers run one after the other, beside the sidecars started
  // before.
  ResourceList sidecars;
  ResourceList highest;
  for (const Container& container : pod.init_containers) {
    if (!init_containers) break;  // PRE-REQUESTS-2
    ResourceList now = sidecars;
    if (container.restart_always && release.sidecars_add_up) {
      const ResourceList sidecar = container_requests(pod, container, use_status);
      add(now, sidecar);
      add(total, sidecar);
      sidecars = now;
    } else {
      add(now, container.requests);
    }
    raise(highest, now);
  }
  raise(total, highest);

  // PRE-REQUESTS-5: what is requested for the pod as a whole stands instead of the sum.
  if (release.pod_level_requests && pod.pod_level_requests) {
    ResourceList effective = *pod.pod_level_requests;
    if (resize == ResizeStatus::of_containers_and_pod && pod.actual_requests) {
      effective = during_resize(pod, effective, *pod.actual_requests, pod.allocated_resources);
    }
    for (const auto& [name, amount] : *pod.pod_level_requests) {
      if (counts_at_pod_level(name)) total[name] = effective[name];
    }
  }

  if (release.overhead_counts) add(total, pod.overhead);  // PRE-REQUESTS-3

  std::erase_if(total, [](const auto& item) { return !counts(item.first); });
  return total;
}

}  // namespace

ResourceList requests_of_preemptor(const Pod& pod, const Release& release) {
  return requests(pod, release, true, ResizeStatus::ignored);
}

ResourceList requests_on_node(const Pod& pod, const Release& release) {
  return requests(pod, release, release.init_containers_of_node_pods, release.resize_status);
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
