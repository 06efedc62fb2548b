#include "kubernetes/totals.hpp"

#include <algorithm>
#include <string>

namespace touchstone::kubernetes {

namespace {

bool fits(Quantity a, Quantity b) {
  Quantity sum = 0;
  return !__builtin_add_overflow(a, b, &sum);
}

[[noreturn]] void overflow(const Value& object, std::string field, std::size_t index,
                           const std::string& resource) {
  const std::size_t mark = field.find('#');
  if (mark != std::string::npos) field.replace(mark, 1, std::to_string(index));
  throw InvalidInput({"quantity-overflow", object.path() + field + "." + resource,
                      object.object_name() + ": expected amounts of " + resource +
                          " whose sum over the whole cluster stays within 64 bits"});
}

}  // namespace

void Totals::add(const Value& value, const Node& node) {
  const Value object = value.as_object("Node");
  for (const auto& [resource, amount] : node.allocatable) {
    Quantity& largest = largest_allocatable_[resource];
    largest = std::max(largest, amount);
    if (!fits(pods_[resource], largest)) overflow(object, ".status.allocatable", 0, resource);
  }
}

void Totals::add(const Value& value, const Pod& pod) {
  const Value object = value.as_object("Pod");
  for (std::size_t i = 0; i < pod.containers.size(); ++i) {
    add_amounts(object, ".spec.containers[#].resources.requests", i, pod.containers[i].requests);
  }
  for (std::size_t i = 0; i < pod.init_containers.size(); ++i) {
    add_amounts(object, ".spec.initContainers[#].resources.requests", i, pod.init_containers[i].requests);
  }
  // Those of containers and init containers are one list by now, so there is no index to tell.
  for (const ContainerStatus& status : pod.container_statuses) {
    if (status.resource_requests)
      add_amounts(object, ".status.containerStatuses", 0, *status.resource_requests);
    add_amounts(object, ".status.containerStatuses", 0, status.allocated_resources);
  }
  add_amounts(object, ".spec.overhead", 0, pod.overhead);
  if (pod.pod_level_requests) add_amounts(object, ".spec.resources.requests", 0, *pod.pod_level_requests);
  if (pod.actual_requests) add_amounts(object, ".status.resources.requests", 0, *pod.actual_requests);
  add_amounts(object, ".status.allocatedResources", 0, pod.allocated_resources);
}

void Totals::add_amounts(const Value& object, std::string_view field, std::size_t index,
                         const ResourceList& amounts) {
  for (const auto& [resource, amount] : amounts) {
    Quantity& total = pods_[resource];
    const bool sum_fits = fits(total, amount) && fits(total + amount, largest_allocatable_[resource]);
    if (!sum_fits) overflow(object, std::string(field), index, resource);
    total += amount;
  }
}

}  // namespace touchstone::kubernetes
