#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/preemption/cycle.hpp"
#include "spec/vocabulary/in_tree_volumes.hpp"

/// What the filters of volumes look up.
namespace touchstone::reference {

/// Whether some filter looks at a volume.
bool is_filtered(const Volume& volume);

/// The name of the claim that a pod's volume means; empty: it means none. Clauses: PRE-CLAIM-1.
std::string claim_name(const Pod& pod, const Volume& volume);

/// Whether the volume is a generic ephemeral one, whose claim is made for the pod. Clauses: PRE-CLAIM-1.
bool is_ephemeral(const Volume& volume);

/// Whether a claim was made for the pod. Clauses: PRE-CLAIM-1.
bool is_made_for(const PersistentVolumeClaim& claim, const Pod& pod);

/// What the release says of a claim that was made for another.
std::string not_made_for(const PersistentVolumeClaim& claim, const Pod& pod, const Release& release);

/// The object of that name; null: there is none.
template <typename Object>
const Object* find(const std::map<std::string, Object>& objects, const std::string& name) {
  const auto found = objects.find(name);
  return found == objects.end() ? nullptr : &found->second;
}

/// The preemptor's claim, or another pod's, that a volume means; null: there is none of that name, or the
/// volume means none.
const PersistentVolumeClaim* find_claim(const Cycle& cycle, const Pod& pod, const Volume& volume);

/// The kind of a source; null: its kind is none of them.
const InTreeKind* migrated_kind(std::string_view kind);

/// Whether the CSINode lists the kind's plugin as migrated. `csi_node` may be null. Clauses: PRE-ATTACH-2.
bool is_listed(const InTreeKind& kind, const CsiNode* csi_node);

/// Whether a kind's driver has taken over its disks on a node, so that these count for the driver alone.
/// Clauses: PRE-ATTACH-2.
bool is_migrated(const InTreeKind& kind, const CsiNode* csi_node, const Release& release);

/// The handle that the driver knows a volume by; nothing where it cannot be translated. `zones` is the zone
/// label of a PersistentVolume; empty: none. Requires: a source of a migrated kind. Clauses: PRE-ATTACH-2.
std::optional<std::string> translated_handle(const VolumeSource& source, const std::string& zones);

/// The zone label by which a volume's disk is translated; empty: none. Clauses: PRE-ATTACH-2.
std::string zone_label(const PersistentVolume& volume);

/// The parts of a label that joins several zones by "__". Clauses: PRE-ZONE-2.
std::vector<std::string> zones_in(const std::string& label);

/// Whether a volume's node affinity lets it be reached from a node. Clauses: PRE-BIND-1.
bool is_reachable(const PersistentVolume& volume, const Node& node, const Release& release);

/// The volume with its node affinity in the terms of its CSI driver's zones, where the CSINode says that the
/// driver has taken over. `csi_node` may be null. Clauses: PRE-BIND-1.
PersistentVolume as_driver_has_it(const PersistentVolume& volume, const CsiNode* csi_node,
                                  const Release& release);

/// Whether some equal volumes are there of which the scheduler takes one at random, and which it takes
/// decides about a node. Clauses: PRE-BIND-2.
bool binding_is_random(const Cycle& cycle, const NodeState& node);

/// A filter that errs instead of telling whether the pod fits, in the release's words. Clauses:
/// PRE-MESSAGE-6.
Status filter_error(const Cycle& cycle, const std::string& plugin, std::string_view clause,
                    const std::string& error);

/// Up to v1.19: what ends the attempt before anything is filtered; empty: nothing. Clauses: PRE-CLAIM-2.
std::string missing_claim(const Cycle& cycle);

/// Whether VolumeRestrictions is not asked again once nobody was found to stand in the way. Clauses:
/// PRE-RWOP-2.
bool restrictions_are_skipped(const Cycle& cycle);

/// What the filters of volumes say before any node is looked at; `reason` is empty where they say nothing.
struct ClaimRejection {
  std::string plugin;
  std::string reason;
  std::string what;  ///< which claim, for the trace
};
/// Clauses: PRE-CLAIM-2.
ClaimRejection restrictions_rejection(const Cycle& cycle);
ClaimRejection binding_rejection(const Cycle& cycle);
ClaimRejection zone_rejection(const Cycle& cycle);

}  // namespace touchstone::reference
