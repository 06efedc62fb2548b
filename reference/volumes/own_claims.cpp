#include "reference/volumes/own_claims.hpp"

#include <algorithm>

#include "reference/volumes/volumes.hpp"

namespace touchstone::reference {

namespace {

/// PRE-CLAIM-2
bool is_bound(const PersistentVolumeClaim& claim, const Release& release) {
  return !claim.volume_name.empty() && (claim.bind_completed || !release.binding_needs_annotation);
}

/// PRE-CLAIM-2: whether a claim waits for its pod: its volume is chosen when the pod is scheduled, not
/// before.
bool waits_for_consumer(const PersistentVolumeClaim& claim, const Cycle& cycle) {
  if (claim.selected_node && cycle.release.selected_node == SelectedNode::is_immediate) return false;
  const StorageClass* of_claim = find(cycle.cluster.storage.classes, claim.storage_class());
  return of_claim != nullptr && of_claim->binding_mode == "WaitForFirstConsumer" && claim.volume_name.empty();
}

/// The preemptor's claims that are bound, or those that are not. Requires: the claims exist.
Claims claims_where(const Cycle& cycle, bool bound) {
  Claims claims;
  for (const OwnClaim& own : own_claims(cycle)) {
    if (is_bound(*own.claim, cycle.release) == bound) claims.push_back(own.claim);
  }
  return claims;
}

}  // namespace

std::vector<OwnClaim> own_claims(const Cycle& cycle) {
  std::vector<OwnClaim> claims;
  for (const Volume& volume : cycle.pod.volumes) {
    const std::string name = claim_name(cycle.pod, volume);
    if (name.empty() || (is_ephemeral(volume) && !cycle.release.ephemeral_volumes)) continue;
    claims.push_back({find_claim(cycle, cycle.pod, volume), name, is_ephemeral(volume)});
  }
  return claims;
}

Claims bound_claims(const Cycle& cycle) { return claims_where(cycle, true); }

Claims unbound_claims(const Cycle& cycle) { return claims_where(cycle, false); }

const PersistentVolumeClaim* unbound_immediate(const Cycle& cycle) {
  const Claims unbound = unbound_claims(cycle);
  const auto found = std::find_if(unbound.begin(), unbound.end(),
                                  [&cycle](const auto* claim) { return !waits_for_consumer(*claim, cycle); });
  return found == unbound.end() ? nullptr : *found;
}

}  // namespace touchstone::reference
