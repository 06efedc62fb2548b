#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace touchstone::kubernetes {

/// Writes JSON as YAML in block style, as `kubectl -o yaml` prints it. Members keep their order.
/// Requires: strings are UTF-8. Ensures: yaml_to_json converts the result to the same JSON.
std::string yaml_of(const nlohmann::ordered_json& json);

}  // namespace touchstone::kubernetes
