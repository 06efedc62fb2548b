#pragma once

#include <string_view>

#include "spec/vocabulary/quantity.hpp"
#include "spec/vocabulary/result.hpp"

namespace touchstone::kubernetes {

/// The unit of a parsed quantity: one, or one thousandth.
enum class Unit { whole, milli };

/// Parses a resource quantity as Kubernetes' resource.ParseQuantity does: "100m", "1.5Gi", ".5", "1e3".
/// ParseQuantity gives the same results in all releases, at least from k8s.io/apimachinery v0.20 to v0.36.
/// Ensures: the value is in `unit`, rounded up, exact for any number of digits, and not negative.
/// A text without a digit is 0 ("-", "Ki"). It is malformed with the suffix Pi or Ei, or with an exponent
/// below -9.
/// Errors, without a path:
///  - quantity-malformed, if Kubernetes rejects the text;
///  - quantity-negative below 0. Kubernetes parses a negative quantity, but miscounts it ("-10.5Gi" as
///    7172454922) and rejects it in every pod and node;
///  - quantity-overflow, if the rounded value exceeds int64. Kubernetes would clamp it, or keep some of its
///    bits.
Result<Quantity> parse_quantity(std::string_view text, Unit unit);

}  // namespace touchstone::kubernetes
