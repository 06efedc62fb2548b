#pragma once

#include <vector>

#include "oracle/protocol/protocol.hpp"
#include "spec/vocabulary/properties.hpp"

/// Laws that judge one engine without another engine. Some laws are about one decision. Others are about the
/// decisions on two related questions, which must agree.
namespace touchstone::fuzz {

/// Decides a question. Lists keep their given order, and the first node of the last tie is chosen.
Decision decide(const oracle::Decider& decider, const Question& question, const Release& release);

/// Runs a whole cycle. The first of the best nodes is the host.
Placement schedule(const oracle::Decider& decider, const Question& question, const Release& release);

/// The laws of spec/vocabulary/properties.hpp that a decision breaks, checked with the engine's own filters.
std::vector<BrokenLaw> broken_by_decision(const oracle::Decider& decider, const Question& question,
                                          const Release& release, const Decision& decision);

/// True if the engine breaks PRE-NODE-6: renaming objects must change only names in a decision.
bool depends_on_names(const oracle::Decider& decider, const Question& question, const Release& release);

/// True if the engine breaks PRE-POTENTIAL-1: adding a node that cannot be a candidate must change nothing.
/// Requires: no offset.
bool depends_on_cordoned_node(const oracle::Decider& decider, const Question& question,
                              const Release& release);

/// True if the engine breaks PRE-ANYORDER-1: an answer that is admissible in the given list order must be an
/// answer of AnyOrder. Requires: no offset.
bool misses_admissible(const oracle::Decider& decider, const Question& question, const Release& release);

/// All of the laws above that an engine breaks on a question. Requires: no offset.
std::vector<BrokenLaw> broken_by(const oracle::Decider& decider, const Question& question,
                                 const Release& release);

}  // namespace touchstone::fuzz
