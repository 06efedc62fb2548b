#include "optimized/requests.hpp"

#include <algorithm>

/// What pods ask for, as the release reckons it. Runs once a pod, when it comes into the snapshot.
namespace touchstone::optimized {

namespace {

Quantity& at(Amounts& amounts, std::string_view name) {
  const auto place =
      std::lower_bound(amounts.begin(), amounts.end(), name,
                       [](const auto& entry, std::string_view wanted) { return entry.first < wanted; });
  if (place != amounts.end() && place->first == name) return place->second;
  return amounts.insert(place, {name, 0})->second;
}

template <typename List>
void add(Amounts& total, const List& more) {
  for (const auto& [name, amount] : more) at(total, name) += amount;
}

template <typename List>
void raise(Amounts& total, const List& least) {
  for (const auto& [name, amount] : least) {
    Quantity& have = at(total, name);
    have = std::max(have, amount);
  }
}

Amounts amounts_of(const ResourceList& list) { return Amounts(list.begin(), list.end()); }

/// PRE-REQUESTS-7
bool counts(std::string_view name) {
  if (name.find("kubernetes.io/") != std::string_view::npos) return true;
  if (name.find('/') != std::string_view::npos) return !name.starts_with("requests.");
  return name == "cpu" || name == "memory" || name == "ephemeral-storage" || name.starts_with("hugepages-") ||
         name.starts_with("attachable-volumes-");
}

/// PRE-REQUESTS-5
bool counts_for_pod(std::string_view name) {
  return name == "cpu" || name == "memory" || name.starts_with("hugepages-");
}

/// PRE-REQUESTS-6
bool is_infeasible(const Pod& pod) {
  const auto pending = std::find_if(pod.conditions.begin(), pod.conditions.end(),
                                    [](const Condition& each) { return each.type == "PodResizePending"; });
  return pending != pod.conditions.end() && pending->reason == "Infeasible";
}

/// PRE-REQUESTS-6
Amounts resized(const Pod& pod, const ResourceList& spec, const ResourceList& actual,
                const ResourceList& allocated) {
  Amounts amounts = amounts_of(actual);
  raise(amounts, allocated);
  if (!is_infeasible(pod)) raise(amounts, spec);
  return amounts;
}

Amounts of_container(const Pod& pod, const Container& container, bool looks_at_status) {
  const auto status = std::find_if(pod.container_statuses.begin(), pod.container_statuses.end(),
                                   [&container](const ContainerStatus& each) {
                                     return each.name == container.name && each.resource_requests;
                                   });
  if (!looks_at_status || status == pod.container_statuses.end()) return amounts_of(container.requests);
  return resized(pod, container.requests, *status->resource_requests, status->allocated_resources);
}

/// PRE-REQUESTS-1, PRE-REQUESTS-4: raises what containers come to, to what the start of the pod takes.
void count_init_containers(const Pod& pod, const Release& release, bool looks_at_status, Amounts& total) {
  Amounts running;
  Amounts highest;
  for (const Container& container : pod.init_containers) {
    Amounts now = running;
    if (container.restart_always && release.sidecars_add_up) {
      const Amounts sidecar = of_container(pod, container, looks_at_status);
      add(now, sidecar);
      add(total, sidecar);
      running = now;
    } else {
      add(now, container.requests);
    }
    raise(highest, now);
  }
  raise(total, highest);
}

/// PRE-REQUESTS-5: what is said of the pod as a whole stands instead.
void replace_by_pod_level(const Pod& pod, ResizeStatus resize, Amounts& total) {
  Amounts effective = amounts_of(*pod.pod_level_requests);
  if (resize == ResizeStatus::of_containers_and_pod && pod.actual_requests)
    effective = resized(pod, *pod.pod_level_requests, *pod.actual_requests, pod.allocated_resources);
  for (const auto& [name, amount] : *pod.pod_level_requests) {
    if (counts_for_pod(name)) at(total, name) = at(effective, name);
  }
}

void take_ports(const Container& container, const Release& release, std::vector<Port>& ports) {
  const bool by_number = release.ports_by_number_alone;
  for (const ContainerPort& port : container.ports) {
    if (port.host_port == 0) continue;
    const std::string_view protocol =
        port.protocol.empty() || by_number ? std::string_view("TCP") : port.protocol;
    const std::string_view address =
        port.host_ip.empty() || by_number ? std::string_view("0.0.0.0") : port.host_ip;
    ports.push_back({protocol, address, port.host_port});
  }
}

}  // namespace

Amounts requests_of(const Pod& pod, const Release& release, RequestsOf whom) {
  const bool is_preemptor = whom == RequestsOf::preemptor;
  const ResizeStatus resize = is_preemptor ? ResizeStatus::ignored : release.resize_status;
  const bool looks_at_status = resize != ResizeStatus::ignored;

  Amounts total;
  for (const Container& container : pod.containers) add(total, of_container(pod, container, looks_at_status));
  if (is_preemptor || release.init_containers_of_node_pods)  // PRE-REQUESTS-2
    count_init_containers(pod, release, looks_at_status, total);
  if (release.pod_level_requests && pod.pod_level_requests) replace_by_pod_level(pod, resize, total);
  if (release.overhead_counts) add(total, pod.overhead);  // PRE-REQUESTS-3
  std::erase_if(total, [](const auto& entry) { return !counts(entry.first); });
  return total;
}

std::vector<Port> host_ports_of(const Pod& pod, const Release& release) {
  std::vector<Port> ports;
  for (const Container& container : pod.init_containers) {
    if (container.restart_always && release.sidecar_ports_count) take_ports(container, release, ports);
  }
  for (const Container& container : pod.containers) take_ports(container, release, ports);
  return ports;
}

}  // namespace touchstone::optimized
