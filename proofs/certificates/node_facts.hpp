#pragma once

#include <string>
#include <vector>

#include "reference/preemption/cycle.hpp"
#include "spec/vocabulary/decision.hpp"

/// What is known of a node and its pods before anybody is evicted.
namespace touchstone::proofs {

Quantity amount(const ResourceList& list, const std::string& resource);

/// What the filters say of a node that look at none of its pods: NodeUnschedulable, NodeName,
/// TaintToleration, NodeAffinity, and PRE-FIT-5.
Status fixed_verdict(const reference::Cycle& cycle, NodeIndex node);

/// The resources that the preemptor is held against. Clauses: PRE-FIT-2, PRE-FIT-3.
std::vector<std::string> resources_looked_at(const reference::Cycle& cycle);

/// Whether a pod has a host port that the preemptor cannot have beside it. Clauses: PRE-PORTS-1, PRE-PORTS-3.
bool ports_conflict(const reference::Cycle& cycle, const Pod& pod);

/// Whether the preemptor's host ports are taken with the potential victims gone: a port that one of them had
/// is free then, though another pod still holds it. Clauses: PRE-PORTS-1, PRE-PORTS-2.
bool ports_are_taken(const reference::Cycle& cycle, const std::vector<reference::PodOnNode>& gone,
                     const std::vector<reference::PodOnNode>& others,
                     const std::vector<reference::PodOnNode>& nominated);

/// For each PDB, whether it counts for a pod. Clauses: PRE-PDB-2, PRE-PDB-6, PRE-PDB-7.
std::vector<bool> covering_pdbs(const reference::Cycle& cycle, const Pod& pod);

}  // namespace touchstone::proofs
