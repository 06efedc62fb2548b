#pragma once

#include "optimized/search/schedule.hpp"
#include "oracle/protocol/answers.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/placement.hpp"

/// Questions to the optimized engine about a snapshot that outlives them, and its answers in the vocabulary
/// of the reference.
namespace touchstone::oracle {

/// The options of a question. Requires: the question outlives them.
optimized::Options options_of(const Question& question);

/// Converts an answer. Fills only those parts of the Decision that it has. Requires: the answer is for this
/// pod, on this snapshot.
Decision decision_of(optimized::Answer answer, const optimized::Snapshot& snapshot, const Pod& pod);
/// The same for a whole cycle.
Placement placement_of(optimized::Placed placed, const optimized::Snapshot& snapshot, const Pod& pod);

/// The JSON answer for a placement of the optimized engine, without `seq`, `candidates`, `filter` and
/// `dryRun`.
Json placement_answer_in_part(const Cluster& cluster, const Placement& placement);

}  // namespace touchstone::oracle
