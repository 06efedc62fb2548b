#include "kubernetes/write/written_volumes.hpp"

#include <nlohmann/json.hpp>

#include "kubernetes/objects/volume_fields.hpp"
#include "kubernetes/objects/volumes.hpp"
#include "kubernetes/write/written.hpp"
#include "kubernetes/write/written_fields.hpp"

namespace touchstone::kubernetes {

namespace {

Json metadata_of(const std::string& ns, const std::string& name) {
  Json json = Json::object();
  put(json, "namespace", ns);
  json["name"] = name;
  return json;
}

Json bytes_of(Quantity bytes) { return std::to_string(bytes); }

Json source_of(const VolumeSource& source) {
  Json json = Json::object();
  if (!source.id.empty()) json[std::string(id_field(source.kind))] = source.id;
  put(json, "driver", source.driver);
  put(json, "diskName", source.disk_name);
  put(json, "kind", source.disk_kind);
  put(json, "pool", source.pool);
  put(json, "monitors", source.monitors);
  if (source.read_only) json["readOnly"] = true;
  return json;
}

}  // namespace

Json claim_of(const PersistentVolumeClaim& claim) {
  Json json{{"metadata", metadata_of(claim.ns, claim.name)}};
  Json& metadata = json["metadata"];
  put(metadata, "uid", claim.uid);
  if (claim.terminating) metadata["deletionTimestamp"] = k_deletion_time;
  if (claim.bind_completed) metadata["annotations"][std::string(k_bind_completed)] = "yes";
  if (claim.selected_node) metadata["annotations"][std::string(k_selected_node)] = *claim.selected_node;
  if (claim.beta_class) metadata["annotations"][std::string(k_beta_class)] = *claim.beta_class;
  if (claim.controller) {
    metadata["ownerReferences"].push_back({{"apiVersion", "v1"},
                                           {"kind", "Pod"},
                                           {"name", "owner"},
                                           {"uid", *claim.controller},
                                           {"controller", true}});
  }
  Json spec = Json::object();
  put(spec, "storageClassName", claim.class_name);
  put(spec, "volumeName", claim.volume_name);
  put(spec, "accessModes", claim.access_modes);
  if (claim.selector) spec["selector"] = written_selector(*claim.selector);
  put(spec, "volumeMode", claim.volume_mode);
  put(spec, "volumeAttributesClassName", claim.attributes_class);
  if (claim.storage) spec["resources"]["requests"]["storage"] = bytes_of(*claim.storage);
  json["spec"] = std::move(spec);
  if (!claim.phase.empty()) json["status"]["phase"] = claim.phase;
  return json;
}

Json persistent_volume_of(const PersistentVolume& volume) {
  Json json{{"metadata", metadata_of("", volume.name)}};
  Json& metadata = json["metadata"];
  put(metadata, "labels", volume.labels);
  if (volume.terminating) metadata["deletionTimestamp"] = k_deletion_time;
  if (volume.beta_class) metadata["annotations"][std::string(k_beta_class)] = *volume.beta_class;
  Json spec = Json::object();
  put(spec, "storageClassName", volume.class_name);
  spec["capacity"]["storage"] = bytes_of(volume.storage);
  put(spec, "accessModes", volume.access_modes);
  put(spec, "volumeMode", volume.volume_mode);
  put(spec, "volumeAttributesClassName", volume.attributes_class);
  if (!volume.source.kind.empty()) spec[volume.source.kind] = source_of(volume.source);
  if (volume.node_affinity)
    spec["nodeAffinity"]["required"]["nodeSelectorTerms"] = written_terms(*volume.node_affinity);
  if (volume.claim) {
    spec["claimRef"] = {
        {"kind", "PersistentVolumeClaim"}, {"namespace", volume.claim->ns}, {"name", volume.claim->name}};
    put(spec["claimRef"], "uid", volume.claim->uid);
  }
  json["spec"] = std::move(spec);
  if (!volume.phase.empty()) json["status"]["phase"] = volume.phase;
  return json;
}

Json class_of(const StorageClass& each) {
  Json json{{"metadata", metadata_of("", each.name)}, {"provisioner", each.provisioner}};
  put(json, "volumeBindingMode", each.binding_mode);
  for (const TopologyTerm& term : each.allowed_topologies) {
    Json expressions = Json::array();
    for (const Requirement& requirement : term)
      expressions.push_back({{"key", requirement.key}, {"values", requirement.values}});
    json["allowedTopologies"].push_back({{"matchLabelExpressions", std::move(expressions)}});
  }
  return json;
}

Json csi_node_of(const CsiNode& node) {
  Json json{{"metadata", metadata_of("", node.name)}, {"spec", {{"drivers", Json::array()}}}};
  std::string plugins;
  for (const std::string& plugin : node.migrated_plugins) plugins += (plugins.empty() ? "" : ",") + plugin;
  if (!plugins.empty()) json["metadata"]["annotations"][std::string(k_migrated_plugins)] = plugins;
  for (const std::string& name : node.drivers) {
    Json driver{{"name", name}, {"nodeID", node.name}, {"topologyKeys", nullptr}};
    if (const auto limit = node.limits.find(name); limit != node.limits.end())
      driver["allocatable"]["count"] = limit->second;
    json["spec"]["drivers"].push_back(std::move(driver));
  }
  return json;
}

Json csi_driver_of(const CsiDriver& driver) {
  Json json{{"metadata", metadata_of("", driver.name)}, {"spec", Json::object()}};
  if (driver.storage_capacity) json["spec"]["storageCapacity"] = true;
  if (driver.prevents_scheduling_if_missing) json["spec"]["preventPodSchedulingIfMissing"] = true;
  return json;
}

Json attachment_of(const VolumeAttachment& attachment) {
  Json json{
      {"metadata", metadata_of("", attachment.name)},
      {"spec",
       {{"attacher", attachment.attacher}, {"nodeName", attachment.node_name}, {"source", Json::object()}}}};
  put(json["spec"]["source"], "persistentVolumeName", attachment.volume);
  return json;
}

Json capacity_of(const CsiStorageCapacity& capacity) {
  Json json{{"metadata", metadata_of(capacity.ns, capacity.name)},
            {"storageClassName", capacity.storage_class}};
  if (capacity.node_topology) json["nodeTopology"] = written_selector(*capacity.node_topology);
  if (capacity.capacity) json["capacity"] = bytes_of(*capacity.capacity);
  if (capacity.maximum_volume_size) json["maximumVolumeSize"] = bytes_of(*capacity.maximum_volume_size);
  return json;
}

Json written_volume(const Volume& volume) {
  Json json{{"name", volume.name}};
  if (!volume.source.kind.empty()) json[volume.source.kind] = source_of(volume.source);
  return json;
}

}  // namespace touchstone::kubernetes
