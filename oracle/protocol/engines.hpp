#pragma once

#include <vector>

#include "optimized/search/schedule.hpp"
#include "oracle/compare/comparison.hpp"
#include "oracle/protocol/decider.hpp"
#include "oracle/protocol/engine.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/placement.hpp"
#include "spec/vocabulary/trace.hpp"

/// Runs the two engines of this project and compares them. The reference gives a Decision. The optimized
/// engine gives an Answer: it has no statuses, no losing candidates and no message.
namespace touchstone::oracle {

/// The result of running one engine, or both.
struct Decided {
  Decision decision;
  /// False: the optimized engine decided. Then `candidates` has only the nodes left by the last tie-break,
  /// and there are no statuses and no message.
  bool is_whole = true;
  std::vector<Difference> differences = {};  ///< with Engine::both; see differences_of()
};

/// Runs an engine. The decision is canonical: lists in the given order, and the first node of the last tie.
/// `decider` runs in place of the reference, and only `decider` writes the trace.
Decided decide(const Question& question, const Release& release, Engine engine, const Decider& decider,
               Trace& trace);

/// The result of a whole scheduling cycle by one engine, or by both.
struct Scheduled {
  Placement placement;
  /// False: the optimized engine placed the pod. Then there are no statuses, and Decided::is_whole applies to
  /// the decision.
  bool is_whole = true;
  std::vector<Difference> differences = {};  ///< with Engine::both; see differences_of()
};

/// Runs a whole scheduling cycle with an engine. Ties are broken canonically. `decider` runs in place of the
/// reference, and only `decider` writes the trace.
Scheduled schedule(const Question& question, const Release& release, Engine engine, const Decider& decider,
                   Trace& trace);

/// Runs the optimized engine on a snapshot that is built for this question.
optimized::Answer optimized_answer(const Question& question, const Release& release,
                                   optimized::Workers& workers);
/// The same, on an existing snapshot. Requires: the snapshot is of the question's cluster.
optimized::Answer optimized_answer(const optimized::Snapshot& snapshot, const Question& question,
                                   optimized::Workers& workers);

/// Whether the optimized engine leaves a question with a configuration to the reference.
bool is_left_to_reference(const optimized::Answer& answer);

/// A whole scheduling cycle of the optimized engine. Requires: the snapshot is of the question's cluster.
optimized::Placed optimized_placed(const optimized::Snapshot& snapshot, const Question& question,
                                   optimized::Workers& workers);

/// Whether the engines agree in every part that an Answer has. If both skip, they agree, whatever their
/// reasons. Complexity: linear in the answer.
bool agree(const optimized::Answer& answer, const Decision& decision);

/// The parts in which the engines differ. `given` is the value of the optimized engine. Ensures: empty if
/// agree() is true.
std::vector<Difference> differences_of(const optimized::Answer& answer, const Decision& decision,
                                       const Cluster& cluster);

/// The same for placements: the nodes that the search found, every column of scores, the totals, the best
/// nodes and the host; or the preemption.
bool agree(const optimized::Placed& placed, const Placement& placement);
std::vector<Difference> differences_of(const optimized::Placed& placed, const Placement& placement,
                                       const Cluster& cluster);

/// The error that replaces an answer when the two engines differ. Requires: at least one difference.
Json engines_differ(const std::vector<Difference>& differences);

}  // namespace touchstone::oracle
