#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kubernetes/dump/dump.hpp"
#include "spec/releases/release.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/result.hpp"

namespace touchstone::kubernetes {

/// A pod as an API server would store it, with notes about the values that admission filled in.
struct Manifest {
  Pod pod;
  /// Claims of a StatefulSet's pod that the dump lacks. The StatefulSet controller creates them before the
  /// pod.
  std::vector<PersistentVolumeClaim> claims;
  /// One text for each change, such as "priority 1000 from PriorityClass high". There is no text about a
  /// value that no decision reads (protocol, scheduler name).
  std::vector<std::string> notes;
};

/// Reads a manifest of exactly one Pod or workload (JSON or YAML, gzip-compressed or not) that no API server
/// has stored. Admits its pod to the cluster of a dump as the API server of `release` does with default
/// flags. The rules are those of v1.34.4 where no other release is named. This is the only place that fills
/// in defaults: objects of a dump are used as served (PRE-INPUT-4). The steps, in this order:
///  - Find the pod. The pod of a workload is the one that its controller would create from the template
///    (workloads.hpp). Without a name, generateName and "xxxxx" give one.
///  - Reject a field that its type does not have in the release (known_fields.hpp), and invalid selectors
///    (selector_rules.hpp).
///  - Set the namespace to `ns`, or to "default", if the manifest names none. If the dump lists namespaces,
///    it must be one of them. Drop status, uid and deletionTimestamp.
///  - Set missing requests to the limits, for each container and for the pod as a whole. (Before v1.34, drop
///    the resources of the pod as a whole.) Set the host ports of a pod with hostNetwork to its container
///    ports, the protocol to TCP, the scheduler to default-scheduler.
///  - Set requests and limits from LimitRanges of the dump, priority and preemption policy from
///    PriorityClasses.
///  - Add tolerations of not-ready and unreachable nodes for NoExecute, but not for NoSchedule.
///  - Set overhead, node selector and tolerations from RuntimeClasses.
///  - Merge matchLabelKeys and mismatchLabelKeys into selectors (label_keys.hpp).
///  - Validate the fields that scheduling reads (pod_rules.hpp). Check requests and limits against
///    LimitRanges.
/// Not done: quotas, webhooks and admission policies, plugins that are off by default, the volume of the
/// service account, pod security, and validation of fields that scheduling does not read.
/// Errors: those of read_bytes, documents_of, read_new_pod, pod_origin, refuse_unknown_fields, check_pod,
/// check_resources, check_limit_ranges and admit_runtime_class; missing-field (also: no containers);
/// pod-not-pending (spec.nodeName); already-exists; unknown-namespace; unknown-priority-class;
/// invalid-selector; forbidden-field (spec.priority or preemptionPolicy that the class contradicts);
/// quantity-overflow.
Result<Manifest> read_manifest(const std::string& path, const Dump& dump, const Version& release,
                               const std::string& ns = "");

/// Does the same for a value. Errors: throws InvalidInput.
Manifest admit(const Value& root, const Dump& dump, const Version& release, const std::string& ns = "");

/// Does the same for a manifest in memory. Errors: as read_manifest, with `name` in place of the path.
Result<Manifest> parse_manifest(std::string_view bytes, const std::string& name, const Dump& dump,
                                const Version& release, const std::string& ns = "");

}  // namespace touchstone::kubernetes
