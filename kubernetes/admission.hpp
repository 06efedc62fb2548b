#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kubernetes/dump.hpp"
#include "spec/cluster.hpp"
#include "spec/result.hpp"

namespace touchstone::kubernetes {

/// A pod as an API server would store it, and what was filled in to get there.
struct Manifest {
  Pod pod;
  /// Such as "priority 1000 from PriorityClass high"; of what no decision reads (protocol, scheduler name)
  /// nothing is said.
  std::vector<std::string> notes;
};

/// Reads a manifest, which no API server has seen, of exactly one Pod (JSON or YAML, gzip-compressed or not)
/// and admits it to the cluster of a dump as the API server of v1.34 does with default flags. This is the one
/// place where anything is defaulted: objects of a dump are as served (PRE-INPUT-4). In this order:
///  - status, uid and deletionTimestamp are dropped; without a name generateName and "xxxxx" make one; the
///    namespace is "default" where none is named, and must exist where the dump lists namespaces;
///  - requests are limits where missing, by container and for the pod; host ports of a pod in the host's
///    network are its container ports; the protocol is TCP, the scheduler default-scheduler;
///  - priority and preemption policy come from the PriorityClass;
///  - not-ready and unreachable nodes are tolerated, but not for NoSchedule.
/// Not done: LimitRanges, RuntimeClasses (their overhead, node selector, tolerations), quotas, webhooks and
/// admission policies, plugins that are off by default, the volume of the service account, matchLabelKeys
/// merged into selectors, pod security, and validation of fields beyond their types. Notes say so where the
/// manifest or the dump has a RuntimeClass or a LimitRange.
/// Errors: those of read_bytes, yaml_to_json and read_new_pod; json-malformed; not-one-pod; missing-field
/// (also: no containers); pod-not-pending (spec.nodeName); already-exists; unknown-namespace;
/// unknown-priority-class; invalid-selector; forbidden-field (spec.priority or preemptionPolicy that the
/// class contradicts, overhead without a RuntimeClass); quantity-overflow.
Result<Manifest> read_manifest(const std::string& path, const Dump& dump);

/// Reads a manifest that is in memory. Errors: as read_manifest, with `name` for a path.
Result<Manifest> parse_manifest(std::string_view bytes, const std::string& name, const Dump& dump);

}  // namespace touchstone::kubernetes
