#pragma once

#include <string>

#include "kubernetes/configuration/configuration.hpp"
#include "spec/releases/release.hpp"

/// Releases as Policy files change them.
namespace touchstone::tests {

/// The members of a Policy as JSON text.
inline std::string policy_text(const std::string& members) {
  return R"({"kind":"Policy","apiVersion":"v1")" + (members.empty() ? "" : "," + members) + "}";
}

/// The release with a Policy. Requires: the release takes it.
inline Release with_policy(const char* name, const std::string& members) {
  return kubernetes::configured_by_text(policy_text(members), "", find_release(name).value().release, "")
      .value();
}

}  // namespace touchstone::tests
