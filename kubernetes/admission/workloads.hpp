#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kubernetes/dump/dump.hpp"
#include "kubernetes/text/json.hpp"
#include "spec/releases/release.hpp"
#include "spec/vocabulary/cluster.hpp"

namespace touchstone::kubernetes {

/// The origin of a new pod: a manifest of a Pod, or the template of a workload and the additions of its
/// controller.
struct PodOrigin {
  std::string_view kind;   ///< of the manifest: Pod, Deployment, ...
  std::deque<Value> path;  ///< from the manifest to object(); each value points to the one before
  std::string ns;
  std::string name;  ///< xxxxx stands for random characters
  /// Its uid is empty if a controller creates the pod.
  std::optional<Controller> controller;
  Labels labels;                              ///< added by the controller to those of the template
  std::vector<Toleration> tolerations;        ///< added by the controller
  std::vector<PersistentVolumeClaim> claims;  ///< of volumeClaimTemplates; each is a volume of the pod
  std::vector<std::string> volume_names;      ///< of the claims, in their order

  /// The value that has the metadata and the spec of the pod: the manifest, or its template.
  const Value& object() const { return path.back(); }
};

/// Finds the pod of a manifest of a Pod, Deployment, StatefulSet, DaemonSet, ReplicaSet, Job or CronJob. For
/// a workload, it is one pod as the controller of v1.34.4 would create it (pkg/controller/*). `ns` is the
/// namespace if the manifest names none.
///  - Deployment: a pod of a new ReplicaSet, name-xxxxxxxxxx-xxxxx, with the label pod-template-hash.
///  - StatefulSet: name-N with its labels and the claims of volumeClaimTemplates. N is the first ordinal
///    whose pod is not in the dump, counted from spec.ordinals.start, or from 0.
///  - DaemonSet: name-xxxxx with the labels and tolerations of daemon pods. It is not bound to a node by
///    affinity; the controller would bind each pod so.
///  - ReplicaSet, Job, CronJob: name-xxxxx (name-0-xxxxx if a Job is indexed; name-xxxxxxxx-xxxxx for a
///    CronJob).
/// The controller of a Pod is the owner that its manifest names. That of another pod is the workload, or the
/// new ReplicaSet of a Deployment, or the new Job of a CronJob. Errors: throws InvalidInput (not-one-pod for
/// another kind; missing-field; forbidden-field: another namespace than `ns`; invalid-field: a selector that
/// does not match the template).
PodOrigin pod_origin(const Value& root, const Dump& dump, const Version& release, const std::string& ns);

}  // namespace touchstone::kubernetes
