#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Writing compact JSON text, and taking apart what was so written: without spaces, known to be right.
namespace touchstone::kubernetes {

/// Appends a string in its quotes. Requires: text is UTF-8. Ensures: equal texts are written alike.
void append_json_string(std::string& json, std::string_view text);

/// The elements of a list, or the members of an object, each with its key.
/// Requires: json is a compact list or object. Ensures: the views are into `json`.
std::vector<std::string_view> parts_of_json(std::string_view json);

/// The string at the beginning of the text, in its quotes. Requires: there is one.
std::string_view leading_json_string(std::string_view json);

}  // namespace touchstone::kubernetes
