#pragma once

#include <string>
#include <vector>

#include "kubernetes/text/json.hpp"
#include "kubernetes/admission/pod_limits.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/releases/release.hpp"

namespace touchstone::kubernetes {

/// What pkg/apis/core/v1/defaults.go@v1.34.4 fills in, as far as a decision reads it: SetDefaults_PodSpec
/// (the scheduler), SetDefaults_Pod (requests of containers from their limits; host ports of a pod in the
/// host's network), and the protocol of ports. Says so in `notes`.
/// Requires: `pod` and `limits` are what was read from `spec`.
/// Errors: throws InvalidInput (wrong-type, out-of-range, quantity-*), naming the field.
void default_pod(const Value& spec, Pod& pod, PodLimits& limits, std::vector<std::string>& notes);

/// What is filled in for the pod as a whole, where it has requests or limits of its own. Of cpu and memory it
/// requests what its containers do and, where they do not, its limit; of huge pages its limit, which is that
/// of its containers. v1.34 to v1.36 fill in nothing beside requests alone (defaultHugePagePodLimits and
/// defaultPodRequests of defaults.go@v1.36.3); from v1.37 on limits follow from those of the containers, too
/// (DefaultPodLevelResources of pkg/api/pod/util.go@v1.37.2).
/// Requires and errors: as default_pod, which comes before.
void default_pod_level(const Value& spec, Pod& pod, PodLimits& limits, const Version& release,
                       std::vector<std::string>& notes);

/// Whether default_pod_level comes after the admission plugins: from v1.37 on.
bool pod_level_is_defaulted_late(const Version& release);

}  // namespace touchstone::kubernetes
