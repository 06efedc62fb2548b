#pragma once

#include <vector>

#include "oracle/protocol/protocol.hpp"
#include "spec/vocabulary/properties.hpp"

/// Laws by which one engine is judged without another: of one decision, and of decisions about two questions
/// that must be alike.
namespace touchstone::fuzz {

/// The decision of an engine: list orders as given, the first of the last tie.
Decision decide(const oracle::Decider& decider, const Question& question, const Release& release);

/// The laws of spec/vocabulary/properties.hpp, with the engine's own filters.
std::vector<BrokenLaw> broken_by_decision(const oracle::Decider& decider, const Question& question,
                                          const Release& release, const Decision& decision);

/// PRE-NODE-6: a decision changes only names when objects are renamed.
bool depends_on_names(const oracle::Decider& decider, const Question& question, const Release& release);

/// PRE-POTENTIAL-1: a node that cannot be a candidate changes nothing. Requires: no offset.
bool depends_on_cordoned_node(const oracle::Decider& decider, const Question& question,
                              const Release& release);

/// PRE-ANYORDER-1: what is admissible in the given order is so in some. Requires: no offset.
bool misses_admissible(const oracle::Decider& decider, const Question& question, const Release& release);

/// All of these laws that an engine breaks. Requires: no offset.
std::vector<BrokenLaw> broken_by(const oracle::Decider& decider, const Question& question,
                                 const Release& release);

}  // namespace touchstone::fuzz
