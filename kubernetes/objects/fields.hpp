#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "kubernetes/text/json.hpp"
#include "spec/vocabulary/cluster.hpp"

/// Readers for the kinds of field of Kubernetes objects. All throw InvalidInput, which names the field.
namespace touchstone::kubernetes {

/// Fields of affinity: terms that must hold when a pod is scheduled, and terms that are only preferred.
inline constexpr std::string_view k_required = "requiredDuringSchedulingIgnoredDuringExecution";
inline constexpr std::string_view k_preferred = "preferredDuringSchedulingIgnoredDuringExecution";

inline constexpr Quantity k_port_max = 65535;

/// The string in a field; empty if the field is missing.
std::string string_field(const Value& object, std::string_view key);

/// The string in a field that must be present and not empty. Errors: missing-field.
std::string name_field(const Value& object, std::string_view key = "name");

/// The namespace in an object's metadata; "default" if it is missing or empty.
std::string namespace_field(const Value& metadata);

/// The map of strings in a field; empty if the field is missing.
Labels labels_field(const Value& object, std::string_view key);

/// The list of strings in a field; empty if the field is missing.
std::vector<std::string> strings_field(const Value& object, std::string_view key);

/// The boolean in a field; false if the field is missing.
bool bool_field(const Value& object, std::string_view key);

/// The 32-bit integer in a field; 0 if the field is missing. Errors: out-of-range.
Quantity int32_field(const Value& object, std::string_view key);

/// The text of an annotation in an object's metadata; nothing if the object does not have it.
std::optional<std::string> annotation(const Value& metadata, std::string_view key);

/// The amounts in a field, by resource name; nothing if the field is missing. cpu is in milli.
/// Errors: quantity-malformed, quantity-overflow, quantity-negative.
std::optional<ResourceList> resources_field(const Value& object, std::string_view key);

/// The single amount in a field, in its unit; nothing if the field is missing. Errors: as resources_field.
std::optional<Quantity> amount_field(const Value& object, std::string_view key);

/// The requests in the field `resources`. Nothing if `resources` is missing; an empty list if it has no
/// requests.
std::optional<ResourceList> requests_field(const Value& object);

/// The time in a field, in nanoseconds since 1970; nothing if the field is missing. Errors: time-malformed,
/// time-overflow.
std::optional<Quantity> time_field(const Value& object, std::string_view key);

/// Parses a value as a time, in nanoseconds since 1970. Errors: as time_field.
Quantity read_time(const Value& value);

/// Applies `read` to each element of a list; returns an empty list if the field is missing.
template <typename Read>
auto list_field(const Value& object, std::string_view key, Read read) {
  std::vector<std::invoke_result_t<Read, const Value&>> list;
  if (const auto field = object.find(key)) {
    for (const Value element : field->elements()) list.push_back(read(element));
  }
  return list;
}

}  // namespace touchstone::kubernetes
