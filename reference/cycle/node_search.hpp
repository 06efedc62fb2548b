#pragma once

#include <optional>
#include <set>
#include <vector>

#include "reference/preemption/preempt.hpp"

/// The search for feasible nodes: in which order it visits nodes, and when it stops.
namespace touchstone::reference {

/// The nodes of the cluster in the order of the scheduler's cache. Clauses: CYC-ORDER-1.
std::vector<NodeIndex> nodes_in_order(const Cycle& cycle);

/// The nodes of the cluster in the order in which a search that begins at `start` visits them, if no
/// PreFilter excludes a node. No value: it begins at the first node. Clauses: CYC-SEARCH-2, CYC-SEARCH-4.
std::vector<NodeIndex> search_order(const Cycle& cycle, std::optional<Quantity> start);

/// The number of feasible nodes after which the search stops. `nodes`: the number of nodes that it may visit.
/// Clauses: CYC-SEARCH-1, CYC-SEARCH-3.
Quantity nodes_to_find(Quantity nodes, const Release& release, const std::vector<Extender>& extenders = {});

struct NodeSearch {
  std::vector<NodeIndex> feasible;  ///< in the order in which the search finds them
  std::set<NodeIndex> visited;
  std::set<NodeIndex> seen;            ///< the nodes that are visited, and those that a PreFilter excludes
  bool in_order = true;                ///< false: the release visits the nodes in a random order
  bool is_by_chance = false;           ///< which nodes are found depends on that order
  std::optional<Quantity> next_start;  ///< CYC-SEARCH-4: where the next search begins, if `start` is given
};
/// Finds feasible nodes. `start`: the place, in the order of the cache, of the first node that is visited. No
/// value: the search visits every node, in the order of the cluster. Requires: the first pass has no error.
/// Clauses: CYC-SEARCH-2, CYC-SEARCH-4, CYC-NOMINATED-1.
NodeSearch search_nodes(const Cycle& cycle, const FirstPass& first_pass, std::optional<Quantity> start,
                        NominatedNode nominated = NominatedNode::first);

}  // namespace touchstone::reference
