#pragma once

#include <string>
#include <vector>

#include "kubernetes/json.hpp"
#include "kubernetes/pod_limits.hpp"
#include "spec/cluster.hpp"

namespace touchstone::kubernetes {

/// What pkg/apis/core/v1/defaults.go@v1.34.4 fills in, as far as a decision reads it: SetDefaults_PodSpec
/// (the scheduler), SetDefaults_Pod (requests from limits, also of the pod as a whole; host ports of a pod in
/// the host's network), and the protocol of ports. Says so in `notes`.
/// Requires: `pod` and `limits` are what was read from `spec`.
/// Errors: throws InvalidInput (wrong-type, out-of-range, quantity-*), naming the field.
void default_pod(const Value& spec, Pod& pod, PodLimits& limits, std::vector<std::string>& notes);

}  // namespace touchstone::kubernetes
