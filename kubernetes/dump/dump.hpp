#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "kubernetes/admission/limit_range.hpp"
#include "kubernetes/admission/runtime_class.hpp"
#include "kubernetes/dump/progress.hpp"
#include "kubernetes/dump/warnings.hpp"
#include "kubernetes/objects/objects.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/result.hpp"

namespace touchstone::kubernetes {

/// The contents of all dumps of one cluster. Objects are neither admitted nor defaulted (PRE-INPUT-4). The
/// dumps may be the output of these commands, with -o json or -o yaml:
///  - `kubectl get nodes,pods,pdb,priorityclasses,namespaces -A`
///  - `kubectl get services,replicationcontrollers,replicasets,statefulsets -A`
///  - `kubectl get pvc,pv,storageclasses,csinodes,csidrivers,volumeattachments,csistoragecapacities -A`
struct Dump {
  /// Objects in the order of the sources, with pending pods. In `selecting`, they are sorted by kind first.
  /// It has no namespaces if the dump lists none.
  Cluster cluster;
  /// terminationGracePeriodSeconds of the pods that have one, by full name. No decision reads it; only what
  /// happens over time depends on it.
  std::map<std::string, Quantity> grace_seconds;
  std::vector<PriorityClass> priority_classes;
  std::vector<LimitRange> limit_ranges;
  std::vector<RuntimeClass> runtime_classes;
  std::string default_storage_class;  ///< empty: none
  /// Number of ignored objects by kind. A known kind of another API group counts as "longhorn.io/v1/Node".
  std::map<std::string, std::size_t> ignored_kinds;
  /// Sorted by code. Each warning covers all objects with the same problem.
  std::vector<Warning> warnings;
  /// The first serverVersion.gitVersion in a document, a list or an item, as `kubectl version -o json` prints
  /// it. May be empty.
  std::string server_version;
  /// Number of bytes read, after decompression.
  std::size_t bytes = 0;
};

/// Reads all sources as one dump. A source is a file, a directory or "-" (see files_of). A file is JSON or
/// YAML, gzip-compressed or not. It holds a List, a list of one kind such as PodList, lists in a list, or a
/// single object.
/// A path in an error looks like `cluster.yaml: document 2: items[7] (Pod default/a).spec`.
/// Ensures: if an object occurs twice with the same content, it counts once, with a warning. If two objects
/// of the same kind, namespace and name differ, the one with the larger resourceVersion counts, with a
/// warning. The other object is not read.
/// Errors: those of files_of, read_bytes, documents_of, read_node, read_pod, read_pdb, read_priority_class,
/// read_limit_range, read_runtime_class, read_namespace, read_selecting and StorageKind::read; missing-field
/// (kind); contradictory-object, if two objects differ and their resourceVersions do not show which one is
/// newer; invalid-selector; quantity-overflow as in read_question; no-objects, if no object has a kind that
/// counts.
Result<Dump> read_dump(const std::vector<std::string>& paths, const Progress& progress);

/// Does the same for a dump in memory. Errors: as read_dump, with `name` in place of the path.
Result<Dump> parse_dump(std::string_view bytes, const std::string& name);

}  // namespace touchstone::kubernetes
