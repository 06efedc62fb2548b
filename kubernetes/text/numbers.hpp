#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::kubernetes {

/// Takes every number that is not a short integer out of a JSON text, because simdjson would make it a float,
/// or refuse the whole text. The i-th different one is kept in `numbers`; `i.0` stands in its place.
/// Requires: numbers is empty.
/// Ensures: nothing where there is no such number, so that most texts need no copy; else a text with room for
/// the parser's padding. A number with a point is an index into `numbers` then; what is not JSON stays so.
/// Complexity: one pass.
std::optional<std::string> set_numbers_aside(std::string_view json, std::vector<std::string>& numbers);

}  // namespace touchstone::kubernetes
