#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kubernetes/text/json.hpp"
#include "spec/vocabulary/cluster.hpp"

namespace touchstone::kubernetes {

/// The limits of a pod. No decision reads them, but admission does.
struct PodLimits {
  std::vector<ResourceList> init_containers;  ///< one entry for each container
  std::vector<ResourceList> containers;
  ResourceList pod;  ///< of the pod as a whole
};

/// Reads the limits of a pod's spec. Errors: throws InvalidInput (wrong-type, quantity-*).
PodLimits read_pod_limits(const Value& spec);

/// Calls `each` for every init container and container of a pod, with its value in the manifest, the
/// container, and its limits. Requires: `pod` and `limits` were read from `spec`.
template <typename PodOrConst, typename LimitsOrConst, typename Each>
void for_each_container(const Value& spec, PodOrConst& pod, LimitsOrConst& limits, Each each) {
  const auto in_list = [&](std::string_view key, auto& containers, auto& own_limits) {
    const auto list = spec.find(key);
    if (!list) return;
    std::size_t i = 0;
    for (const Value value : list->elements()) {
      each(value, containers[i], own_limits[i]);
      ++i;
    }
  };
  in_list("initContainers", pod.init_containers, limits.init_containers);
  in_list("containers", pod.containers, limits.containers);
}

/// The most that the containers of a pod use at the same time, as AggregateContainerRequests and
/// AggregateContainerLimits of component-helpers/resource/helpers.go@v0.34.4 compute it.
/// Errors: throws InvalidInput (quantity-overflow), which names `spec`.
ResourceList total_of_containers(const Value& spec, const Pod& pod,
                                 const std::vector<ResourceList>& init_containers,
                                 const std::vector<ResourceList>& containers);

/// total_of_containers for the requests of the containers. Errors: as total_of_containers.
ResourceList total_requests(const Value& spec, const Pod& pod);

/// total_of_containers for the limits of the containers. Errors: as total_of_containers.
ResourceList total_limits(const Value& spec, const Pod& pod, const PodLimits& limits);

bool is_hugepages(std::string_view resource);

}  // namespace touchstone::kubernetes
