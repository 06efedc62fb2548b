#pragma once

#include <string_view>

#include "kubernetes/text/json.hpp"
#include "spec/releases/release.hpp"

namespace touchstone::kubernetes {

/// The fields of pods and of the workloads that make pods: a line `Type: field field=Type field@minor`, and
/// its continuation after blanks. `=Type` is the type of the field, or of its elements, if it has fields;
/// `@minor` the release from which on the type has the field, if not from v1.8 or from when the type came.
extern const std::string_view k_known_fields;

/// Refuses what strict decoding of an API server refuses, as kubectl asks for it: a field that its type does
/// not have in this release, or has twice. `type` is a type of k_known_fields.
/// Errors: throws InvalidInput (unknown-field, duplicate-key).
void refuse_unknown_fields(const Value& object, std::string_view type, const Version& release);

}  // namespace touchstone::kubernetes
