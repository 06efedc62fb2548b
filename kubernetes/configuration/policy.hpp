#pragma once

#include "kubernetes/text/json.hpp"
#include "spec/releases/release.hpp"

namespace touchstone::kubernetes {

/// The last minor version whose releases read Policy files.
inline constexpr int k_last_with_policy = 22;

/// The release as a Policy changes it: predicates, priorities, extenders, and two numbers. Requires:
/// `release` reads Policy files (v1.8 to v1.22). Errors: throws InvalidInput (refused-configuration);
/// not-supported, for what is not modelled. Clauses: POL-SET-1 to POL-SET-3, POL-PLUGIN-1, POL-PLUGIN-2,
/// POL-PREEMPT-1, POL-ALL-1, POL-REFUSED-1, POL-REFUSED-2.
Release with_policy(const Value& policy, const Release& release);

}  // namespace touchstone::kubernetes
