#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "spec/vocabulary/quantity.hpp"
#include "spec/vocabulary/selectors.hpp"

/// Volumes of pods, and the storage objects that decide which nodes can use a volume. Names are those of
/// Kubernetes.
namespace touchstone {

/// The source of a volume: of a volume in a pod, or of a PersistentVolume.
struct VolumeSource {
  std::string kind;    ///< name of its field: persistentVolumeClaim, csi, gcePersistentDisk, ...
  std::string id =
      {};  ///< claimName, volumeHandle, pdName, volumeID, iqn, image, reference, or an Azure disk's diskURI
  std::string driver = {};                 ///< of csi
  std::string disk_name = {};              ///< of azureDisk
  std::string disk_kind = {};              ///< of azureDisk; empty: not set
  std::string pool = {};                   ///< of rbd
  std::vector<std::string> monitors = {};  ///< of rbd
  bool read_only = false;

  bool operator==(const VolumeSource&) const = default;
};

/// A volume of a pod.
struct Volume {
  std::string name;
  VolumeSource source;

  bool operator==(const Volume&) const = default;
};

struct PersistentVolumeClaim {
  std::string ns;
  std::string name;
  std::string uid;
  bool terminating = false;
  bool bind_completed = false;               ///< annotation pv.kubernetes.io/bind-completed
  std::optional<std::string> selected_node;  ///< annotation volume.kubernetes.io/selected-node
  std::optional<std::string> beta_class;     ///< annotation volume.beta.kubernetes.io/storage-class
  std::optional<std::string> controller;     ///< UID of the controlling owner
  std::optional<std::string> class_name;
  std::string volume_name;
  std::vector<std::string> access_modes;
  std::optional<LabelSelector> selector;
  std::string volume_mode;          ///< empty: Filesystem
  std::optional<Quantity> storage;  ///< requested, in bytes
  std::string attributes_class;     ///< volumeAttributesClassName
  std::string phase;

  /// Name of the storage class: the annotation, if there is one, otherwise the field. Empty: no class.
  std::string storage_class() const { return beta_class ? *beta_class : class_name.value_or(""); }
  std::string full_name() const { return ns + "/" + name; }
};

/// The claimRef of a PersistentVolume: the claim that the volume is bound to or reserved for.
struct ClaimReference {
  std::string ns;
  std::string name;
  std::string uid;  ///< may be empty
};

struct PersistentVolume {
  std::string name;
  Labels labels;
  bool terminating = false;
  std::optional<std::string> beta_class;
  std::string class_name;
  Quantity storage = 0;  ///< capacity, in bytes
  std::vector<std::string> access_modes;
  std::string volume_mode;  ///< empty: Filesystem
  std::string attributes_class;
  VolumeSource source;
  std::optional<std::vector<NodeSelectorTerm>> node_affinity;  ///< required terms
  std::optional<ClaimReference> claim;
  std::string phase;

  std::string storage_class() const { return beta_class ? *beta_class : class_name; }
};

/// A term of allowedTopologies: for each key, the values that the node's label may have.
using TopologyTerm = std::vector<Requirement>;

struct StorageClass {
  std::string name;
  std::string provisioner;
  std::string binding_mode;  ///< empty: not set; an API server always sets it
  std::vector<TopologyTerm> allowed_topologies;
};

struct CsiNode {
  std::string name;
  std::vector<std::string> drivers;           ///< the installed drivers
  std::map<std::string, Quantity> limits;     ///< by driver: the most volumes that may be attached
  std::vector<std::string> migrated_plugins;  ///< annotation storage.alpha.kubernetes.io/migrated-plugins
};

struct CsiDriver {
  std::string name;
  bool storage_capacity = false;
  bool prevents_scheduling_if_missing = false;
};

struct VolumeAttachment {
  std::string name;
  std::string attacher;
  std::string node_name;
  std::string volume;  ///< name of the PersistentVolume; empty: an inline volume
};

struct CsiStorageCapacity {
  std::string ns;
  std::string name;
  std::string storage_class;
  std::optional<LabelSelector> node_topology;
  std::optional<Quantity> capacity;             ///< in bytes
  std::optional<Quantity> maximum_volume_size;  ///< in bytes
};

/// All storage objects of a cluster. The order in which an API server lists them has no effect.
struct Storage {
  std::map<std::string, PersistentVolumeClaim> claims;  ///< by namespace/name
  std::map<std::string, PersistentVolume> volumes;      ///< by name, like the next three maps
  std::map<std::string, StorageClass> classes;
  std::map<std::string, CsiNode> csi_nodes;
  std::map<std::string, CsiDriver> csi_drivers;
  std::multimap<std::string, VolumeAttachment> attachments;  ///< by the name of the node
  std::map<std::string, CsiStorageCapacity> capacities;      ///< by namespace/name

  bool empty() const {
    return claims.empty() && volumes.empty() && classes.empty() && csi_nodes.empty() && csi_drivers.empty() &&
           attachments.empty() && capacities.empty();
  }
};

}  // namespace touchstone
