#pragma once

#include <string>
#include <vector>

#include "oracle/protocol/protocol.hpp"

/// Parts of an answer that may hold anything.
namespace touchstone::oracle {

/// A list of names; what is no text is left out.
std::vector<std::string> names_in(const Json& list);

/// The victims of a candidate, or of a whole answer.
std::vector<std::string> victims_in(const Json& candidate);

/// A whole number; -1 where there is none.
Quantity number_in(const Json& value);

/// How many PDB violations a candidate has; -1 where that is not said.
Quantity violations_in(const Json& candidate);

/// The part of an answer that says what happens on a node; null: none does.
Json given_on(const Json& given, const std::string& node);

/// The candidate of a decision on a node; null: the node is none.
const Candidate* candidate_on(const Decision& decision, NodeIndex node);

}  // namespace touchstone::oracle
