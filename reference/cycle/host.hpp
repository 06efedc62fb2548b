#pragma once

#include <vector>

#include "reference/scores/scores.hpp"

/// The choice of the host among the feasible nodes.
namespace touchstone::reference {

/// The nodes with the highest total, in the order of the cluster. Requires: at least one node, and a total
/// for each. Clauses: CYC-HOST-1 to CYC-HOST-3.
Nodes best_nodes(const Nodes& nodes, const std::vector<Quantity>& totals);

/// The node that the release takes from v1.35 on: the root of a heap. Requires: as above; the nodes are in
/// the order in which the search found them. Clauses: CYC-HOST-4.
NodeIndex heap_root(const Nodes& nodes, const std::vector<Quantity>& totals);

}  // namespace touchstone::reference
