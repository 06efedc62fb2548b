#pragma once

#include "oracle/explain/explanation.hpp"
#include "oracle/protocol/engine.hpp"
#include "spec/releases/release.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/decision.hpp"
#include "spec/vocabulary/trace.hpp"

namespace touchstone::oracle {

/// Returns a decision, and records in `trace` the steps that explain() shows. With Engine::optimized, the
/// optimized engine finds the candidates. The reference then searches for victims only on the nodes that
/// explain() shows one by one: the best candidates, or the node of the scope. The reference also does
/// everything else: the filters on each node, why a node is not a candidate, and the choice. The reference
/// does all of the work if no node is nominated, if `scope.all` is set, or if the search samples. Ensures:
/// the decision and its explanation do not depend on the engine. Requires: the engine is reference or
/// optimized.
Decision shown_decision(const Question& question, const Release& release, const Scope& scope, Engine engine,
                        Trace& trace);

}  // namespace touchstone::oracle
