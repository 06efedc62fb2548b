#pragma once

#include <cstdint>

namespace touchstone {

/// Every number that a decision compares or adds: resource amounts (cpu in milli, all else in its unit),
/// priorities, budgets, counts, times (nanoseconds since 1970). The product build uses int64_t; a proof
/// build may put another quantity.hpp first on the include path, so code that decides only compares,
/// adds and subtracts quantities, and never keeps the result of a comparison in an `auto`.
using Quantity = std::int64_t;

}  // namespace touchstone
