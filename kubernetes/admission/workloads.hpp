#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "kubernetes/dump/dump.hpp"
#include "kubernetes/text/json.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/releases/release.hpp"

namespace touchstone::kubernetes {

/// Where a new pod comes from: a manifest of a Pod, or the template of a workload and what its controller
/// makes of it.
struct PodOrigin {
  std::string_view kind;   ///< of the manifest: Pod, Deployment, ...
  std::deque<Value> path;  ///< the manifest first; values point to the one before them
  std::string ns;
  std::string name;                           ///< xxxxx stands for what a server or a controller draws
  Labels labels;                              ///< that the controller adds to those of the template
  std::vector<Toleration> tolerations;        ///< that the controller adds
  std::vector<PersistentVolumeClaim> claims;  ///< of volumeClaimTemplates; each is a volume of the pod
  std::vector<std::string> volume_names;      ///< of the claims, in their order

  /// What has the metadata and the spec of the pod: the manifest, or its template.
  const Value& object() const { return path.back(); }
};

/// Finds the pod of a manifest: a Pod, or a Deployment, StatefulSet, DaemonSet, ReplicaSet, Job or CronJob,
/// of which it is one pod as the controller of v1.34.4 would make it (pkg/controller/*). `ns` is the
/// namespace where the manifest names none.
///  - Deployment: a pod of a new ReplicaSet, name-xxxxxxxxxx-xxxxx, with the label pod-template-hash.
///  - StatefulSet: the first ordinal, name-0 or what spec.ordinals says, that the dump has no pod of, with
///  its
///    labels and the claims of volumeClaimTemplates.
///  - DaemonSet: name-xxxxx with the labels and tolerations of daemon pods; it is not bound to a node by
///    affinity, as the controller binds each.
///  - ReplicaSet, Job, CronJob: name-xxxxx (name-0-xxxxx where a Job is indexed; name-xxxxxxxx-xxxxx).
/// Errors: throws InvalidInput (not-one-pod for another kind; missing-field; forbidden-field: another
/// namespace than `ns`; invalid-field: a selector that does not match the template).
PodOrigin pod_origin(const Value& root, const Dump& dump, const Version& release, const std::string& ns);

}  // namespace touchstone::kubernetes
