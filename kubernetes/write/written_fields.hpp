#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

/// Helpers that the writers of Kubernetes objects share. They leave out empty fields.
namespace touchstone::kubernetes {

/// A JSON value whose fields keep their order; used for YAML, too.
using Json = nlohmann::ordered_json;

/// An arbitrary time: no decision reads when the deletion of an object was requested.
inline constexpr std::string_view k_deletion_time = "2026-01-01T00:00:00Z";

/// Sets a field to a text, labels or a list, unless the value is empty.
template <typename T>
void put(Json& object, std::string_view key, const T& value) {
  if (!value.empty()) object[std::string(key)] = value;
}

/// Sets a field, unless the value is missing.
template <typename T>
void put(Json& object, std::string_view key, const std::optional<T>& value) {
  if (value) object[std::string(key)] = *value;
}

}  // namespace touchstone::kubernetes
