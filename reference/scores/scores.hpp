#pragma once

#include <optional>
#include <vector>

#include "reference/preemption/cycle.hpp"
#include "spec/vocabulary/scorers.hpp"

/// The scorers. Each gives every feasible node a score; a configuration weighs and adds up the scores.
namespace touchstone::reference {

/// The feasible nodes, in the order in which the search found them.
using Nodes = std::vector<NodeIndex>;

/// A score for each feasible node, in the order of Nodes: normalised, but not multiplied by a weight. No
/// value: the scorer is skipped for this pod and adds nothing to the total.
using Scores = std::optional<std::vector<Quantity>>;

/// Runs one scorer. Requires: at least one node. Clauses: those of the scorer.
Scores run_scorer(Scorer scorer, const Cycle& cycle, const Nodes& nodes);

/// Scales raw scores to 0..highest_score in proportion to the largest one. If that is 0, every score stays 0.
/// Requires: no raw score is negative. Clauses: SCORE-NORMAL-1.
std::vector<Quantity> normalized(std::vector<Quantity> raw, const Release& release);

/// The same, turned round: the largest raw score becomes 0 and 0 becomes highest_score. Clauses:
/// SCORE-NORMAL-2.
std::vector<Quantity> normalized_in_reverse(std::vector<Quantity> raw, const Release& release);

// The scorers, in the order of enum Scorer. Each sees the pods that are on nodes, never the nominated pods
// (CYC-SEES-1).
Scores service_spread(const Cycle& cycle, const Nodes& nodes);   ///< POL-SPREAD-1
Scores selector_spread(const Cycle& cycle, const Nodes& nodes);  ///< SCORE-SELECTOR-1, SCORE-SELECTOR-3
Scores preferred_pod_affinity(const Cycle& cycle,
                              const Nodes& nodes);  ///< SCORE-AFFINITY-1 to SCORE-AFFINITY-4
Scores node_resources(const Cycle& cycle,
                      const Nodes& nodes);  ///< SCORE-LEAST-1, SCORE-STRATEGY-1 to SCORE-STRATEGY-3
Scores balanced_allocation(const Cycle& cycle, const Nodes& nodes);  ///< SCORE-BALANCED-1 to SCORE-BALANCED-5
Scores node_prefer_avoid_pods(const Cycle& cycle, const Nodes& nodes);  ///< SCORE-AVOID-1
Scores preferred_node_affinity(const Cycle& cycle,
                               const Nodes& nodes);  ///< SCORE-NODEAFFINITY-1 to SCORE-NODEAFFINITY-3
Scores untolerated_taints(const Cycle& cycle, const Nodes& nodes);  ///< SCORE-TAINT-1
Scores image_locality(const Cycle& cycle, const Nodes& nodes);      ///< SCORE-IMAGE-1 to SCORE-IMAGE-3
Scores soft_spread(const Cycle& cycle, const Nodes& nodes);         ///< SCORE-SPREAD-1 to SCORE-SPREAD-7
Scores volume_capacity(const Cycle& cycle, const Nodes& nodes);     ///< SCORE-CAPACITY-1

}  // namespace touchstone::reference
