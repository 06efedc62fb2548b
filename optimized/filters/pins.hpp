#pragma once

#include <set>
#include <string>

#include "optimized/search/query.hpp"

namespace touchstone::optimized {

/// The names of the nodes that are left to filter, or all nodes.
struct Pins {
  bool all_nodes = true;
  std::set<std::string> names;  ///< the names that are left; used if all_nodes is false

  bool none() const { return !all_nodes && names.empty(); }
  /// Keeps only the names that are also in `others`.
  void keep(const Pins& others);
};

/// The node names that the preemptor's node affinity pins by metadata.name. No name: its terms contradict
/// each other. Clauses: PRE-PREFILTER-1, PRE-PREFILTER-2.
Pins pins_of_affinity(const Query& query);

/// The node name that the preemptor's spec.nodeName pins. Clauses: PRE-NODENAME-2.
Pins pins_of_node_name(const Query& query);

/// The error that pinned names without a node cause; empty: none. Clauses: PRE-PREFILTER-5.
std::string error_of_unknown(const Pins& pins, const Query& query);

}  // namespace touchstone::optimized
