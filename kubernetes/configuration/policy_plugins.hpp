#pragma once

#include "kubernetes/text/json.hpp"
#include "spec/releases/release.hpp"

namespace touchstone::kubernetes {

/// The release with the plug-ins that the predicates and priorities of a Policy become. `release`: with its
/// default configuration. `applied`: the same with what a Policy sets besides. Requires:
/// release.policy_runs_plugins. Errors: throws InvalidInput (refused-configuration); not-supported, for what
/// is not modelled. Clauses: POL-PLUGIN-1, POL-PLUGIN-2, POL-SET-1 to POL-SET-3, POL-PREEMPT-1,
/// POL-REFUSED-2.
Release with_plugins_of_policy(const Value& policy, const Release& release, Release applied);

}  // namespace touchstone::kubernetes
