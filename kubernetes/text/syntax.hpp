#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace touchstone::kubernetes {

/// Finds the place where a text stops being JSON. Returns a message such as "line 3, column 14: unexpected
/// '}'", which counts bytes from 1. Returns nothing if another parser (nlohmann::json) accepts the text. It
/// is slow but exact: use it for texts that the fast parser has rejected.
/// Complexity: one pass over the text.
std::optional<std::string> find_syntax_error(std::string_view json);

}  // namespace touchstone::kubernetes
