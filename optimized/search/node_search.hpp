#pragma once

#include <vector>

#include "optimized/search/first_pass.hpp"

namespace touchstone::optimized {

/// The nodes of the cluster in the order in which the release visits them. Clauses: CYC-ORDER-1. Complexity:
/// linear in the nodes.
std::vector<NodeIndex> nodes_in_order(const Tables& tables);

/// The number of feasible nodes after which the search stops, if it may visit `nodes` nodes. Clauses:
/// CYC-SEARCH-1, CYC-SEARCH-3.
std::size_t nodes_to_find(std::size_t nodes, const Release& release);

/// The feasible nodes that the release finds, in the order in which it finds them. `start`: the index, in the
/// order of nodes_in_order(), of the first node that it visits; none: it visits every node, in the order of
/// the cluster. Requires: some node is feasible. Clauses: CYC-SEARCH-2, CYC-NOMINATED-1.
std::vector<NodeIndex> found_nodes(const Query& query, const FirstPass& first_pass,
                                   std::optional<Quantity> start);

}  // namespace touchstone::optimized
