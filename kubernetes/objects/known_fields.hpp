#pragma once

#include <string_view>

#include "kubernetes/text/json.hpp"
#include "spec/releases/release.hpp"

namespace touchstone::kubernetes {

/// Table of the fields of pods and of the workloads that create pods. An entry is `Type: field field=Type
/// field@minor`, and may continue on further lines that begin with blanks. `=Type` is the type of the field,
/// or of its elements, if that type has fields. `@minor` is the first release whose type has the field.
/// Without it, the field exists since v1.8, or since its type exists.
extern const std::string_view k_known_fields;

/// Rejects what an API server rejects in strict decoding, which kubectl requests: a field that its type does
/// not have in this release, or a field that occurs twice. `type` is a type of k_known_fields, or of
/// k_configuration_fields.
/// Errors: throws InvalidInput (unknown-field, duplicate-key).
void refuse_unknown_fields(const Value& object, std::string_view type, const Version& release);

}  // namespace touchstone::kubernetes
