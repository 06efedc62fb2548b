#pragma once

#include "kubernetes/text/json.hpp"
#include "spec/releases/release.hpp"

namespace touchstone::kubernetes {

/// The release as a Policy changes it: predicates, priorities, extenders, and two numbers. Requires:
/// `release` has its default configuration, and is one of v1.8 to v1.16. Errors: throws InvalidInput
/// (refused-configuration); not-supported, for predicates that are not modelled. Clauses: POL-SET-1 to
/// POL-SET-3, POL-ALL-1, POL-REFUSED-1.
Release with_policy(const Value& policy, const Release& release);

/// Whether a release reads Policy files. Later ones, up to v1.22, are not modelled.
bool reads_policy(const Release& release);

}  // namespace touchstone::kubernetes
