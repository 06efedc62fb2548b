#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace touchstone::kubernetes {

/// Tells where a text stops being JSON, as "line 3, column 14: unexpected '}'", counting bytes from 1;
/// nothing when it is JSON for another parser. Slow and exact: for texts that the fast parser refused.
/// Complexity: one pass.
std::optional<std::string> find_syntax_error(std::string_view json);

}  // namespace touchstone::kubernetes
