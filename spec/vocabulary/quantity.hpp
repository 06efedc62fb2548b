#pragma once

#include <cstdint>

namespace touchstone {

/// A number that a decision compares or computes with: an amount of a resource (cpu in milli-CPU, every other
/// resource in units of 1), a priority, a budget, a count, or a time (nanoseconds since 1970). The product
/// build uses int64_t. A proof build puts another quantity.hpp first on the include path. So code that
/// decides uses only the operations of proofs/engine/integer.hpp, and never keeps the result of a comparison
/// in an `auto`.
using Quantity = std::int64_t;

}  // namespace touchstone
