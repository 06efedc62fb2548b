#pragma once

#include <vector>

#include "optimized/search/decide.hpp"
#include "oracle/compare/comparison.hpp"
#include "oracle/protocol/decider.hpp"
#include "oracle/protocol/engine.hpp"
#include "spec/vocabulary/cluster.hpp"
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

/// Runs the optimized engine on a snapshot that is built for this question.
optimized::Answer optimized_answer(const Question& question, const Release& release,
                                   optimized::Workers& workers);
/// The same, on an existing snapshot. Requires: the snapshot is of the question's cluster.
optimized::Answer optimized_answer(const optimized::Snapshot& snapshot, const Question& question,
                                   optimized::Workers& workers);

/// Whether the optimized engine leaves a question with a configuration to the reference.
bool is_left_to_reference(const optimized::Answer& answer);

/// Whether the engines agree in every part that an Answer has. If both skip, they agree, whatever their
/// reasons. Complexity: linear in the answer.
bool agree(const optimized::Answer& answer, const Decision& decision);

/// The parts in which the engines differ. `given` is the value of the optimized engine. Ensures: empty if
/// agree() is true.
std::vector<Difference> differences_of(const optimized::Answer& answer, const Decision& decision,
                                       const Cluster& cluster);

}  // namespace touchstone::oracle
