#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kubernetes/text/json.hpp"
#include "spec/vocabulary/cluster.hpp"

/// Readers for the controllers that objects name. All throw InvalidInput, which names the field.
namespace touchstone::kubernetes {

/// The annotation of a node that names controllers whose pods should avoid the node.
inline constexpr std::string_view k_prefer_avoid_pods = "scheduler.alpha.kubernetes.io/preferAvoidPods";

/// The first owner in an object's metadata with `controller: true`; nothing if there is none.
std::optional<Controller> read_controller(const Value& metadata);

/// The controllers in the annotation k_prefer_avoid_pods of a node's metadata, with kind and uid. An entry
/// without a controller is left out.
/// Ensures: the result is empty if the text of the annotation is not such JSON, as in
/// GetAvoidPodsFromNodeAnnotations of pkg/apis/core/v1/helper/helpers.go@v1.21.14.
/// Errors: wrong-type, if the annotation is not a string.
/// Clauses: SCORE-AVOID-1.
std::vector<Controller> read_avoided(const Value& metadata);

}  // namespace touchstone::kubernetes
