#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "kubernetes/text/json.hpp"

/// How members of a line are read.
namespace touchstone::oracle {

/// The place of a member's text in a list of names. Errors: throws kubernetes::InvalidInput (unknown-value).
template <std::size_t N>
std::size_t choice_of(const kubernetes::Value& member, const std::array<std::string_view, N>& names) {
  const auto found = std::find(names.begin(), names.end(), member.string());
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  std::string expected;
  for (const std::string_view name : names)
    expected += (expected.empty() ? "\"" : ", \"") + std::string(name) + "\"";
  member.fail("unknown-value",
              "expected one of " + expected + ", found \"" + std::string(member.string()) + "\"");
}

inline void throw_if(const std::optional<Error>& error) {
  if (error) throw kubernetes::InvalidInput(*error);
}

}  // namespace touchstone::oracle
