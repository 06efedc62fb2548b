#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "kubernetes/text/json.hpp"
#include "spec/vocabulary/volumes.hpp"

/// Readers and writers for volumes of pods and for storage objects.
namespace touchstone::kubernetes {

/// Reads an element of a pod's spec.volumes.
/// Errors: several-sources; missing-field (claimName, or the field that identifies a disk); wrong-type.
Volume read_volume(const Value& value);

/// Writes a volume as an element of spec.volumes, with the fields that read_volume reads.
nlohmann::ordered_json written_volume(const Volume& volume);

/// A kind of storage object: its names, its reader and its writer.
struct StorageKind {
  std::string_view key;  ///< name of its list in a question
  std::string_view kind;
  std::string_view api;          ///< its apiVersion, or its group followed by a slash
  std::string_view api_version;  ///< the newest served version
  /// Reads an object and adds it to its list in `storage`. Returns its name, as namespace/name if it has a
  /// namespace. A field that is read must have its type; other fields are ignored.
  /// Errors: missing-field (metadata.name and fields that Kubernetes requires), wrong-type, duplicate-key,
  /// out-of-range, quantity-*, time-*.
  std::string (*read)(const Value& value, Storage& storage);
  /// Writes all objects of the list, without kind and apiVersion.
  std::vector<nlohmann::ordered_json> (*written)(const Storage& storage);
};
extern const std::array<StorageKind, 7> k_storage_kinds;

}  // namespace touchstone::kubernetes
