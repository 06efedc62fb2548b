#include "optimized/store/requests.hpp"

#include <algorithm>

#include "optimized/store/go_numbers.hpp"

/// Requests and host ports of a pod by the rules of one release. Computed once for a pod, when it enters the
/// snapshot or becomes the preemptor of a query.
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
  for (const auto& [name, amount] : more) {
    Quantity& have = at(total, name);
    have = go::sum(have, amount);
  }
}

template <typename List>
void raise(Amounts& total, const List& least) {
  for (const auto& [name, amount] : least) {
    Quantity& have = at(total, name);
    have = std::max(have, amount);
  }
}

Amounts amounts_of(const ResourceList& list) { return Amounts(list.begin(), list.end()); }

/// Whether a resource name counts. Clauses: PRE-REQUESTS-7.
bool counts(std::string_view name) {
  if (name.find("kubernetes.io/") != std::string_view::npos) return true;
  if (name.find('/') != std::string_view::npos) return !name.starts_with("requests.");
  return name == "cpu" || name == "memory" || name == "ephemeral-storage" || name.starts_with("hugepages-") ||
         name.starts_with("attachable-volumes-");
}

/// Whether a resource name counts in pod-level requests. Clauses: PRE-REQUESTS-5.
bool counts_for_pod(std::string_view name) {
  return name == "cpu" || name == "memory" || name.starts_with("hugepages-");
}

/// The largest of the status's requests, its allocated resources and, unless the resize is infeasible, the
/// spec. Clauses: PRE-REQUESTS-6.
Amounts resized(const Pod& pod, const ResourceList& spec, const ResourceStatus& status) {
  Amounts amounts;
  if (status.requests) raise(amounts, *status.requests);
  if (status.allocated) raise(amounts, *status.allocated);
  if (!resize_is_infeasible(pod)) raise(amounts, spec);
  return amounts;
}

/// Which amounts of a container are added up. Clauses: PRE-REQUESTS-6, PRE-REQUESTS-8.
enum class Counts { spec, largest_of_running, allocated, in_force };

/// Whether the status of an ordinary init container counts too. If not, its spec counts. Clauses:
/// PRE-REQUESTS-8.
bool counts_ended(Counts what) { return what == Counts::allocated || what == Counts::in_force; }

Amounts stated_of(const Pod& pod, const Container& container, Counts what) {
  const auto named =
      std::find_if(pod.container_statuses.begin(), pod.container_statuses.end(),
                   [&container](const ContainerStatus& each) { return each.name == container.name; });
  const ResourceStatus none;
  const ResourceStatus& status = named == pod.container_statuses.end() ? none : named->resources;
  if (what == Counts::largest_of_running && status.has_resources)
    return resized(pod, container.requests, status);
  if (what == Counts::in_force && status.requests) return amounts_of(*status.requests);
  if (counts_ended(what) && status.allocated) return amounts_of(*status.allocated);
  if (counts_ended(what) && resize_is_infeasible(pod)) return {};
  return amounts_of(container.requests);
}

/// The amounts of a container, with defaults for the resources that it lacks. Clauses: SCORE-REQUESTS-1.
Amounts of_container(const Pod& pod, const Container& container, Counts what, const Amounts& defaults) {
  Amounts amounts = stated_of(pod, container, what);
  for (const auto& [name, amount] : defaults) {
    const auto place =
        std::lower_bound(amounts.begin(), amounts.end(), name,
                         [](const auto& entry, std::string_view wanted) { return entry.first < wanted; });
    if (place == amounts.end() || place->first != name) amounts.insert(place, {name, amount});
  }
  return amounts;
}

