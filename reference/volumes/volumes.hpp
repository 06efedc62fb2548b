#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/preemption/cycle.hpp"
#include "spec/vocabulary/choices.hpp"
#include "spec/vocabulary/in_tree_volumes.hpp"

/// Lookups that the filters of volumes share.
namespace touchstone::reference {

/// Whether at least one filter reads volumes of the volume's kind.
bool is_filtered(const Volume& volume);

/// The name of the claim that a pod's volume refers to. Empty: it refers to none. Clauses: PRE-CLAIM-1.
std::string claim_name(const Pod& pod, const Volume& volume);

/// Whether the volume is a generic ephemeral volume. Its claim is made for the pod. Clauses: PRE-CLAIM-1.
bool is_ephemeral(const Volume& volume);

/// Whether a claim was made for the pod: its controlling owner has the pod's UID. Clauses: PRE-CLAIM-1.
bool is_made_for(const PersistentVolumeClaim& claim, const Pod& pod);

/// The release's error text for a claim that was made for another pod.
std::string not_made_for(const PersistentVolumeClaim& claim, const Pod& pod, const Release& release);

/// The object of that name; null: there is none.
template <typename Object>
const Object* find(const std::map<std::string, Object>& objects, const std::string& name) {
  const auto found = objects.find(name);
  return found == objects.end() ? nullptr : &found->second;
}

/// The claim that a volume of a pod refers to. Null: the volume refers to none, or the claim does not exist.
const PersistentVolumeClaim* find_claim(const Cycle& cycle, const Pod& pod, const Volume& volume);

/// The entry of k_in_tree_kinds for a kind of volume. Null: there is none.
const InTreeKind* migrated_kind(std::string_view kind);

/// Whether the CSINode lists the kind's plugin as migrated. `csi_node` may be null. Clauses: PRE-ATTACH-2.
bool is_listed(const InTreeKind& kind, const CsiNode* csi_node);

/// Whether the CSI driver has replaced an in-tree kind on a node, so that the kind's volumes count for the
/// driver alone. `csi_node` may be null. Clauses: PRE-ATTACH-2.
bool is_migrated(const InTreeKind& kind, const CsiNode* csi_node, const Release& release);

/// The CSI handle of an in-tree volume. No value if it cannot be translated. `zones`: the zone label of the
/// PersistentVolume; empty: none. Requires: the kind of the source is in k_in_tree_kinds. Clauses:
/// PRE-ATTACH-2.
std::optional<std::string> translated_handle(const VolumeSource& source, const std::string& zones);

/// The value of a volume's zone label, as translated_handle() needs it. Empty: none. Clauses: PRE-ATTACH-2.
std::string zone_label(const PersistentVolume& volume);

/// The zones in a zone label, which joins several zones by "__". Clauses: PRE-ZONE-2.
std::vector<std::string> zones_in(const std::string& label);

/// Whether a volume's node affinity allows a node. Clauses: PRE-BIND-1.
bool is_reachable(const PersistentVolume& volume, const Node& node, const Release& release);

/// The volume with its node affinity translated to the topology key of its CSI driver, if the CSINode lists
/// the volume's plugin as migrated. Otherwise the volume unchanged. `csi_node` may be null. Clauses:
/// PRE-BIND-1.
PersistentVolume with_translated_affinity(const PersistentVolume& volume, const CsiNode* csi_node,
                                          const Release& release);

/// Whether the scheduler picks one of several equal volumes at random, and the pick decides whether the node
/// passes. Also true if there are too many combinations to check. Clauses: PRE-BIND-2.
bool binding_is_random(const Cycle& cycle, const NodeState& node);

/// The storage that a claim of the preemptor would use on a node.
struct StorageUse {
  std::string storage_class;
  Quantity requested = 0;            ///< in bytes, like `capacity`
  std::optional<Quantity> capacity;  ///< of the volume that is taken, or what the driver reports for the node
  bool is_made = false;              ///< a volume is made for the claim; false: an existing one is taken

  auto operator<=>(const StorageUse&) const = default;
};
/// What the filter VolumeBinding knows about the storage that the preemptor would use on a node: its claims
/// that take a volume, then its claims for which a volume is made, if their driver reports storage capacity.
/// Empty if the release does not run the filter. `choices` picks one of several equal volumes, and one of
/// several reports of a driver. Requires: the filter accepts the node. Clauses: SCORE-CAPACITY-1.
std::vector<StorageUse> storage_use(const Cycle& cycle, const NodeState& node, Choices& choices);
/// Whether storage_use() is known: it is the same for all choices that the scheduler makes at random, and
/// each report has a capacity. False if there are too many combinations to check. Requires: the filter
/// accepts the node. Clauses: SCORE-CAPACITY-1.
bool storage_use_is_clear(const Cycle& cycle, const NodeState& node);

/// The status of a filter that fails with an error, as the release says it. Clauses: PRE-MESSAGE-6.
Status filter_error(const Cycle& cycle, std::string_view plugin, std::string_view clause,
                    const std::string& error);

/// In v1.10 to v1.19: the error of a claim that does not exist or is being deleted. It ends the attempt
/// before any filter runs. Empty: there is none. Clauses: PRE-CLAIM-2.
std::string missing_claim(const Cycle& cycle);

/// Whether the release skips VolumeRestrictions after its PreFilter: the preemptor has no in-line disk that
/// the filter checks, and none of its ReadWriteOncePod claims is in use. Clauses: PRE-RWOP-2.
bool restrictions_are_skipped(const Cycle& cycle);

/// Why a filter of volumes rejects the pod before any node is filtered. Empty `reason`: it does not reject
/// the pod.
struct ClaimRejection {
  std::string_view plugin;
  std::string reason;
  std::string what;  ///< which claim, for the trace
};
/// The rejections of VolumeRestrictions, VolumeBinding and VolumeZone, which run in this order. Requires, for
/// zone_rejection(): the other two reject nothing. Clauses: PRE-CLAIM-2.
ClaimRejection restrictions_rejection(const Cycle& cycle);
ClaimRejection binding_rejection(const Cycle& cycle);
ClaimRejection zone_rejection(const Cycle& cycle);

}  // namespace touchstone::reference
