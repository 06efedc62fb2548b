#pragma once

#include <string>

#include "oracle/protocol.hpp"

namespace touchstone::cli {

/// JSON as YAML in block style, as `kubectl -o yaml` prints it; members keep their order.
/// Requires: strings are UTF-8. Ensures: kubernetes::yaml_to_json of it is the same JSON.
std::string yaml_of(const oracle::Json& json);

}  // namespace touchstone::cli
