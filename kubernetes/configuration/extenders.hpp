#pragma once

#include <vector>

#include "kubernetes/text/json.hpp"
#include "spec/vocabulary/extenders.hpp"

namespace touchstone::kubernetes {

/// Checks the member `extenders` of an object as the release does. Errors: throws InvalidInput
/// (refused-configuration and the errors of read_extender). Clauses: EXT-REFUSED-1.
void check_extenders(const Value& object);

/// Reads the member `extenders` of a KubeSchedulerConfiguration or of a Policy. Errors: those of
/// check_extenders.
std::vector<Extender> configured_extenders(const Value& config);

}  // namespace touchstone::kubernetes
