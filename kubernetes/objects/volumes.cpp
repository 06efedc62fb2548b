#include "kubernetes/objects/volumes.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "kubernetes/objects/controllers.hpp"
#include "kubernetes/objects/fields.hpp"
#include "kubernetes/objects/selectors.hpp"
#include "kubernetes/objects/volume_fields.hpp"
#include "kubernetes/write/written_volumes.hpp"

namespace touchstone::kubernetes {

namespace {

VolumeSource read_source(const Value& member, bool is_inline) {
  VolumeSource source;
  source.kind = member.key();
  const std::string_view id = id_field(source.kind);
  // Only a stored pod must name the image of an image volume.
  if (source.kind == "image") source.id = string_field(member, id);
  if (id.empty() || source.kind == "image") return source;
  // A CSI volume in a pod's spec has no handle yet.
  if (!(is_inline && source.kind == "csi")) source.id = name_field(member, id);
  source.read_only = bool_field(member, "readOnly");
  if (source.kind == "csi") source.driver = name_field(member, "driver");
  if (source.kind == "azureDisk") {
    source.disk_name = string_field(member, "diskName");
    source.disk_kind = string_field(member, "kind");
  }
  if (source.kind == "rbd") {
    source.pool = string_field(member, "pool");
    source.monitors = strings_field(member, "monitors");
  }
  return source;
}

std::optional<std::string> optional_string(const Value& object, std::string_view key) {
  const auto field = object.find(key);
  if (!field) return std::nullopt;
  return std::string(field->string());
}

/// The amount of `storage` in a field such as capacity.
std::optional<Quantity> storage_amount(const Value& object, std::string_view key) {
  const std::optional<ResourceList> amounts = resources_field(object, key);
  if (!amounts) return std::nullopt;
  const auto found = amounts->find("storage");
  if (found == amounts->end()) return std::nullopt;
  return found->second;
}

std::string read_claim(const Value& value, Storage& storage) {
  const Value object = value.as_object("PersistentVolumeClaim");
  const Value metadata = object.require("metadata");
  PersistentVolumeClaim claim;
  claim.name = name_field(metadata);
  claim.ns = namespace_field(metadata);
  claim.uid = string_field(metadata, "uid");
  claim.terminating = time_field(metadata, "deletionTimestamp").has_value();
  claim.bind_completed = annotation(metadata, k_bind_completed).has_value();
  claim.selected_node = annotation(metadata, k_selected_node);
  claim.beta_class = annotation(metadata, k_beta_class);
  if (const auto controller = read_controller(metadata)) claim.controller = controller->uid;
  if (const auto spec = object.find("spec")) {
    claim.class_name = optional_string(*spec, "storageClassName");
    claim.volume_name = string_field(*spec, "volumeName");
    claim.access_modes = strings_field(*spec, "accessModes");
    claim.selector = label_selector_field(*spec, "selector");
    claim.volume_mode = string_field(*spec, "volumeMode");
    claim.attributes_class = string_field(*spec, "volumeAttributesClassName");
    if (const auto resources = spec->find("resources"))
      claim.storage = storage_amount(*resources, "requests");
  }
  if (const auto status = object.find("status")) claim.phase = string_field(*status, "phase");
  std::string name = claim.full_name();
  storage.claims[name] = std::move(claim);
  return name;
}

std::string read_persistent_volume(const Value& value, Storage& storage) {
  const Value object = value.as_object("PersistentVolume");
  const Value metadata = object.require("metadata");
  PersistentVolume volume;
  volume.name = name_field(metadata);
  volume.labels = labels_field(metadata, "labels");
  volume.terminating = time_field(metadata, "deletionTimestamp").has_value();
  volume.beta_class = annotation(metadata, k_beta_class);
  if (const auto spec = object.find("spec")) {
    volume.class_name = string_field(*spec, "storageClassName");
    volume.storage = storage_amount(*spec, "capacity").value_or(0);
    volume.access_modes = strings_field(*spec, "accessModes");
    volume.volume_mode = string_field(*spec, "volumeMode");
    volume.attributes_class = string_field(*spec, "volumeAttributesClassName");
    for (const SourceField& each : k_source_fields) {
      if (const auto source = spec->find(each.kind)) volume.source = read_source(*source, false);
    }
    if (const auto affinity = spec->find("nodeAffinity")) {
      if (const auto required = affinity->find("required"))
        volume.node_affinity = node_selector_terms_field(*required);
    }
    if (const auto claim = spec->find("claimRef")) {
      volume.claim = {.ns = string_field(*claim, "namespace"),
                      .name = string_field(*claim, "name"),
                      .uid = string_field(*claim, "uid")};
    }
  }
  if (const auto status = object.find("status")) volume.phase = string_field(*status, "phase");
  std::string name = volume.name;
  storage.volumes[name] = std::move(volume);
  return name;
}

Requirement read_topology_requirement(const Value& value) {
  return {.key = string_field(value, "key"), .op = "In", .values = strings_field(value, "values")};
}

TopologyTerm read_topology_term(const Value& value) {
  return list_field(value, "matchLabelExpressions", read_topology_requirement);
}

std::string read_class(const Value& value, Storage& storage) {
  const Value object = value.as_object("StorageClass");
  std::string name = name_field(object.require("metadata"));
  storage.classes[name] = {.name = name,
                           .provisioner = string_field(object, "provisioner"),
                           .binding_mode = string_field(object, "volumeBindingMode"),
                           .allowed_topologies = list_field(object, "allowedTopologies", read_topology_term)};
  return name;
}

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ',') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::string read_csi_node(const Value& value, Storage& storage) {
  const Value object = value.as_object("CSINode");
  const Value metadata = object.require("metadata");
  CsiNode node;
  node.name = name_field(metadata);
  if (const auto migrated = annotation(metadata, k_migrated_plugins); migrated && !migrated->empty())
    node.migrated_plugins = split_at_commas(*migrated);
  if (const auto spec = object.find("spec")) {
    node.drivers = list_field(*spec, "drivers", [&node](const Value& driver) {
      std::string name = name_field(driver);
      const auto allocatable = driver.find("allocatable");
      const auto count = allocatable ? allocatable->find("count") : std::nullopt;
      if (count) node.limits[name] = count->integer(0, std::numeric_limits<std::int32_t>::max());
      return name;
    });
  }
  std::string name = node.name;
  storage.csi_nodes[name] = std::move(node);
  return name;
}

std::string read_csi_driver(const Value& value, Storage& storage) {
  const Value object = value.as_object("CSIDriver");
  CsiDriver driver;
  driver.name = name_field(object.require("metadata"));
  if (const auto spec = object.find("spec")) {
    driver.storage_capacity = bool_field(*spec, "storageCapacity");
    driver.prevents_scheduling_if_missing = bool_field(*spec, "preventPodSchedulingIfMissing");
  }
  std::string name = driver.name;
  storage.csi_drivers[name] = std::move(driver);
  return name;
}

std::string read_attachment(const Value& value, Storage& storage) {
  const Value object = value.as_object("VolumeAttachment");
  VolumeAttachment attachment;
  attachment.name = name_field(object.require("metadata"));
  if (const auto spec = object.find("spec")) {
    attachment.attacher = string_field(*spec, "attacher");
    attachment.node_name = string_field(*spec, "nodeName");
    if (const auto source = spec->find("source"))
      attachment.volume = string_field(*source, "persistentVolumeName");
  }
  std::string name = attachment.name;
  std::string node = attachment.node_name;
  storage.attachments.emplace(std::move(node), std::move(attachment));
  return name;
}

std::string read_capacity(const Value& value, Storage& storage) {
  const Value object = value.as_object("CSIStorageCapacity");
  const Value metadata = object.require("metadata");
  CsiStorageCapacity capacity{.ns = namespace_field(metadata),
                              .name = name_field(metadata),
                              .storage_class = string_field(object, "storageClassName"),
                              .node_topology = label_selector_field(object, "nodeTopology"),
                              .capacity = amount_field(object, "capacity"),
                              .maximum_volume_size = amount_field(object, "maximumVolumeSize")};
  std::string name = capacity.ns + "/" + capacity.name;
  storage.capacities[name] = std::move(capacity);
  return name;
}

/// Applies `one` to each object of a list.
template <auto list, auto one>
std::vector<nlohmann::ordered_json> all_of(const Storage& storage) {
  std::vector<nlohmann::ordered_json> all;
  for (const auto& [name, each] : storage.*list) all.push_back(one(each));
  return all;
}

}  // namespace

