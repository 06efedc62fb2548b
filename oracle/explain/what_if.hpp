#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "oracle/compare/trace_index.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/decision.hpp"
#include "spec/releases/release.hpp"

namespace touchstone::oracle {

/// Something that would have led to another outcome.
struct WhatIf {
  std::string text;
  std::string_view clause;
};

/// The changes closest at hand, of the pod or of a node, that lead to another outcome: a request that is a
/// little too large, a priority too low, a taint not tolerated, and which candidate comes next.
/// Ensures: what is said of another outcome was asked of the reference.
/// Complexity: at most two dozen decisions more, most of them about one node of the whole cluster.
std::vector<WhatIf> nearest_changes(const Question& question, const Release& release, const Decision& decision,
                                 const TraceIndex& steps);

}  // namespace touchstone::oracle
