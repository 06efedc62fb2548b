#pragma once

#include <string>
#include <vector>

#include "kubernetes/admission/pod_limits.hpp"
#include "kubernetes/text/json.hpp"
#include "spec/releases/release.hpp"
#include "spec/vocabulary/cluster.hpp"

namespace touchstone::kubernetes {

/// Fills in the defaults of pkg/apis/core/v1/defaults.go@v1.34.4 that a decision reads: SetDefaults_PodSpec
/// (the scheduler), SetDefaults_Pod (requests of containers from their limits; host ports of a pod with
/// hostNetwork), and the protocol of ports. Adds notes about requests and host ports to `notes`.
/// Requires: `pod` and `limits` were read from `spec`.
/// Errors: throws InvalidInput (wrong-type, out-of-range, quantity-*), which names the field.
void default_pod(const Value& spec, Pod& pod, PodLimits& limits, std::vector<std::string>& notes);

/// Fills in requests and limits of the pod as a whole, if it has some of its own already.
///  - Huge pages: if the pod requests none, its limit is the total limit of its containers.
///  - Requests of cpu and memory: the total request of the containers. If they request none, the pod's limit.
///  - Requests of huge pages: the pod's limit.
///  - v1.34 to v1.36 fill in no requests if the pod still has no limit after the first step
///    (defaultHugePagePodLimits and defaultPodRequests of defaults.go@v1.36.3).
///  - From v1.37, the pod's limits also follow from the limits of the containers (DefaultPodLevelResources of
///    pkg/api/pod/util.go@v1.37.2).
/// Requires and errors: as default_pod, which must run before.
void default_pod_level(const Value& spec, Pod& pod, PodLimits& limits, const Version& release,
                       std::vector<std::string>& notes);

/// True if default_pod_level runs after the admission plugins: from v1.37.
bool pod_level_is_defaulted_late(const Version& release);

}  // namespace touchstone::kubernetes
