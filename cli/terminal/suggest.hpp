#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace touchstone::cli {

/// The name that a mistyped word most likely means; empty if no name is near. The distance counts insertions,
/// deletions, substitutions and swaps of neighbouring characters. One change is allowed for every three
/// characters of the word, and at least one. Of equally near names the first is returned.
std::string nearest(std::string_view word, const std::vector<std::string>& names);

}  // namespace touchstone::cli
