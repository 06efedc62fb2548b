#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/vocabulary/in_tree_volumes.hpp"
#include "spec/vocabulary/volumes.hpp"

/// Disks of in-tree volume plugins, and how the CSI drivers that replaced these plugins identify the disks.
namespace touchstone::optimized {

/// Whether some filter looks at this volume if it is a volume of the preemptor.
bool is_filtered(const Volume& volume);
/// Whether some filter looks at this volume if it is a volume of another pod. No filter looks at ConfigMaps,
/// tokens or directories.
bool is_counted(const Volume& volume);

/// Finds an in-tree disk kind by its volume source, or by its plugin name. Null: the disk is not of an
/// in-tree kind.
const InTreeKind* disk_kind(std::string_view kind);
const InTreeKind* disk_kind_of_plugin(std::string_view plugin);

/// Whether the CSINode lists the plugin as migrated to CSI. `csi_node` may be null.
bool is_listed(const InTreeKind& kind, const CsiNode* csi_node);
/// Whether the CSI driver has replaced the plugin on a node. `csi_node` may be null. Clauses: PRE-ATTACH-2.
bool is_migrated(const InTreeKind& kind, const CsiNode* csi_node, const Release& release);

/// The volume handle by which the CSI driver identifies a disk; none if the driver cannot have this disk.
/// `zones` is the zone label of the PersistentVolume; empty: no label. Clauses: PRE-ATTACH-2.
std::optional<std::string> handle_of(const VolumeSource& source, const std::string& zones);
/// The zone label of a PersistentVolume; empty: no label.
std::string zones_of(const PersistentVolume& volume);

/// The zones of a label that joins several by "__", without spaces around them. Clauses: PRE-ZONE-2.
std::vector<std::string> parts_of(const std::string& label);

using DriverAndHandle = std::optional<std::pair<std::string, std::string>>;
/// The CSI driver that attaches a volume on a node, and the handle that it uses. None: no CSI driver on this
/// node attaches the volume. Clauses: PRE-ATTACH-2.
DriverAndHandle attached_as(const VolumeSource& source, const std::string& zones, const CsiNode* csi_node,
                            const Release& release);

using NodeTerms = std::optional<std::vector<NodeSelectorTerm>>;
/// The node affinity of a PersistentVolume, with zone labels translated to the topology key of the CSI
/// driver. Clauses: PRE-BIND-1.
NodeTerms terms_of_driver(const PersistentVolume& volume, const InTreeKind& kind);

}  // namespace touchstone::optimized
