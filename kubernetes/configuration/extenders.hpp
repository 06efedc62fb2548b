#pragma once

#include <vector>

#include "kubernetes/text/json.hpp"
#include "spec/vocabulary/extenders.hpp"

namespace touchstone::kubernetes {

/// Reads the member `extenders` of a KubeSchedulerConfiguration or of a Policy, and checks it as the release
/// does. Errors: throws InvalidInput (refused-configuration and the errors of read_extender). Clauses:
/// EXT-REFUSED-1.
std::vector<Extender> configured_extenders(const Value& config);

}  // namespace touchstone::kubernetes
