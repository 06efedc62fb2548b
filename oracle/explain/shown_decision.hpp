#pragma once

#include "oracle/protocol/engine.hpp"
#include "oracle/explain/explanation.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/decision.hpp"
#include "spec/releases/release.hpp"
#include "spec/vocabulary/trace.hpp"

namespace touchstone::oracle {

/// A decision, and in `trace` the steps that explain() shows of it. With Engine::optimized that engine finds
/// the candidates, and the reference searches for victims only on the nodes that are shown one by one: those
/// best candidates that explain() shows, or the node of the scope. All else is the reference's: what it finds
/// on each node as it is, why a node is no candidate, and the choice. Where no node is nominated, where `all`
/// of the scope is set, and for a search that samples, the reference does everything. Ensures: the decision
/// and what explain() makes of it do not depend on the engine. Requires: reference or optimized.
Decision shown_decision(const Question& question, const Release& release, const Scope& scope, Engine engine,
                        Trace& trace);

}  // namespace touchstone::oracle
