#include <algorithm>

#include "fuzz/behaviour/behaviour_parts.hpp"
#include "reference/filters/requests.hpp"

/// The part of behaviour_of() about what pods request, and which requests the release counts.
namespace touchstone::fuzz {

namespace {

void see_init_containers(CaseView& sight, const Pod& pod, bool on_node) {
  if (on_node && !sight.release.init_containers_of_node_pods) {
    return sight.note(Class::init_container_not_counted, !pod.init_containers.empty());
  }
  bool after_sidecar = false;
  for (const Container& container : pod.init_containers) {
    const bool sidecar = container.restart_always && sight.release.sidecars_add_up;
    sight.note(sidecar ? Class::sidecar_counted : Class::init_container);
    sight.note(Class::init_container_beside_a_sidecar, after_sidecar && !sidecar);
    after_sidecar = after_sidecar || sidecar;
    const auto has_number = [](const ContainerPort& port) { return port.host_port != 0; };
    sight.note(Class::port_of_a_sidecar,
               sidecar && sight.release.sidecar_ports_count &&
                   std::any_of(container.ports.begin(), container.ports.end(), has_number));
  }
}

/// PRE-REQUESTS-8: notes which maps of a status are read, and which are absent.
void see_three_totals(CaseView& sight, const Pod& pod) {
  const auto is_empty = [](const std::optional<ResourceList>& list) { return list && list->empty(); };
  const ResourceStatus& of_pod = pod.resource_status;
  const bool whole = of_pod.allocated && of_pod.requests;
  sight.note(Class::totals_of_the_pod, whole);
  sight.note(Class::empty_map_counts, whole && (is_empty(of_pod.allocated) || is_empty(of_pod.requests)));
  if (whole) return;
  for (const ContainerStatus& status : pod.container_statuses) {
    const ResourceStatus& resources = status.resources;
    sight.note(Class::totals_of_containers, resources.allocated || resources.requests);
    sight.note(Class::allocation_alone_counts, resources.allocated && !resources.has_resources);
    sight.note(Class::empty_map_counts, is_empty(resources.allocated) || is_empty(resources.requests));
    sight.note(Class::map_is_absent, !resources.allocated || !resources.requests);
  }
}

/// Notes a resize of a pod on a node. For the preemptor, only its spec counts.
void see_resize(CaseView& sight, const Pod& pod) {
  const auto has_resources = [](const ContainerStatus& status) { return status.resources.has_resources; };
  const ResourceStatus& of_pod = pod.resource_status;
  if (sight.release.resize_status == ResizeStatus::largest_of_three_totals) see_three_totals(sight, pod);
  if (!pod.pod_level_requests || !sight.release.pod_level_requests) {
    if (std::none_of(pod.container_statuses.begin(), pod.container_statuses.end(), has_resources)) return;
    if (sight.release.resize_status == ResizeStatus::ignored) return sight.note(Class::resize_ignored);
    sight.note(Class::resize_counted);
  } else {
    if (sight.release.resize_status < ResizeStatus::of_containers_and_pod || !of_pod.has_resources) return;
    sight.note(Class::resize_of_the_pod);
  }
  const auto pending =
      std::find_if(pod.conditions.begin(), pod.conditions.end(),
                   [](const Condition& condition) { return condition.type == "PodResizePending"; });
  sight.note(Class::resize_infeasible, pending != pod.conditions.end() && pending->reason == "Infeasible");
}

}  // namespace

void see_requests(CaseView& sight, const Pod& pod, bool on_node) {
  const Release& release = sight.release;
  sight.note(Class::several_containers, pod.containers.size() > 1);
  if (!pod.init_containers.empty()) see_init_containers(sight, pod, on_node);
  if (!pod.overhead.empty())
    sight.note(release.overhead_counts ? Class::overhead_counted : Class::overhead_ignored);
  if (pod.pod_level_requests) {
    sight.note(release.pod_level_requests ? Class::pod_level_request_counted
                                          : Class::pod_level_request_ignored);
  }
  if (on_node) return see_resize(sight, pod);

  const ResourceList wanted = reference::requests_of_preemptor(pod, release);
  const auto cpu = wanted.find("cpu");
  sight.note(Class::resource_not_requested, cpu == wanted.end() || cpu->second == 0);
  for (const Container& container : pod.containers) {
    for (const auto& [name, amount] : container.requests)
      sight.note(Class::name_that_does_not_count, amount > 0 && !wanted.contains(name));
  }
}

}  // namespace touchstone::fuzz
