#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Writes compact JSON text, and splits such text into parts. Compact means valid and without spaces.
namespace touchstone::kubernetes {

/// Appends `text` as a JSON string in quotes. Requires: `text` is UTF-8. Ensures: equal texts give equal
/// JSON.
void append_json_string(std::string& json, std::string_view text);

/// Splits a list into its elements, or an object into its members, each with its key.
/// Requires: `json` is a compact list or object. Ensures: the views point into `json`.
std::vector<std::string_view> parts_of_json(std::string_view json);

/// Returns the string at the beginning of `json`, with its quotes. Requires: `json` begins with a string.
std::string_view leading_json_string(std::string_view json);

}  // namespace touchstone::kubernetes
