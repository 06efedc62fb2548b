#pragma once

#include <algorithm>
#include <array>
#include <string_view>

/// Names of fields and annotations that readers and writers of volumes share.
namespace touchstone::kubernetes {

inline constexpr std::string_view k_beta_class = "volume.beta.kubernetes.io/storage-class";
inline constexpr std::string_view k_bind_completed = "pv.kubernetes.io/bind-completed";
inline constexpr std::string_view k_selected_node = "volume.kubernetes.io/selected-node";
inline constexpr std::string_view k_migrated_plugins = "storage.alpha.kubernetes.io/migrated-plugins";

/// A kind of volume source of which a filter or a scorer reads more than its presence, and the field that
/// identifies a source of this kind.
struct SourceField {
  std::string_view kind;
  std::string_view id;
};
inline constexpr std::array<SourceField, 10> k_source_fields = {{{"persistentVolumeClaim", "claimName"},
                                                                 {"csi", "volumeHandle"},
                                                                 {"gcePersistentDisk", "pdName"},
                                                                 {"awsElasticBlockStore", "volumeID"},
                                                                 {"azureDisk", "diskURI"},
                                                                 {"cinder", "volumeID"},
                                                                 {"portworxVolume", "volumeID"},
                                                                 {"iscsi", "iqn"},
                                                                 {"rbd", "image"},
                                                                 {"image", "reference"}}};

/// The field that identifies a source of this kind. Empty if no decision reads more of it.
inline std::string_view id_field(std::string_view kind) {
  const auto found = std::find_if(k_source_fields.begin(), k_source_fields.end(),
                                  [kind](const SourceField& each) { return each.kind == kind; });
  return found == k_source_fields.end() ? "" : found->id;
}

}  // namespace touchstone::kubernetes
