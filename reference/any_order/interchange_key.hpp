#pragma once

#include <set>
#include <string>
#include <vector>

#include "reference/preemption/cycle.hpp"

/// By what the pods of a node can be told apart, their importance aside.
namespace touchstone::reference {

/// All that PDBs, and filters for this preemptor, read of another pod. What they read for some preemptors
/// alone is empty for the others.
struct InterchangeKey {
  ResourceList requests;
  std::set<NodeState::Port> ports;
  std::vector<bool> pdbs;  ///< whether each covers it
  bool terminating = false;
  std::string ns;
  Labels labels;
  std::vector<PodAffinityTerm> anti_affinity;
  std::vector<Volume> volumes;
  std::string name;  ///< of one with claims of its own

  bool operator==(const InterchangeKey&) const = default;
};

/// Ensures: a node's account, and what every filter says of it, stays the same when a pod takes the place of
/// another with the same interchange_key. Clauses: PRE-ANYORDER-1.
InterchangeKey interchange_key(const Cycle& cycle, const Pod& pod);

/// For each PDB, whether it covers the pod.
std::vector<bool> covering_pdbs(const Cycle& cycle, const Pod& pod);

}  // namespace touchstone::reference
