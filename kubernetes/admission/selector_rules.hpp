#pragma once

#include "kubernetes/text/json.hpp"

/// What no API server would have stored in a selector: an operator that there is not, or values that do not
/// fit it. Readers keep such a selector, because to a scheduler it has a meaning (PRE-PDB-2,
/// PRE-NODEAFFINITY-3); in a dump or a manifest it is a mistake. Both throw InvalidInput (invalid-selector),
/// naming the field. Requires: the object was read without an error.
namespace touchstone::kubernetes {

/// Looks at the selector of a PodDisruptionBudget.
void refuse_invalid_selector_of_pdb(const Value& pdb);

/// Looks at the node affinity, inter-pod affinity and topology spread of a Pod.
void refuse_invalid_selectors_of_pod(const Value& pod);

}  // namespace touchstone::kubernetes
