#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "kubernetes/admission/limit_range.hpp"
#include "kubernetes/objects/objects.hpp"
#include "kubernetes/dump/progress.hpp"
#include "kubernetes/admission/runtime_class.hpp"
#include "kubernetes/dump/warnings.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/result.hpp"

namespace touchstone::kubernetes {

/// What dumps of one cluster hold together, as of `kubectl get nodes,pods,pdb,priorityclasses,namespaces -A`
/// and of `kubectl get pvc,pv,storageclasses,csinodes,csidrivers,volumeattachments,csistoragecapacities -A`,
/// with -o json or -o yaml. Nothing is admitted and nothing is defaulted (PRE-INPUT-4).
struct Dump {
  /// In the order of the sources; pending pods too. No namespaces also where the dump does not list them.
  Cluster cluster;
  std::vector<PriorityClass> priority_classes;
  std::vector<LimitRange> limit_ranges;
  std::vector<RuntimeClass> runtime_classes;
  std::string default_storage_class;  ///< empty: none
  /// How many objects of other kinds; a kind of the same name as one of ours counts as "longhorn.io/v1/Node".
  std::map<std::string, std::size_t> ignored_kinds;
  /// By code; each speaks for all objects that it concerns.
  std::vector<Warning> warnings;
  /// serverVersion.gitVersion of a list, or of an item as `kubectl version -o json` prints it; may be empty.
  std::string server_version;
  /// Read, after decompression.
  std::size_t bytes = 0;
};

/// Reads all sources as one dump: files, directories or "-", as files_of takes them, each of JSON or YAML,
/// gzip-compressed or not: a List, a list of one kind such as PodList, lists in a list, or a single object.
/// A path in an error is such as `cluster.yaml: document 2: items[7] (Pod default/a).spec`.
/// Ensures: the same object twice counts once, with a warning. Of two objects of one kind, namespace and name
/// that differ the one with the larger resourceVersion counts, with a warning; the other one is not read.
/// Errors: those of files_of, read_bytes, documents_of, read_node, read_pod, read_pdb, read_priority_class,
/// read_limit_range and read_runtime_class; missing-field (kind); contradictory-object, when two objects
/// differ and no resourceVersion tells which one is newer; invalid-selector; quantity-overflow as in
/// read_question; no-objects, when there is none of a kind that counts.
Result<Dump> read_dump(const std::vector<std::string>& paths, const Progress& progress);

/// Reads a dump that is in memory. Errors: as read_dump, with `name` for a path.
Result<Dump> parse_dump(std::string_view bytes, const std::string& name);

}  // namespace touchstone::kubernetes
