#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace touchstone::cli {

/// The name that a mistyped word most likely means: the nearest by insertions, deletions, substitutions and
/// swaps of neighbours, at most one for every three characters (and one at least); the first of equals. Empty
/// if none.
std::string nearest(std::string_view word, const std::vector<std::string>& names);

}  // namespace touchstone::cli
