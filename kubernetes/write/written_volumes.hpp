#pragma once

#include <nlohmann/json_fwd.hpp>

#include "spec/vocabulary/volumes.hpp"

/// Writers of storage objects as JSON, without kind and apiVersion. They write the fields that were read, and
/// other fields that Kubernetes requires, such as nodeID of a CSINode's driver.
namespace touchstone::kubernetes {

nlohmann::ordered_json claim_of(const PersistentVolumeClaim& object);
nlohmann::ordered_json persistent_volume_of(const PersistentVolume& object);
nlohmann::ordered_json class_of(const StorageClass& object);
nlohmann::ordered_json csi_node_of(const CsiNode& object);
nlohmann::ordered_json csi_driver_of(const CsiDriver& object);
nlohmann::ordered_json attachment_of(const VolumeAttachment& object);
nlohmann::ordered_json capacity_of(const CsiStorageCapacity& object);

}  // namespace touchstone::kubernetes
