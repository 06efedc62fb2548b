#pragma once

#include <set>
#include <string>

#include "optimized/search/query.hpp"

namespace touchstone::optimized {

/// The names of the nodes that are left before any node is looked at.
struct Pins {
  bool all_nodes = true;
  std::set<std::string> names;  ///< with all_nodes false: those that are left

  bool none() const { return !all_nodes && names.empty(); }
  /// Leaves what others leave, too.
  void keep(const Pins& others);
};

/// What the preemptor's node affinity leaves by its fields; none: its terms contradict. Clauses:
/// PRE-PREFILTER-1, PRE-PREFILTER-2.
Pins pins_of_affinity(const Query& query);

/// What the preemptor's own node name leaves. Clauses: PRE-NODENAME-2.
Pins pins_of_node_name(const Query& query);

/// What comes of names that no node has; empty: nothing. Clauses: PRE-PREFILTER-5.
std::string error_of_unknown(const Pins& pins, const Query& query);

}  // namespace touchstone::optimized
