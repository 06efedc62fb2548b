#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "spec/cluster.hpp"
#include "spec/result.hpp"

namespace touchstone::kubernetes {

/// What a dump of a cluster holds, as of `kubectl get nodes,pods,pdb -A -o json`.
struct Dump {
  /// In the order of the dump; pending pods too.
  Cluster cluster;
  /// How many objects of other kinds; a kind of the same name as one of ours counts as "longhorn.io/v1/Node".
  std::map<std::string, std::size_t> ignored_kinds;
  /// Objects left out, because the dump has the same one earlier.
  std::size_t duplicates = 0;
  /// serverVersion.gitVersion of the list, or of an item as `kubectl version -o json` prints it; may be
  /// empty.
  std::string server_version;
};

/// Reads a dump: a List, a list of one kind such as PodList, or a single object; gzip-compressed or not.
/// `name` heads every path, as in `name: items[7] (Pod default/a).spec`.
/// Errors: json-malformed, gzip-malformed, input-too-large; those of read_node, read_pod and read_pdb;
/// missing-field (kind); nested-list; contradictory-object, when two objects of one name differ;
/// quantity-overflow as in read_question.
Result<Dump> read_dump(std::string_view bytes, std::string name);

/// Reads a dump from a file, or from standard input where `path` is "-".
/// Errors: file-unreadable; those of read_dump.
Result<Dump> read_dump_file(const std::string& path);

}  // namespace touchstone::kubernetes
