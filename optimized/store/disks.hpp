#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/vocabulary/in_tree_volumes.hpp"
#include "spec/vocabulary/volumes.hpp"

/// Disks that were Kubernetes' own, as the CSI drivers know them that have taken over.
namespace touchstone::optimized {

/// Whether some filter looks at such a volume of a preemptor.
bool is_filtered(const Volume& volume);
/// Whether some filter looks at such a volume of another pod: not at a ConfigMap, a token or a directory.
bool is_counted(const Volume& volume);

/// The kind of a source; null: its kind is none of them.
const InTreeKind* disk_kind(std::string_view kind);
const InTreeKind* disk_kind_of_plugin(std::string_view plugin);

/// Whether the CSINode says that the plugin is migrated. `csi_node` may be null.
bool is_listed(const InTreeKind& kind, const CsiNode* csi_node);
/// Whether the driver has taken over on a node. `csi_node` may be null. Clauses: PRE-ATTACH-2.
bool is_migrated(const InTreeKind& kind, const CsiNode* csi_node, const Release& release);

/// The handle that the driver knows a disk by; nothing where it cannot have such a disk. `zones` is the zone
/// label of a PersistentVolume; empty: none. Clauses: PRE-ATTACH-2.
std::optional<std::string> handle_of(const VolumeSource& source, const std::string& zones);
/// The zone label of a volume; empty: none.
std::string zones_of(const PersistentVolume& volume);

/// The parts of a label that joins several zones by "__", without blanks around them. Clauses: PRE-ZONE-2.
std::vector<std::string> parts_of(const std::string& label);

using DriverAndHandle = std::optional<std::pair<std::string, std::string>>;
/// What attaches a volume on a node, and how that knows it; nothing where none counts it. Clauses:
/// PRE-ATTACH-2.
DriverAndHandle attached_as(const VolumeSource& source, const std::string& zones, const CsiNode* csi_node,
                            const Release& release);

using NodeTerms = std::optional<std::vector<NodeSelectorTerm>>;
/// The node affinity of a volume in the terms of its driver's zones. Clauses: PRE-BIND-1.
NodeTerms terms_of_driver(const PersistentVolume& volume, const InTreeKind& kind);

}  // namespace touchstone::optimized
