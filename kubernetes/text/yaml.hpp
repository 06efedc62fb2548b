#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spec/vocabulary/result.hpp"

/// YAML becomes JSON text, so that one reader (kubernetes/text/json.hpp) reads both.
namespace touchstone::kubernetes {

/// The documents of a YAML stream as JSON texts, empty documents left out. Scalars mean what they mean to
/// kubectl, see yaml_scalar.hpp; aliases become copies, merge keys (<<) become members behind the own ones,
/// which win. A duplicate key stays, for the reader of the JSON to refuse. `name`, if not empty, heads the
/// path of an error, which ends in a line and a column.
/// Errors: yaml-malformed (syntax, encoding, an unknown anchor, a tag that does not fit, nesting beyond
/// 1000); yaml-unsupported (what JSON cannot hold: infinity, !!binary, a null, list or mapping as a key, a
/// node inside itself; and << twice in a mapping); input-too-large (copies beyond 64 MiB).
/// Complexity: linear in the text and the copies, for flow style times its depth; memory for one document's
/// JSON besides what is returned.
Result<std::vector<std::string>> yaml_to_json(std::string_view yaml, const std::string& name);

/// Whether a plain YAML scalar of this text is a string to every reader of YAML 1.1: this one, and those that
/// know dates (2026-11-21), base 60 (1:30), merge keys (<<) and default values (=).
bool is_plain_string(std::string_view text);

}  // namespace touchstone::kubernetes
