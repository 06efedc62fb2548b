#pragma once

#include <string>

#include "oracle/compare/comparison.hpp"

/// A difference in words.
namespace touchstone::oracle {

/// What an answer does in the part that differs, as the end of a sentence: "evicts default/a, default/b from
/// n1". `value`: that part, Difference::given or ours. `answer`: the whole of it.
std::string deed_of(const Difference& difference, const std::string& value, const Json& answer);

}  // namespace touchstone::oracle
