#pragma once

#include <string_view>

#include "spec/vocabulary/quantity.hpp"
#include "spec/vocabulary/result.hpp"

namespace touchstone::kubernetes {

/// Parses an RFC 3339 time, such as "2026-11-21T10:00:00Z" or "2026-11-21T11:00:00.25+01:00".
/// Ensures: returns nanoseconds since 1970-01-01T00:00:00Z. Drops digits of the fraction after the ninth, as
/// Go does.
/// Errors, without a path: time-malformed (also for a leap second, as in Go); time-overflow outside of the
/// years 1677 to 2262.
Result<Quantity> parse_time(std::string_view text);

}  // namespace touchstone::kubernetes
