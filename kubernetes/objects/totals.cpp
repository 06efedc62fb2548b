#include "kubernetes/objects/totals.hpp"

#include <string>

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

/// Adds amounts to `totals`. `field` is the path of the amounts inside the object; `#` in it stands for
/// `index`.
void add_amounts(const Value& object, std::string_view field, std::size_t index, const ResourceList& amounts,
                 ResourceList& totals) {
  for (const auto& [resource, amount] : amounts) {
    Quantity& total = totals[resource];
    if (__builtin_add_overflow(total, amount, &total)) overflow(object, std::string(field), index, resource);
  }
}

}  // namespace

void Totals::add(const Value& value, const Pod& pod) {
  if (pod.phase == "Succeeded" || pod.phase == "Failed") return;
  const Value object = value.as_object("Pod");
  const std::string& node = pod.node_name.empty() ? pod.nominated_node_name : pod.node_name;
  ResourceList alone;
  ResourceList& totals = node.empty() ? alone : of_node_[node];
  for (std::size_t i = 0; i < pod.containers.size(); ++i) {
    add_amounts(object, ".spec.containers[#].resources.requests", i, pod.containers[i].requests, totals);
  }
  for (std::size_t i = 0; i < pod.init_containers.size(); ++i) {
    add_amounts(object, ".spec.initContainers[#].resources.requests", i, pod.init_containers[i].requests,
                totals);
  }
  // One list holds the statuses of containers and of init containers, so the path has no index.
  for (const ContainerStatus& status : pod.container_statuses) {
    if (status.resources.requests)
      add_amounts(object, ".status.containerStatuses", 0, *status.resources.requests, totals);
    if (status.resources.allocated)
      add_amounts(object, ".status.containerStatuses", 0, *status.resources.allocated, totals);
  }
  add_amounts(object, ".spec.overhead", 0, pod.overhead, totals);
  if (pod.pod_level_requests)
    add_amounts(object, ".spec.resources.requests", 0, *pod.pod_level_requests, totals);
  const ResourceStatus& status = pod.resource_status;
  if (status.requests) add_amounts(object, ".status.resources.requests", 0, *status.requests, totals);
  if (status.allocated) add_amounts(object, ".status.allocatedResources", 0, *status.allocated, totals);
}

}  // namespace touchstone::kubernetes
