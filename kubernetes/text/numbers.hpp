#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::kubernetes {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Replaces every number in a JSON text that is not a short integer (at most 18 characters). simdjson would
/// convert such a number to a float, or reject the whole text. `numbers` receives each different number once;
/// `i.0` in the text stands for numbers[i].
/// Requires: `numbers` is empty.
/// Ensures: returns nothing if the text has no such number, so most texts need no copy. Otherwise returns the
/// new text, in which every number with a point is an index into `numbers`. Invalid JSON stays invalid.
/// Complexity: one pass over the text.
std::optional<std::string> replace_long_numbers(std::string_view json, std::vector<std::string>& numbers);

}  // namespace touchstone::kubernetes
