#pragma once

#include <string_view>

#include "spec/quantity.hpp"
#include "spec/result.hpp"

namespace touchstone::kubernetes {

enum class Unit { whole, milli };

/// Reads a resource quantity as Kubernetes' resource.ParseQuantity does: "100m", "1.5Gi", ".5", "1e3".
/// Ensures: the value in `unit`, rounded away from zero, exact for any number of digits; it may be negative.
/// A text without a digit is malformed (of these, Kubernetes reads "-" and "Ki" as 0, and refuses "Pi").
/// Errors, without a path: quantity-malformed; quantity-overflow beyond int64 (Kubernetes would clamp).
Result<Quantity> parse_quantity(std::string_view text, Unit unit);

}  // namespace touchstone::kubernetes
