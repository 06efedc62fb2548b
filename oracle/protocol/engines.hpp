#pragma once

#include <vector>

#include "optimized/search/decide.hpp"
#include "oracle/compare/comparison.hpp"
#include "oracle/protocol/decider.hpp"
#include "oracle/protocol/engine.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/trace.hpp"

/// The two engines of this project, held against each other: the reference gives a Decision, the optimized
/// one an Answer, which has no statuses, no candidate that loses, and no message.
namespace touchstone::oracle {

/// What an engine answers.
struct Decided {
  Decision decision;
  /// False: of the optimized engine. The candidates are those of the last tie alone; there are no statuses
  /// and no message.
  bool is_whole = true;
  std::vector<Difference> differences = {};  ///< with `both`; see differences_of()
};

/// List orders as given, the first of the last tie. `decider` stands for the reference; the trace is its own.
Decided decide(const Question& question, const Release& release, Engine engine, const Decider& decider,
               Trace& trace);

/// What the reference decides: list orders as given, the first of the last tie.
Decision reference_decision(const Question& question, const Release& release);

/// What the optimized engine answers on a snapshot built for the question.
optimized::Answer optimized_answer(const Question& question, const Release& release,
                                   optimized::Workers& workers);
/// The same on a snapshot of the question's cluster.
optimized::Answer optimized_answer(const optimized::Snapshot& snapshot, const Question& question,
                                   optimized::Workers& workers);

/// Whether the two agree in every part that an Answer has; one skips where the other does. Complexity: linear
/// in the answer, without allocations where victims are few.
bool agree(const optimized::Answer& answer, const Decision& decision);

/// The parts in which they do not; `given` is the optimized engine's. Ensures: empty where agree().
std::vector<Difference> differences_of(const optimized::Answer& answer, const Decision& decision,
                                       const Cluster& cluster);

}  // namespace touchstone::oracle
