#pragma once

#include <string>

#include "fuzz/campaign/difference.hpp"

/// Which side of a difference is wrong.
namespace touchstone::fuzz {

/// A clause with its title: "PRE-VICTIM-5, unstarted pods". Only the id if the clause has no title.
std::string titled(const std::string& clause);

/// What the two sides do where their answers first differ: "it evicts default/a from n1, and v1.34.4 evicts
/// default/b from n1".
std::string parting(const Participants& sides, const Difference& difference);

/// One sentence that says which side is wrong, why, and by which rule. If neither side is the reference, the
/// answer of each is checked against the reference for its own release.
std::string sentence_of(const Participants& sides, const Difference& difference);

}  // namespace touchstone::fuzz