/// Adds sidecars to the sum of the containers. Then raises the sum to the highest amount that is requested
/// while an init container runs. Clauses: PRE-REQUESTS-1, PRE-REQUESTS-4.
void count_init_containers(const Pod& pod, const Release& release, Counts what, const Amounts& defaults,
                           Amounts& total) {
  Amounts running;
  Amounts highest;
  for (const Container& container : pod.init_containers) {
    Amounts now = running;
    if (container.restart_always && release.sidecars_add_up) {
      const Amounts sidecar = of_container(pod, container, what, defaults);
      add(now, sidecar);
      add(total, sidecar);
      running = now;
    } else {
      add(now, of_container(pod, container, counts_ended(what) ? what : Counts::spec, defaults));
    }
    raise(highest, now);
  }
  // PRE-FIT-3: up to v1.21 a request of 0 does not count if only init containers have it.
  if (!release.init_zero_requests_count) {
    std::erase_if(highest, [&total](const auto& entry) {
      return std::none_of(total.begin(), total.end(),
                          [&entry](const auto& known) { return known.first == entry.first; }) &&
             entry.second == 0;
    });
  }
  raise(total, highest);
}

/// The sum of a pod's containers. Init containers are included if `init_containers` is true. Clauses:
/// PRE-REQUESTS-1, PRE-REQUESTS-2, PRE-REQUESTS-4.
Amounts total_of(const Pod& pod, const Release& release, bool init_containers, Counts what,
                 const Amounts& defaults) {
  Amounts total;
  for (const Container& container : pod.containers) add(total, of_container(pod, container, what, defaults));
  if (init_containers) count_init_containers(pod, release, what, defaults, total);
  return total;
}

/// The largest of three totals of the pod: wanted, allocated and in force. Clauses: PRE-REQUESTS-8.
Amounts largest_total(const Pod& pod, const Release& release, const Amounts& defaults) {
  const ResourceStatus& status = pod.resource_status;
  Amounts most;
  if (!resize_is_infeasible(pod)) most = total_of(pod, release, true, Counts::spec, defaults);
  if (status.allocated && status.requests) {
    raise(most, *status.allocated);
    raise(most, *status.requests);
  } else {
    raise(most, total_of(pod, release, true, Counts::allocated, defaults));
    raise(most, total_of(pod, release, true, Counts::in_force, defaults));
  }
  return most;
}

/// Replaces the sum of the containers by the pod-level requests. Clauses: PRE-REQUESTS-5.
void replace_by_pod_level(const Pod& pod, ResizeStatus resize, Amounts& total) {
  const ResourceList& spec = *pod.pod_level_requests;
  if (std::none_of(spec.begin(), spec.end(), [](const auto& entry) { return counts_for_pod(entry.first); }))
    return;
  Amounts effective = amounts_of(spec);
  if (resize >= ResizeStatus::of_containers_and_pod && pod.resource_status.has_resources)
    effective = resized(pod, spec, pod.resource_status);
  if (resize != ResizeStatus::largest_of_three_totals) {
    for (const auto& [name, amount] : spec) at(effective, name);
    std::erase_if(effective, [&spec](const auto& entry) { return !spec.contains(std::string(entry.first)); });
  }
  for (const auto& [name, amount] : effective) {
    if (counts_for_pod(name)) at(total, name) = amount;
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

bool resize_is_infeasible(const Pod& pod) {
  const auto pending = std::find_if(pod.conditions.begin(), pod.conditions.end(),
                                    [](const Condition& each) { return each.type == "PodResizePending"; });
  return pending != pod.conditions.end() && pending->reason == "Infeasible";
}

Amounts requests_of(const Pod& pod, const Release& release, RequestsOf whom, const Amounts& defaults) {
  const bool is_preemptor = whom == RequestsOf::preemptor;
  const ResizeStatus resize = is_preemptor ? ResizeStatus::ignored : release.resize_status;
  const bool init_containers = is_preemptor || release.init_containers_of_node_pods;  // PRE-REQUESTS-2
  const Counts what = resize == ResizeStatus::ignored ? Counts::spec : Counts::largest_of_running;

  Amounts total = resize == ResizeStatus::largest_of_three_totals
                      ? largest_total(pod, release, defaults)
                      : total_of(pod, release, init_containers, what, defaults);
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
