#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spec/vocabulary/result.hpp"

/// Converts YAML to JSON text, so that one reader (kubernetes/text/json.hpp) reads both.
namespace touchstone::kubernetes {

/// Converts each document of a YAML stream to JSON text. Leaves out empty documents.
///  - A scalar has the meaning that kubectl gives it; see yaml_scalar.hpp.
///  - An alias becomes a copy.
///  - The members of a merge key (<<) follow the mapping's own members. If both have a key, the own member
///    wins.
///  - A duplicate key stays in the JSON; the reader of the JSON rejects it.
/// `name`, if not empty, begins the path of an error. The path ends in a line and a column, or in a byte
/// offset for an encoding error.
/// Errors: yaml-malformed (syntax, encoding, an unknown anchor, a tag that does not fit, nesting beyond
/// 1000); yaml-unsupported (content that JSON cannot express: infinity, !!binary, a null, list or mapping as
/// a key, a node inside itself; also << twice in a mapping); input-too-large (copies beyond 64 MiB).
/// Complexity: linear in the size of the text and the copies; for flow style, multiplied by its depth.
/// Memory: the JSON of one document, in addition to the result.
Result<std::vector<std::string>> yaml_to_json(std::string_view yaml, const std::string& name);

/// True if every reader of YAML 1.1 takes a plain scalar with this text for a string. This includes readers
/// that know dates (2026-11-21), base 60 (1:30), merge keys (<<) and default values (=).
bool is_plain_string(std::string_view text);

}  // namespace touchstone::kubernetes
