#pragma once

#include <string>
#include <vector>

#include "reference/preemption/cycle.hpp"
#include "spec/vocabulary/decision.hpp"

/// Facts about a node and its pods before any eviction.
namespace touchstone::proofs {

Quantity amount(const ResourceList& list, const std::string& resource);

/// The status of the filters whose answer no eviction can change, such as NodeUnschedulable, NodeName,
/// TaintToleration, NodeAffinity and NodeDeclaredFeatures, and of PRE-FIT-5.
Status fixed_verdict(const reference::Cycle& cycle, NodeIndex node);

/// The resources that the release compares for the preemptor. Clauses: PRE-FIT-2, PRE-FIT-3.
std::vector<std::string> resources_looked_at(const reference::Cycle& cycle);

/// Whether a pod has a host port that conflicts with one of the preemptor. Clauses: PRE-PORTS-1, PRE-PORTS-3.
bool ports_conflict(const reference::Cycle& cycle, const Pod& pod);

/// Whether a host port of the preemptor is still in use after the potential victims (`gone`) are removed. A
/// port of a removed pod is free, even if another pod still holds it. Clauses: PRE-PORTS-1, PRE-PORTS-2.
bool ports_are_taken(const reference::Cycle& cycle, const std::vector<reference::PodOnNode>& gone,
                     const std::vector<reference::PodOnNode>& others,
                     const std::vector<reference::PodOnNode>& nominated);

}  // namespace touchstone::proofs
