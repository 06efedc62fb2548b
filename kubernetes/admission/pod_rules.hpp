#pragma once

#include "kubernetes/admission/pod_limits.hpp"
#include "kubernetes/text/json.hpp"
#include "spec/releases/release.hpp"
#include "spec/vocabulary/cluster.hpp"

/// The checks of an API server when a pod is created, for the fields that scheduling reads: ValidatePodCreate
/// of pkg/apis/core/validation/validation.go@v1.34.4. All functions throw InvalidInput, which names the
/// field. Its code is invalid-field, or a code that the function names.
namespace touchstone::kubernetes {

/// Checks names, labels, containers and their ports, affinity, tolerations, topology spread, scheduling
/// gates, volumes and claims. It does not check the operators of selectors; selector_rules.hpp does. `object`
/// has the metadata and the spec.
/// Requires: `pod` was read from `object`, has its defaults, and its label keys are merged.
/// Errors: missing-field, duplicate-object, out-of-range, forbidden-field.
void check_pod(const Value& object, const Pod& pod, const Version& release);

/// Checks requests and limits: resource names, whole numbers, requests within limits, and the amounts of the
/// pod as a whole against those of its containers.
/// Requires: as check_pod, for `spec`; `limits` has its defaults.
/// Errors: missing-field, forbidden-field, quantity-overflow.
void check_resources(const Value& spec, const Pod& pod, const PodLimits& limits);

}  // namespace touchstone::kubernetes
