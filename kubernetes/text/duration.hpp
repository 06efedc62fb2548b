#pragma once

#include <string_view>

#include "spec/vocabulary/quantity.hpp"
#include "spec/vocabulary/result.hpp"

namespace touchstone::kubernetes {

/// Parses a duration as Kubernetes writes it, such as "1m30s" or "500ms". Ensures: returns nanoseconds, at
/// least 0. Errors, without a path: duration-malformed (also for a number without a unit).
Result<Quantity> parse_duration(std::string_view text);

}  // namespace touchstone::kubernetes
