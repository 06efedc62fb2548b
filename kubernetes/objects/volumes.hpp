#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "kubernetes/text/json.hpp"
#include "spec/vocabulary/volumes.hpp"

/// Volumes of pods, and the objects around them, read and written.
namespace touchstone::kubernetes {

/// Reads an element of a pod's spec.volumes.
/// Errors: several-sources; missing-field (claimName, or what names a disk); wrong-type.
Volume read_volume(const Value& value);

/// The volume as an element of spec.volumes: what was read of it, and the fields that Kubernetes requires.
nlohmann::ordered_json written_volume(const Volume& volume);

/// A kind of object that Storage has a list of.
struct StorageKind {
  std::string_view key;  ///< of its list in a question
  std::string_view kind;
  std::string_view api;          ///< its apiVersion, or its group with a slash behind
  std::string_view api_version;  ///< the newest that is served
  /// Reads an object and puts it into its list; returns its name, with its namespace if it has one. What is
  /// read must have its type, all else is ignored.
  /// Errors: missing-field (metadata.name and what Kubernetes requires of the object), wrong-type,
  /// duplicate-key, out-of-range, quantity-*, time-*.
  std::string (*read)(const Value& value, Storage& storage);
  /// All of the list as objects, without kind and apiVersion.
  std::vector<nlohmann::ordered_json> (*written)(const Storage& storage);
};
extern const std::array<StorageKind, 7> k_storage_kinds;

}  // namespace touchstone::kubernetes
