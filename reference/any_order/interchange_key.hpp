#pragma once

#include <set>
#include <string>
#include <vector>

#include "reference/preemption/cycle.hpp"

/// Which pods of a node are interchangeable, apart from their importance.
namespace touchstone::reference {

/// Everything that PDBs, and filters for this preemptor, read of another pod. If they do not read a member
/// for this preemptor, it is empty.
struct InterchangeKey {
  ResourceList requests;
  std::set<NodeState::Port> ports;
  std::vector<bool> pdbs;  ///< for each PDB, whether it covers the pod
  bool terminating = false;
  std::string ns;
  Labels labels;
  std::vector<PodAffinityTerm> anti_affinity;
  std::vector<Volume> volumes;
  std::string name;  ///< only of a pod with generic ephemeral volumes

  bool operator==(const InterchangeKey&) const = default;
};

/// The interchange key of a pod. Ensures: if a pod replaces another pod with the same key, the state of the
/// node and the result of every filter on the node stay the same. Clauses: PRE-ANYORDER-1.
InterchangeKey interchange_key(const Cycle& cycle, const Pod& pod);

}  // namespace touchstone::reference
