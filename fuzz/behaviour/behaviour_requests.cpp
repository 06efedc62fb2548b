#include <algorithm>

#include "fuzz/behaviour/behaviour_parts.hpp"
#include "reference/filters/requests.hpp"

/// The part of behaviour_of() about what pods request, and which requests the release counts.
namespace touchstone::fuzz {

namespace {

void note_init_containers(CaseView& view, const Pod& pod, bool on_node) {
  if (on_node && !view.release.init_containers_of_node_pods) {
    return view.note(Class::init_container_not_counted, !pod.init_containers.empty());
  }
  bool after_sidecar = false;
  for (const Container& container : pod.init_containers) {
    const bool sidecar = container.restart_always && view.release.sidecars_add_up;
    view.note(sidecar ? Class::sidecar_counted : Class::init_container);
    view.note(Class::init_container_beside_a_sidecar, after_sidecar && !sidecar);
    after_sidecar = after_sidecar || sidecar;
    const auto has_number = [](const ContainerPort& port) { return port.host_port != 0; };
    view.note(Class::port_of_a_sidecar,
              sidecar && view.release.sidecar_ports_count &&
                  std::any_of(container.ports.begin(), container.ports.end(), has_number));
  }
}

/// PRE-REQUESTS-8: notes which maps of a status are read, and which are absent.
void note_three_totals(CaseView& view, const Pod& pod) {
  const auto is_empty = [](const std::optional<ResourceList>& list) { return list && list->empty(); };
  const ResourceStatus& of_pod = pod.resource_status;
  const bool whole = of_pod.allocated && of_pod.requests;
  view.note(Class::totals_of_the_pod, whole);
  view.note(Class::empty_map_counts, whole && (is_empty(of_pod.allocated) || is_empty(of_pod.requests)));
  if (whole) return;
  for (const ContainerStatus& status : pod.container_statuses) {
    const ResourceStatus& resources = status.resources;
    view.note(Class::totals_of_containers, resources.allocated || resources.requests);
    view.note(Class::allocation_alone_counts, resources.allocated && !resources.has_resources);
    view.note(Class::empty_map_counts, is_empty(resources.allocated) || is_empty(resources.requests));
    view.note(Class::map_is_absent, !resources.allocated || !resources.requests);
  }
}

/// Notes a resize of a pod on a node. For the preemptor, only its spec counts.
void note_resize(CaseView& view, const Pod& pod) {
  const auto has_resources = [](const ContainerStatus& status) { return status.resources.has_resources; };
  const ResourceStatus& of_pod = pod.resource_status;
  if (view.release.resize_status == ResizeStatus::largest_of_three_totals) note_three_totals(view, pod);
  if (!pod.pod_level_requests || !view.release.pod_level_requests) {
    if (std::none_of(pod.container_statuses.begin(), pod.container_statuses.end(), has_resources)) return;
    if (view.release.resize_status == ResizeStatus::ignored) return view.note(Class::resize_ignored);
    view.note(Class::resize_counted);
  } else {
    if (view.release.resize_status < ResizeStatus::of_containers_and_pod || !of_pod.has_resources) return;
    view.note(Class::resize_of_the_pod);
  }
  const auto pending =
      std::find_if(pod.conditions.begin(), pod.conditions.end(),
                   [](const Condition& condition) { return condition.type == "PodResizePending"; });
  view.note(Class::resize_infeasible, pending != pod.conditions.end() && pending->reason == "Infeasible");
}

}  // namespace

void note_requests(CaseView& view, const Pod& pod, bool on_node) {
  const Release& release = view.release;
  view.note(Class::several_containers, pod.containers.size() > 1);
  if (!pod.init_containers.empty()) note_init_containers(view, pod, on_node);
  if (!pod.overhead.empty())
    view.note(release.overhead_counts ? Class::overhead_counted : Class::overhead_ignored);
  if (pod.pod_level_requests) {
    view.note(release.pod_level_requests ? Class::pod_level_request_counted
                                         : Class::pod_level_request_ignored);
  }
  if (on_node) return note_resize(view, pod);

  const ResourceList wanted = reference::requests_of_preemptor(pod, release);
  const auto cpu = wanted.find("cpu");
  view.note(Class::resource_not_requested, cpu == wanted.end() || cpu->second == 0);
  for (const Container& container : pod.containers) {
    for (const auto& [name, amount] : container.requests)
      view.note(Class::name_that_does_not_count, amount > 0 && !wanted.contains(name));
  }
}

}  // namespace touchstone::fuzz
