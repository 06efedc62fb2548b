#pragma once

#include <nlohmann/json.hpp>

#include "spec/vocabulary/volumes.hpp"

/// The objects of Storage as JSON, without kind and apiVersion: what was read of them, and the fields that
/// Kubernetes requires.
namespace touchstone::kubernetes {

nlohmann::ordered_json claim_of(const PersistentVolumeClaim& object);
nlohmann::ordered_json persistent_volume_of(const PersistentVolume& object);
nlohmann::ordered_json class_of(const StorageClass& object);
nlohmann::ordered_json csi_node_of(const CsiNode& object);
nlohmann::ordered_json csi_driver_of(const CsiDriver& object);
nlohmann::ordered_json attachment_of(const VolumeAttachment& object);
nlohmann::ordered_json capacity_of(const CsiStorageCapacity& object);

}  // namespace touchstone::kubernetes
