#pragma once

#include <string>
#include <vector>

#include "reference/preemption/cycle.hpp"

/// The claims of the preemptor's volumes.
namespace touchstone::reference {

using Claims = std::vector<const PersistentVolumeClaim*>;

/// A claim of the preemptor.
struct OwnClaim {
  const PersistentVolumeClaim* claim;  ///< null: it does not exist, and PRE-CLAIM-2 rejects the pod
  std::string name;
  bool ephemeral;
};

/// The claims that the preemptor's volumes refer to, in the order of the volumes. Clauses: PRE-CLAIM-1.
std::vector<OwnClaim> own_claims(const Cycle& cycle);

/// The preemptor's claims that are bound, and those that are not. Requires: the claims exist. Clauses:
/// PRE-CLAIM-2.
Claims bound_claims(const Cycle& cycle);
Claims unbound_claims(const Cycle& cycle);

/// A claim that is not bound and does not wait for its pod. Null: there is none. Requires: the claims exist.
/// Clauses: PRE-CLAIM-2.
const PersistentVolumeClaim* unbound_immediate(const Cycle& cycle);

}  // namespace touchstone::reference
