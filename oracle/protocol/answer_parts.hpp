#pragma once

#include <string>
#include <vector>

#include "oracle/protocol/protocol.hpp"

/// Reads parts of an answer from JSON of any shape.
namespace touchstone::oracle {

/// The texts of a list of names. Entries that are not texts are left out.
std::vector<std::string> names_in(const Json& list);

/// The victims of a candidate, or of a whole answer. Empty if there are none.
std::vector<std::string> victims_in(const Json& candidate);

/// The integer in a JSON value; -1 if the value is not an integer.
Quantity number_in(const Json& value);

/// The number of PDB violations of a candidate; -1 if it is not given.
Quantity violations_in(const Json& candidate);

/// The part of an answer that describes a node: its candidate, or the whole answer if it nominates this node.
/// Null if there is neither.
Json given_on(const Json& given, const std::string& node);

/// The candidate of a decision on this node; null if the node is not a candidate.
const Candidate* candidate_on(const Decision& decision, NodeIndex node);

}  // namespace touchstone::oracle
