#pragma once

#include "oracle/protocol/answers.hpp"
#include "oracle/protocol/decider.hpp"
#include "oracle/protocol/engine.hpp"
#include "spec/releases/release.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/placement.hpp"

/// Answers the command `schedule` of spec/protocol.md.
namespace touchstone::oracle {

/// The JSON answer for a placement, without `seq`. If no node fits, it is the answer for the decision.
Json placement_answer(const Cluster& cluster, const Placement& placement);

/// Runs a whole scheduling cycle. Returns the answer without `seq`. With Engine::optimized it has no
/// statuses. With Engine::both it is the answer of the reference, or an error that names the differences.
Json placement_answer(const Question& question, const NamedRelease& named, Engine engine,
                      const Decider& decider, bool with_trace = false);

}  // namespace touchstone::oracle
