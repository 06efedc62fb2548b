#pragma once

#include <string>
#include <vector>

#include "kubernetes/objects/objects.hpp"
#include "kubernetes/text/json.hpp"
#include "spec/vocabulary/cluster.hpp"

namespace touchstone::kubernetes {

/// Plugin Priority, admitPod of plugin/pkg/admission/priority/admission.go@v1.34.4. Sets the priority and the
/// preemption policy of a new pod, and adds notes to `notes`.
///  - If the pod names a PriorityClass, the values are those of the class.
///  - Else they are those of the global default. Of several global defaults, the one with the lowest value
///    counts.
///  - Else they are 0 and PreemptLowerPriority.
/// The classes system-cluster-critical and system-node-critical exist in every cluster.
/// Requires: `pod` was read from `spec`.
/// Errors: throws InvalidInput (unknown-priority-class; forbidden-field, if the manifest has another priority
/// or preemption policy).
void admit_priority(const Value& spec, const std::vector<PriorityClass>& classes, Pod& pod,
                    std::vector<std::string>& notes);

}  // namespace touchstone::kubernetes
