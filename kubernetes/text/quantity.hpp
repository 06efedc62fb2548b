#pragma once

#include <string_view>

#include "spec/vocabulary/quantity.hpp"
#include "spec/vocabulary/result.hpp"

namespace touchstone::kubernetes {

enum class Unit { whole, milli };

/// Reads a resource quantity as Kubernetes' resource.ParseQuantity does: "100m", "1.5Gi", ".5", "1e3". Its
/// releases agree, at least k8s.io/apimachinery v0.20 to v0.36.
/// Ensures: the value in `unit`, rounded up, exact for any number of digits; it is not negative.
/// A text without a digit is 0 ("-", "Ki"), but malformed with the suffix Pi or Ei or an exponent below -9.
/// Errors, without a path: quantity-malformed where Kubernetes refuses the text; quantity-negative below 0,
/// which Kubernetes parses, but miscounts ("-10.5Gi" as 7172454922) and refuses in every pod and node;
/// quantity-overflow beyond int64 after rounding (Kubernetes would clamp it, or keep some of its bits).
Result<Quantity> parse_quantity(std::string_view text, Unit unit);

}  // namespace touchstone::kubernetes
