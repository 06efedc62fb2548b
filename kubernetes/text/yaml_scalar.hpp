#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// The meaning of plain YAML scalars in kubectl. Its library is sigs.k8s.io/yaml v1.4.0
/// (goyaml.v2/resolve.go), which reads YAML 1.1: yes is true, and 010 is 8.
namespace touchstone::kubernetes {

/// The type of a scalar. `decimal`: a finite number that is not an integer of 64 bits. `not_finite`: infinity
/// or NaN.
enum class ScalarKind : std::uint8_t { null, boolean, integer, decimal, not_finite, string };

struct Scalar {
  ScalarKind kind;
  /// The scalar as JSON. Empty for a string (its JSON is made from its text), and for a number that is not
  /// finite.
  std::string json;
};

/// Determines kind and JSON of a plain scalar without a tag. A decimal number keeps its digits; a number in
/// another base becomes decimal. An integer outside of 64 bits has the kind `decimal`. As in kubectl, 1e999
/// and 0xfffffffffffffffff are strings.
Scalar resolve(std::string_view text);

/// Converts a number that is used as a key to the string that kubectl makes of it: 16 for 0x10, 1.1 for 1.10.
/// Requires: `json` is the JSON of a number.
std::string key_of_number(std::string_view json);

/// True if the text has the form of a date, or of a date and a time.
bool is_timestamp(std::string_view text);

/// True if the text has the form of a number in base 60, such as 1:30.
bool is_base_60(std::string_view text);

}  // namespace touchstone::kubernetes
