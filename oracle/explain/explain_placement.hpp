#pragma once

#include <vector>

#include "oracle/explain/explanation.hpp"
#include "spec/vocabulary/placement.hpp"

namespace touchstone::oracle {

/// Explains on which node a pod is scheduled: which scorers decide and by how much, how the scores come
/// about, and which changes would move the pod to another node. If the release does not score, explains why.
/// Shows the nodes that may be the host and the best of the others; with scope.node that node and the host;
/// with scope.all every feasible node. Requires: the placement has a host; it and `trace` are of this
/// question and this release.
std::vector<Section> explain_placement(const Question& question, const Release& release,
                                       const Placement& placement, const Trace& trace, const Scope& scope);

}  // namespace touchstone::oracle
