#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "oracle/compare/trace_index.hpp"
#include "spec/releases/release.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/decision.hpp"

namespace touchstone::oracle {

/// A change that leads to another outcome, as a sentence.
struct WhatIf {
  std::string text;
  std::string_view clause;
};

/// Finds the smallest changes of the pod or of a node that lead to another outcome: a request that is
/// slightly too large, a priority that is too low, a taint that is not tolerated. Also names the next
/// candidate. Ensures: an engine computed each outcome that is reported. Complexity: at most two dozen
/// further decisions; most of them are about one node of the whole cluster.
std::vector<WhatIf> nearest_changes(const Question& question, const Release& release,
                                    const Decision& decision, const TraceIndex& steps);

}  // namespace touchstone::oracle
