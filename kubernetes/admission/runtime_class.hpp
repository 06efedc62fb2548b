#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kubernetes/text/json.hpp"
#include "spec/vocabulary/cluster.hpp"

namespace touchstone::kubernetes {

/// The fields of a RuntimeClass that admission copies to its pods.
struct RuntimeClass {
  std::string name;
  std::optional<ResourceList> overhead;  ///< overhead.podFixed
  Labels node_selector;                  ///< scheduling.nodeSelector
  std::vector<Toleration> tolerations;   ///< scheduling.tolerations
};

/// Reads a RuntimeClass of node.k8s.io/v1 or v1beta1. Errors: throws InvalidInput, as read_node.
RuntimeClass read_runtime_class(const Value& value);

/// Plugin RuntimeClass, plugin/pkg/admission/runtimeclass@v1.34.4. Gives a pod the overhead, node selector
/// and tolerations of the class that it names, and adds a note to `notes`.
/// Errors: throws InvalidInput (unknown-runtime-class; forbidden-field, if the pod has another overhead than
/// the class, or another value for a key of the class's node selector).
void admit_runtime_class(const Value& spec, const std::vector<RuntimeClass>& classes, Pod& pod,
                         std::vector<std::string>& notes);

}  // namespace touchstone::kubernetes
