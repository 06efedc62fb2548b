#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

/// What writers of Kubernetes objects share: a field that would be empty is left out.
namespace touchstone::kubernetes {

/// A YAML or JSON value whose fields keep their order.
using Json = nlohmann::ordered_json;

/// Any moment: no decision reads when an object was asked to end.
inline constexpr std::string_view k_deletion_time = "2026-01-01T00:00:00Z";

/// Text, labels or a list, unless it is empty.
template <typename T>
void put(Json& object, std::string_view key, const T& value) {
  if (!value.empty()) object[std::string(key)] = value;
}

/// A value that may be missing.
template <typename T>
void put(Json& object, std::string_view key, const std::optional<T>& value) {
  if (value) object[std::string(key)] = *value;
}

}  // namespace touchstone::kubernetes
