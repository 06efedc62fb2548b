#pragma once

#include <string>

#include "fuzz/campaign/difference.hpp"

/// Which side of a difference is wrong.
namespace touchstone::fuzz {

/// A clause with its title: "PRE-VICTIM-5, unstarted pods".
std::string titled(const std::string& clause);

/// What the two sides do where they part: "it evicts default/a from n1, and v1.34.4 evicts default/b from
/// n1".
std::string parting(const Participants& sides, const Difference& difference);

/// Which side is wrong, why, and by which rule, in one sentence. Of two subjects each is compared with what
/// the reference says of its own release.
std::string sentence_of(const Participants& sides, const Difference& difference);

}  // namespace touchstone::fuzz
