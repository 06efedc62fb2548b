#pragma once

#include <optional>
#include <string>

#include "kubernetes/text/json.hpp"
#include "spec/releases/release.hpp"

namespace touchstone::kubernetes {

/// Whether a release reads only the first versions of the configuration: v1alpha1, and in v1.18 v1alpha2.
bool reads_early_configuration(const Release& release);

/// The release as a configuration v1alpha1 or v1alpha2 changes it, for pods that name this scheduler; nothing
/// if the configuration is of another scheduler. The decoding of v1alpha1 ignores unknown fields.
/// Requires: reads_early_configuration().
/// Errors: throws InvalidInput: refused-configuration, for another version, an unknown algorithm provider,
/// and values out of range; not-supported, for plug-ins and extenders. Clauses: CYC-PROFILE-4.
std::optional<Release> early_configured(const Value& config, const Release& release,
                                        const std::string& scheduler_name);

}  // namespace touchstone::kubernetes
