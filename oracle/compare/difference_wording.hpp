#pragma once

#include <string>

#include "oracle/compare/comparison.hpp"

/// Describes a difference in words.
namespace touchstone::oracle {

/// What an answer does in the part that differs, as the end of a sentence: "evicts default/a, default/b from
/// n1". `value` is that part (Difference::given or ours), `answer` the whole answer.
std::string difference_phrase(const Difference& difference, const std::string& value, const Json& answer);

/// Whether both sides evict the same pods with the same violations, in another order. Requires: they differ.
bool differ_in_order_alone(const Difference& difference);

}  // namespace touchstone::oracle
