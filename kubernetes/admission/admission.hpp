#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kubernetes/dump/dump.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/releases/release.hpp"
#include "spec/vocabulary/result.hpp"

namespace touchstone::kubernetes {

/// A pod as an API server would store it, and what was filled in to get there.
struct Manifest {
  Pod pod;
  /// Claims of a StatefulSet's pod that the dump lacks: its controller creates them before the pod.
  std::vector<PersistentVolumeClaim> claims;
  /// Such as "priority 1000 from PriorityClass high"; of what no decision reads (protocol, scheduler name)
  /// nothing is said.
  std::vector<std::string> notes;
};

/// Reads a manifest, which no API server has seen, of exactly one Pod or workload (JSON or YAML,
/// gzip-compressed or not) and admits its pod to the cluster of a dump as the API server of `release` does
/// with default flags; facts are read from v1.34.4 where no other release is named. This is the one place
/// where anything is defaulted: objects of a dump are as served (PRE-INPUT-4). In this order:
///  - a workload's pod is the one that its controller would make of the template (workloads.hpp); without a
///    name generateName and "xxxxx" make one; the namespace is `ns`, or "default", where none is named, and
///    must exist where the dump lists namespaces; status, uid and deletionTimestamp are dropped;
///  - a field that the type does not have in the release is an error (known_fields.hpp);
///  - requests are limits where missing, by container and for the pod (from v1.34; before, the resources of
///    the pod as a whole are dropped); host ports of a pod in the host's network are its container ports; the
///    protocol is TCP, the scheduler default-scheduler;
///  - LimitRanges of the dump give requests and limits, PriorityClasses priority and preemption policy,
///    RuntimeClasses overhead, node selector and tolerations;
///  - not-ready and unreachable nodes are tolerated, but not for NoSchedule;
///  - matchLabelKeys and mismatchLabelKeys are merged into selectors (label_keys.hpp);
///  - fields that scheduling looks at are validated (pod_rules.hpp, selector_rules.hpp), and requests and
///  limits
///    are held against LimitRanges.
/// Not done: quotas, webhooks and admission policies, plugins that are off by default, the volume of the
/// service account, pod security, and validation of fields that scheduling does not look at.
/// Errors: those of read_bytes, documents_of, read_new_pod, pod_origin, refuse_unknown_fields, check_pod,
/// check_resources, check_limit_ranges and admit_runtime_class; missing-field (also: no containers);
/// pod-not-pending (spec.nodeName); already-exists; unknown-namespace; unknown-priority-class;
/// invalid-selector; forbidden-field (spec.priority or preemptionPolicy that the class contradicts);
/// quantity-overflow.
Result<Manifest> read_manifest(const std::string& path, const Dump& dump, const Version& release,
                               const std::string& ns = "");

/// Reads a manifest that is in memory. Errors: as read_manifest, with `name` for a path.
Result<Manifest> parse_manifest(std::string_view bytes, const std::string& name, const Dump& dump,
                                const Version& release, const std::string& ns = "");

}  // namespace touchstone::kubernetes
