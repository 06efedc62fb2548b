#pragma once

#include "kubernetes/text/json.hpp"
#include "kubernetes/admission/pod_limits.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/releases/release.hpp"

/// What an API server refuses when a pod is created: ValidatePodCreate of
/// pkg/apis/core/validation/validation.go@v1.34.4, for the fields that scheduling looks at. All throw
/// InvalidInput (invalid-field, and the codes named), about the field.
namespace touchstone::kubernetes {

/// Checks names, labels, containers and their ports, affinity, tolerations, spread, gates, volumes and
/// claims. The operators of selectors are selector_rules.hpp. `object` has the metadata and the spec.
/// Requires: `pod` is what was read of it, with its defaults and with label keys merged. Errors:
/// missing-field, duplicate-object, out-of-range, forbidden-field.
void check_pod(const Value& object, const Pod& pod, const Version& release);

/// Checks requests and limits: the names of resources, whole numbers, requests within limits, and those of
/// the pod as a whole against those of its containers. Requires: as check_pod of `spec`; `limits` has its
/// defaults.
void check_resources(const Value& spec, const Pod& pod, const PodLimits& limits);

}  // namespace touchstone::kubernetes