const std::array<StorageKind, 7> k_storage_kinds = {
    {{"pvcs", "PersistentVolumeClaim", "v1", "v1", read_claim, all_of<&Storage::claims, claim_of>},
     {"pvs", "PersistentVolume", "v1", "v1", read_persistent_volume,
      all_of<&Storage::volumes, persistent_volume_of>},
     {"storageClasses", "StorageClass", "storage.k8s.io/", "storage.k8s.io/v1", read_class,
      all_of<&Storage::classes, class_of>},
     {"csiNodes", "CSINode", "storage.k8s.io/", "storage.k8s.io/v1", read_csi_node,
      all_of<&Storage::csi_nodes, csi_node_of>},
     {"csiDrivers", "CSIDriver", "storage.k8s.io/", "storage.k8s.io/v1", read_csi_driver,
      all_of<&Storage::csi_drivers, csi_driver_of>},
     {"volumeAttachments", "VolumeAttachment", "storage.k8s.io/", "storage.k8s.io/v1", read_attachment,
      all_of<&Storage::attachments, attachment_of>},
     {"csiStorageCapacities", "CSIStorageCapacity", "storage.k8s.io/", "storage.k8s.io/v1", read_capacity,
      all_of<&Storage::capacities, capacity_of>}}};

Volume read_volume(const Value& value) {
  Volume volume;
  volume.name = string_field(value, "name");
  for (const Value member : value.members()) {
    if (member.key() == "name" || member.is_null()) continue;
    if (!volume.source.kind.empty()) {
      member.fail("several-sources", "expected one source of the volume, found " + volume.source.kind +
                                         " and " + std::string(member.key()));
    }
    volume.source = read_source(member, true);
  }
  return volume;
}

}  // namespace touchstone::kubernetes
