#include "kubernetes/objects/totals.hpp"

#include <string>
#include <string_view>

#include "kubernetes/objects/lists.hpp"

namespace touchstone::kubernetes {

namespace {

[[noreturn]] void overflow(const Value& object, std::string field, std::size_t index,
                           const std::string& resource) {
  const std::size_t mark = field.find('#');
  if (mark != std::string::npos) field.replace(mark, 1, std::to_string(index));
  throw InvalidInput({"quantity-overflow", object.path() + field + "." + resource,
                      object.object_name() + ": expected amounts of " + resource +
                          " whose sum over a node stays within 64 bits"});
}

/// Calls act(field, index, amounts) for each list of amounts of a pod. `field` is the path of the amounts
/// inside the pod; `#` in it stands for `index`.
template <typename F>
void for_each_amounts(const Pod& pod, const F& act) {
  for (std::size_t i = 0; i < pod.containers.size(); ++i)
    act(".spec.containers[#].resources.requests", i, pod.containers[i].requests);
  for (std::size_t i = 0; i < pod.init_containers.size(); ++i)
    act(".spec.initContainers[#].resources.requests", i, pod.init_containers[i].requests);
  // One list holds the statuses of containers and of init containers, so the path has no index.
  for (const ContainerStatus& status : pod.container_statuses) {
    if (status.resources.requests) act(".status.containerStatuses", 0, *status.resources.requests);
    if (status.resources.allocated) act(".status.containerStatuses", 0, *status.resources.allocated);
  }
  act(".spec.overhead", 0, pod.overhead);
  if (pod.pod_level_requests) act(".spec.resources.requests", 0, *pod.pod_level_requests);
  const ResourceStatus& status = pod.resource_status;
  if (status.requests) act(".status.resources.requests", 0, *status.requests);
  if (status.allocated) act(".status.allocatedResources", 0, *status.allocated);
}

/// Where the amounts of a pod count. Empty: on no node.
const std::string& node_of(const Pod& pod) {
  return pod.node_name.empty() ? pod.nominated_node_name : pod.node_name;
}

bool has_ended(const Pod& pod) { return pod.phase == "Succeeded" || pod.phase == "Failed"; }

void add_amounts(const Value& value, const Pod& pod, ResourceList& totals) {
  const Value object = value.as_object("Pod");
  for_each_amounts(pod, [&](std::string_view field, std::size_t index, const ResourceList& amounts) {
    for (const auto& [resource, amount] : amounts) {
      Quantity& total = totals[resource];
      if (__builtin_add_overflow(total, amount, &total))
        overflow(object, std::string(field), index, resource);
    }
  });
}

void subtract_amounts(const Pod& pod, ResourceList& totals) {
  for_each_amounts(pod, [&totals](std::string_view, std::size_t, const ResourceList& amounts) {
    for (const auto& [resource, amount] : amounts) totals[resource] -= amount;
  });
}

}  // namespace

void Totals::add(const Value& value, const Pod& pod) {
  if (has_ended(pod)) return;
  ResourceList alone;
  const std::string& node = node_of(pod);
  add_amounts(value, pod, node.empty() ? alone : of_node_[node]);
}

void ChangingTotals::add(const Value& value, const Pod& pod) {
  check(value, pod, nullptr);
  const std::string& node = node_of(pod);
  if (!has_ended(pod) && !node.empty()) add_amounts(value, pod, of_node_[node]);
}

void ChangingTotals::check(const Value& value, const Pod& pod, const Pod* instead_of) const {
  if (has_ended(pod)) return;
  ResourceList totals;
  const std::string& node = node_of(pod);
  const auto known = of_node_.find(node);
  if (known != of_node_.end()) {
    totals = known->second;
    if (instead_of != nullptr && !has_ended(*instead_of) && node_of(*instead_of) == node)
      subtract_amounts(*instead_of, totals);
  }
  add_amounts(value, pod, totals);
}

void ChangingTotals::remove(const Pod& pod) {
  const auto known = of_node_.find(node_of(pod));
  if (known != of_node_.end() && !has_ended(pod)) subtract_amounts(pod, known->second);
}

}  // namespace touchstone::kubernetes
