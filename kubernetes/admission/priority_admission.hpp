#pragma once

#include <string>
#include <vector>

#include "kubernetes/text/json.hpp"
#include "kubernetes/objects/objects.hpp"
#include "spec/vocabulary/cluster.hpp"

namespace touchstone::kubernetes {

/// Plugin Priority, admitPod of plugin/pkg/admission/priority/admission.go@v1.34.4: gives a new pod the
/// priority and the preemption policy of the PriorityClass that it names, else of the global default, of
/// several that of the lowest value, else 0 and PreemptLowerPriority. system-cluster-critical and
/// system-node-critical exist in every cluster. Says so in `notes`. Requires: `pod` is what was read from
/// `spec`. Errors: throws InvalidInput (unknown-priority-class; forbidden-field, where the manifest says
/// otherwise).
void admit_priority(const Value& spec, const std::vector<PriorityClass>& classes, Pod& pod,
                    std::vector<std::string>& notes);

}  // namespace touchstone::kubernetes
