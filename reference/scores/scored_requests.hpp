#pragma once

#include <string>
#include <vector>

#include "reference/preemption/cycle.hpp"
#include "spec/vocabulary/scorers.hpp"

/// The requests with which pods count for scores.
namespace touchstone::reference {

/// The amount of a resource in a list; 0 if the list does not have it.
Quantity amount_of(const ResourceList& list, const std::string& name);

/// The requests of a pod on a node, with defaults for containers that do not request cpu or memory. Clauses:
/// SCORE-REQUESTS-1, SCORE-REQUESTS-2, SCORE-REQUESTS-4.
ResourceList requests_with_defaults_on_node(const Pod& pod, const Release& release);

/// The same of the preemptor. Clauses: SCORE-REQUESTS-1 to SCORE-REQUESTS-4.
ResourceList requests_with_defaults_of_preemptor(const Pod& pod, const Release& release);

/// The requests of the preemptor as its containers state them. Clauses: SCORE-BALANCED-3, SCORE-REQUESTS-3.
ResourceList real_requests_of_preemptor(const Pod& pod, const Release& release);

/// Whether a container that requests no cpu or memory counts with a default.
enum class MissingRequests { count_by_default, are_zero };

/// How much of a resource of a node the pods request.
struct ScoredLoad {
  Quantity weight = 1;       ///< of the resource
  Quantity allocatable = 0;  ///< of the node
  Quantity without = 0;      ///< what the pods on the node request
  Quantity with = 0;         ///< what they request together with the preemptor
  std::string resource = {};
};

/// The loads of a node, one for each of the resources that counts there. `own`: the preemptor's requests.
/// Clauses: SCORE-STRATEGY-1, CYC-SEES-1.
std::vector<ScoredLoad> scored_loads(const Cycle& cycle, const NodeState& state,
                                     const std::vector<ScoredResource>& resources, const ResourceList& own,
                                     MissingRequests missing);

}  // namespace touchstone::reference
