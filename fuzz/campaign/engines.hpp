#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "fuzz/campaign/difference.hpp"
#include "fuzz/campaign/tally.hpp"
#include "fuzz/generate/changing.hpp"
#include "fuzz/generate/scenario.hpp"
#include "optimized/search/schedule.hpp"

/// Runs cases on both engines in this process. Questions and answers are not serialized, so that a campaign
/// can run many cases.
namespace touchstone::fuzz {

/// Converts the snapshot's numbers in a placement to indices of the lists.
optimized::Placed in_list_order(const MutableCluster& asked, const optimized::Placed& placed);

/// True if the fast engine and the reference find the same candidate on each node of the last tie.
/// `numbered`: the fast engine's answer in the snapshot's numbers. Requires: the answers agree. Complexity:
/// one dry run for each node of the tie.
bool agree_on_ties(const MutableCluster& asked, const optimized::Answer& numbered, const Decision& decision);

/// The engine that is compared with the reference. It decides on the snapshot of the question's cluster.
using FastEngine = std::function<optimized::Answer(const optimized::Snapshot&, const Question&)>;

/// The same for a whole scheduling cycle. The memo is of this snapshot.
using FastCycle =
    std::function<optimized::Placed(const optimized::Snapshot&, const Question&, optimized::Memo&)>;
/// The optimized engine, on the calling thread.
optimized::Placed optimized_cycle(const optimized::Snapshot& snapshot, const Question& question,
                                  optimized::Memo& memo);

/// Cases for each scenario: the generated scenario, then the scenario after each of several changes.
inline constexpr std::uint64_t k_cases_of_a_scenario = 8;

/// One block in this many determines the behaviour of its first case.
inline constexpr std::uint64_t k_blocks_a_behaviour = 16;

/// What preemption decides, if the whole cycle is known. They differ only where the scores or the search end
/// the cycle: after a start index, and on the node to which the pod is nominated (CYC-NOMINATED-1).
Decision decision_of(const Placement& placement, const Question& question, const Release& release);

/// A case on which the engines differ.
struct EnginesDiffer {
  Question question;
  std::uint64_t number;         ///< of the case
  bool in_cycle_alone = false;  ///< the decisions are equal, and the placements differ
};

/// A case on which the engines differ, asked again as JSON, like a question to a subject.
struct Repeated {
  SentQuestion sent;
  Exchange exchange;
  oracle::BrokenRule broken;
};
Repeated repeat(Participants& sides, const EnginesDiffer& differ);

/// The result of one block of cases.
struct EnginesBlock {
  Tally tally;  ///< of all cases; differences are counted, but not followed up
  std::vector<EnginesDiffer> differ;
};

/// Runs both engines on the cases of a block, for the release of the scenarios: `engine` decides, `cycle`
/// runs the whole scheduling cycle of the same question. Of each k_cases_of_a_scenario cases, the first is
/// numbered_scenario() of its number. One block in k_blocks_a_behaviour also determines the behaviour of its
/// first case, which takes longer than deciding it.
EnginesBlock ask_engines(const Scenarios& scenarios, std::uint64_t seed, std::uint64_t block,
                         const FastEngine& engine, const FastCycle& cycle = optimized_cycle);

/// The same for one scenario of a block: k_cases_of_a_scenario cases from `number` on, which is a multiple of
/// that. It determines no behaviour.
EnginesBlock ask_engines_scenario(const Scenarios& scenarios, std::uint64_t seed, std::uint64_t number,
                                  const FastEngine& engine);

}  // namespace touchstone::fuzz
