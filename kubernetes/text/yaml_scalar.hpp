#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// What plain YAML scalars mean to kubectl, whose library is sigs.k8s.io/yaml v1.4.0 (goyaml.v2/resolve.go):
/// YAML 1.1, where yes is true and 010 is 8.
namespace touchstone::kubernetes {

enum class ScalarKind : std::uint8_t { null, boolean, integer, decimal, not_finite, string };

struct Scalar {
  ScalarKind kind;
  /// The scalar as JSON; empty for a string, which is its own text, and for what is not finite.
  std::string json;
};

/// What an untagged plain scalar is. Decimal numbers keep their digits, others become decimal; an integer
/// outside of 64 bits is a decimal. As in kubectl, 1e999 and 0xfffffffffffffffff are strings.
Scalar resolve(std::string_view text);

/// A number that is a key, as the string that kubectl makes of it: 16 of 0x10, 1.1 of 1.10.
/// Requires: json is a number.
std::string key_of_number(std::string_view json);

/// True for the shape of a date, or of a date and a time.
bool is_timestamp(std::string_view text);

/// True for the shape of a number in base 60, such as 1:30.
bool is_base_60(std::string_view text);

}  // namespace touchstone::kubernetes
