#pragma once

#include <optional>
#include <string>

#include "kubernetes/text/json.hpp"
#include "spec/vocabulary/cluster.hpp"

/// Readers for Kubernetes objects as an API server serves them. They do no defaulting and no admission. They
/// ignore members that no decision reads; a member that they read must have its type. All throw InvalidInput,
/// which names the field and the object, such as "Pod default/a", "Node n1", "PodDisruptionBudget ns/x".
namespace touchstone::kubernetes {

/// A PriorityClass. It gives pods their priority before they are stored; no decision reads it.
struct PriorityClass {
  std::string name;
  Quantity value = 0;
  bool global_default = false;
  std::string preemption_policy;  ///< empty: PreemptLowerPriority
};

/// Reads a Node. Ensures: an annotation about avoided controllers that cannot be read counts as none.
/// Errors: missing-field (metadata.name), wrong-type, duplicate-key, quantity-*, out-of-range.
/// Clauses: SCORE-AVOID-1.
Node read_node(const Value& value);

/// Reads a Pod.
/// Ensures: a missing priority is 0, requests are not derived from limits, an empty namespace is "default".
/// Errors: as read_node; time-*; several-sources.
/// Clauses: PRE-INPUT-4.
Pod read_pod(const Value& value);

/// Reads the labels and the spec of a Pod that no API server has stored, or of a pod template. Leaves name
/// and namespace empty. Ignores status, uid and deletionTimestamp.
/// Errors: as read_pod.
Pod read_new_pod(const Value& value);

/// The field spec.terminationGracePeriodSeconds of a Pod or a pod template. Errors: as read_node.
std::optional<Quantity> read_grace_seconds(const Value& value);

/// Reads a PodDisruptionBudget of policy/v1 or policy/v1beta1.
/// Errors: as read_pod.
PodDisruptionBudget read_pdb(const Value& value);

/// Reads a PriorityClass of scheduling.k8s.io/v1, v1beta1 or v1alpha1. Errors: as read_node.
PriorityClass read_priority_class(const Value& value);

struct Namespace {
  std::string name;
  Labels labels;
};
/// Reads a Namespace. Errors: as read_node.
Namespace read_namespace(const Value& value);

}  // namespace touchstone::kubernetes
