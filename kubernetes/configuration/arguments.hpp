#pragma once

#include <string_view>

#include "kubernetes/text/json.hpp"
#include "spec/releases/release.hpp"

namespace touchstone::kubernetes {

/// Sets what the arguments in `pluginConfig` of a profile change, and checks them as the release does.
/// `api_version`: that of the configuration.
/// Errors: throws InvalidInput (refused-configuration and the errors of readers).
/// Clauses: CYC-PROFILE-2, CYC-PROFILE-3, SCORE-STRATEGY-1, SCORE-AFFINITY-1, SCORE-SPREAD-2,
/// SCORE-NODEAFFINITY-3, SCORE-CAPACITY-1.
void apply_arguments(const Value& profile, std::string_view api_version, Release& release);

}  // namespace touchstone::kubernetes
