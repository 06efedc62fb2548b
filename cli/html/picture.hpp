#pragma once

#include "oracle/protocol/protocol.hpp"
#include "spec/releases/release.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/decision.hpp"
#include "spec/vocabulary/placement.hpp"

/// The data from which the HTML page draws a question, as JSON.
namespace touchstone::cli {

/// Nodes that the page draws. A page with more of them is slow to read.
inline constexpr std::size_t k_nodes_drawn = 200;

/// The nodes that a reader looks for, first: the chosen one, those that tie, the candidates.
std::vector<NodeIndex> nodes_of_interest(const Question& question, const Release& release,
                                         const Decision& decision);
std::vector<NodeIndex> nodes_of_interest(const Question& question, const Release& release,
                                         const Placement& placement);

/// The nodes with their pods, and the requests of each pod as the release counts them for the filter. The
/// resources are cpu, memory, and whatever else the pod of the question requests. `first`: the nodes that are
/// drawn first. The other nodes follow in the order of the cluster, up to k_nodes_drawn; `nodesLeftOut`
/// counts the rest.
oracle::Json picture_of(const Question& question, const Release& release,
                        const std::vector<NodeIndex>& first);

/// The candidates of a decision, best first, with their values at each criterion of the choice, and the
/// criterion at which each one is eliminated. Null if there are fewer than two candidates. Clauses:
/// PRE-NODE-1 to PRE-NODE-6.
oracle::Json ladder_of(const Question& question, const Release& release, const Decision& decision);

}  // namespace touchstone::cli
