#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace touchstone::kubernetes {

/// JSON as YAML in block style, as `kubectl -o yaml` prints it; members keep their order.
/// Requires: strings are UTF-8. Ensures: yaml_to_json of it is the same JSON.
std::string yaml_of(const nlohmann::ordered_json& json);

}  // namespace touchstone::kubernetes
