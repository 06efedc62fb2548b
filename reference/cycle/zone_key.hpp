#pragma once

#include <string>

#include "spec/releases/release.hpp"
#include "spec/vocabulary/cluster.hpp"

namespace touchstone::reference {

/// The region and the zone of a node, as the scheduler groups nodes by them. Empty: the node has neither.
/// Clauses: CYC-ORDER-1.
std::string zone_key(const Node& node, const Release& release);

}  // namespace touchstone::reference
