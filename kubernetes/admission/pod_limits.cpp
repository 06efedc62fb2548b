#include "kubernetes/admission/pod_limits.hpp"

#include <algorithm>

#include "kubernetes/objects/fields.hpp"

namespace touchstone::kubernetes {

namespace {

ResourceList limits_field(const Value& object) {
  const auto resources = object.find("resources");
  if (!resources) return {};
  return resources_field(*resources, "limits").value_or(ResourceList{});
}

void add(const Value& spec, const ResourceList& amounts, ResourceList& sum) {
  for (const auto& [name, amount] : amounts) {
    if (__builtin_add_overflow(sum[name], amount, &sum[name])) {
      spec.fail("quantity-overflow", "expected amounts of " + name + " whose sum stays within 64 bits");
    }
  }
}

std::vector<ResourceList> requests_of(const std::vector<Container>& containers) {
  std::vector<ResourceList> requests;
  for (const Container& container : containers) requests.push_back(container.requests);
  return requests;
}

}  // namespace

PodLimits read_pod_limits(const Value& spec) {
  return {.init_containers = list_field(spec, "initContainers", limits_field),
          .containers = list_field(spec, "containers", limits_field),
          .pod = limits_field(spec)};
}

ResourceList total_of_containers(const Value& spec, const Pod& pod,
                                 const std::vector<ResourceList>& init_containers,
                                 const std::vector<ResourceList>& containers) {
  ResourceList sidecars;
  ResourceList starting;  // the maximum while init containers run
  for (std::size_t i = 0; i < init_containers.size(); ++i) {
    const bool is_sidecar = pod.init_containers[i].restart_always;
    if (is_sidecar) add(spec, init_containers[i], sidecars);
    ResourceList used = sidecars;
    if (!is_sidecar) add(spec, init_containers[i], used);
    for (const auto& [name, amount] : used) starting[name] = std::max(starting[name], amount);
  }
  ResourceList running = sidecars;
  for (const ResourceList& amounts : containers) add(spec, amounts, running);
  for (const auto& [name, amount] : starting) running[name] = std::max(running[name], amount);
  return running;
}

ResourceList total_requests(const Value& spec, const Pod& pod) {
  return total_of_containers(spec, pod, requests_of(pod.init_containers), requests_of(pod.containers));
}

ResourceList total_limits(const Value& spec, const Pod& pod, const PodLimits& limits) {
  return total_of_containers(spec, pod, limits.init_containers, limits.containers);
}

bool is_hugepages(std::string_view resource) { return resource.starts_with("hugepages-"); }

}  // namespace touchstone::kubernetes
