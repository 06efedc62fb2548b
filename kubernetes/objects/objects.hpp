#pragma once

#include <string>

#include "kubernetes/text/json.hpp"
#include "spec/vocabulary/cluster.hpp"

/// Kubernetes objects as an API server serves them: no defaulting, no admission; members that no decision
/// reads are ignored, what is read must have its type. All throw InvalidInput naming the field, and the
/// object as "Pod default/a", "Node n1", "PodDisruptionBudget ns/x" in the message.
namespace touchstone::kubernetes {

/// What gives pods their priority before they are stored; no decision reads it.
struct PriorityClass {
  std::string name;
  Quantity value = 0;
  bool global_default = false;
  std::string preemption_policy;  ///< empty: PreemptLowerPriority
};

/// Reads a Node.
/// Errors: missing-field (metadata.name), wrong-type, duplicate-key, quantity-*.
Node read_node(const Value& value);

/// Reads a Pod.
/// Ensures: priority nil is 0, requests are not derived from limits, an empty namespace is "default".
/// Errors: as read_node; out-of-range; time-*.
/// Clauses: PRE-INPUT-4.
Pod read_pod(const Value& value);

/// Reads labels and spec of a Pod that no API server has stored, or of the template of one. Its name and
/// namespace are left empty; status, uid and deletionTimestamp do not count.
/// Errors: as read_pod.
Pod read_new_pod(const Value& value);

/// Reads a PodDisruptionBudget of policy/v1 or policy/v1beta1.
/// Errors: as read_pod.
PodDisruptionBudget read_pdb(const Value& value);

/// Reads a PriorityClass of scheduling.k8s.io/v1, v1beta1 or v1alpha1. Errors: as read_node; out-of-range.
PriorityClass read_priority_class(const Value& value);

struct Namespace {
  std::string name;
  Labels labels;
};
/// Reads a Namespace. Errors: as read_node.
Namespace read_namespace(const Value& value);

}  // namespace touchstone::kubernetes
