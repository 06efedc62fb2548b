#pragma once

#include "fuzz/campaign/laws.hpp"

/// Laws of extenders that judge one engine without another one. Each compares the placement of a question
/// with that of the question with one more extender, or with its extenders in another order. It holds
/// vacuously if an extender of the question names a node that does not exist.
namespace touchstone::fuzz {

/// EXT-INTEREST-1, EXT-PREEMPT-1: from v1.12 an extender that fails at each verb changes nothing if it
/// manages a resource that the pod does not name.
bool heeds_uninterested_extender(const oracle::Decider& decider, const Question& question,
                                 const Release& release);

/// EXT-ERROR-1: from v1.11 an ignorable extender that fails at each verb changes nothing.
bool heeds_ignorable_failure(const oracle::Decider& decider, const Question& question,
                             const Release& release);

/// EXT-FILTER-1: an extender that lets every node pass changes no feasible node, no status, no total and no
/// victim.
bool heeds_passing_extender(const oracle::Decider& decider, const Question& question, const Release& release);

/// EXT-FILTER-1: the order of extenders changes no feasible node. Requires for it: no filter fails, and no
/// node is nominated.
bool feasible_nodes_depend_on_order(const oracle::Decider& decider, const Question& question,
                                    const Release& release);

/// EXT-FILTER-2: a node that an extender rejects is not feasible, and no other node becomes feasible.
/// Requires for it: no node is nominated.
bool keeps_rejected_node(const oracle::Decider& decider, const Question& question, const Release& release);

/// EXT-SCORE-1: an extender that gives each node the highest score adds its weight times the highest score of
/// the release to each total.
bool adds_another_score(const oracle::Decider& decider, const Question& question, const Release& release);

/// EXT-PREEMPT-2: from v1.24 an extender that keeps each candidate as it is changes nothing. Requires for it:
/// each candidate has victims (EXT-PREEMPT-3).
bool heeds_keeping_extender(const oracle::Decider& decider, const Question& question, const Release& release);

/// All of these laws that an engine breaks.
std::vector<BrokenLaw> broken_by_extenders(const oracle::Decider& decider, const Question& question,
                                           const Release& release);

}  // namespace touchstone::fuzz
