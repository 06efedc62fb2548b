#pragma once

#include <string_view>

#include "spec/vocabulary/quantity.hpp"
#include "spec/vocabulary/result.hpp"

namespace touchstone::kubernetes {

/// Reads an RFC 3339 time, as "2026-11-21T10:00:00Z" or "2026-11-21T11:00:00.25+01:00".
/// Ensures: nanoseconds since 1970-01-01T00:00:00Z, without the fraction's digits behind the ninth, as in Go.
/// Errors, without a path: time-malformed (a leap second, too, as in Go); time-overflow outside 1677 to 2262.
Result<Quantity> parse_time(std::string_view text);

}  // namespace touchstone::kubernetes
