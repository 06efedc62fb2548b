#pragma once

#include <string>
#include <string_view>

#include "kubernetes/text/json.hpp"

/// Errors of configurations that a release refuses. Path and message together are close to the words of the
/// release, such as "percentageOfNodesToScore: Invalid value: -1: not in valid range [0-100]".
namespace touchstone::kubernetes {

inline constexpr std::string_view k_refused = "refused-configuration";

[[noreturn]] inline void refuse_configuration(const Value& value, const std::string& why) {
  value.fail(std::string(k_refused), why);
}

/// Refuses the value of a field. `shown`: the value, as the release quotes it.
[[noreturn]] inline void refuse_configured_value(const Value& value, const std::string& shown,
                                                 const std::string& why) {
  refuse_configuration(value, "Invalid value: " + shown + ": " + why);
}

/// The number in a field that must be in a range; nothing if the field is missing.
inline std::optional<Quantity> configured_number(const Value& object, std::string_view key, Quantity least,
                                                 Quantity most, const std::string& range) {
  const auto field = object.find(key);
  if (!field) return std::nullopt;
  const Quantity number = field->integer(INT32_MIN, INT32_MAX);
  if (number < least || number > most)
    refuse_configured_value(*field, std::to_string(number), "not in valid range " + range);
  return number;
}

}  // namespace touchstone::kubernetes
