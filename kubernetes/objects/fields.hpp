#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "kubernetes/text/json.hpp"
#include "spec/vocabulary/cluster.hpp"

/// The kinds of field that Kubernetes objects are made of. All throw InvalidInput, naming the field.
namespace touchstone::kubernetes {

/// The field of what has to hold when a pod is scheduled; what is only preferred is checked, and not read.
inline constexpr std::string_view k_required = "requiredDuringSchedulingIgnoredDuringExecution";
inline constexpr std::string_view k_preferred = "preferredDuringSchedulingIgnoredDuringExecution";

inline constexpr Quantity k_port_max = 65535;

/// The string, or an empty one where the field is missing.
std::string string_field(const Value& object, std::string_view key);

/// A string that has to be there and may not be empty. Errors: missing-field.
std::string name_field(const Value& object, std::string_view key = "name");

/// The namespace of an object's metadata; where it has none, "default".
std::string namespace_field(const Value& metadata);

/// A map of strings, or an empty one where the field is missing.
Labels labels_field(const Value& object, std::string_view key);

/// A list of strings, or an empty one where the field is missing.
std::vector<std::string> strings_field(const Value& object, std::string_view key);

/// A number of 32 bits, or 0 where the field is missing. Errors: out-of-range.
Quantity int32_field(const Value& object, std::string_view key);

/// Amounts by resource name, or nothing where the field is missing. cpu is in milli.
/// Errors: quantity-malformed, quantity-overflow, quantity-negative.
std::optional<ResourceList> resources_field(const Value& object, std::string_view key);

/// A single amount, in its unit, or nothing where the field is missing. Errors: as resources_field.
std::optional<Quantity> amount_field(const Value& object, std::string_view key);

/// The requests in the field `resources`: nothing where that is missing, none where it has no requests.
std::optional<ResourceList> requests_field(const Value& object);

/// Nanoseconds since 1970, or nothing where the field is missing. Errors: time-malformed, time-overflow.
std::optional<Quantity> time_field(const Value& object, std::string_view key);

/// A time as a value of its own.
Quantity read_time(const Value& value);

/// What `read` makes of each element of a list; an empty list where the field is missing.
template <typename Read>
auto list_field(const Value& object, std::string_view key, Read read) {
  std::vector<std::invoke_result_t<Read, const Value&>> list;
  if (const auto field = object.find(key)) {
    for (const Value element : field->elements()) list.push_back(read(element));
  }
  return list;
}

}  // namespace touchstone::kubernetes
