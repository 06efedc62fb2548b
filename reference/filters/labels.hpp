#pragma once

#include "spec/vocabulary/cluster.hpp"

namespace touchstone::reference {

/// Whether an object's labels satisfy a selector. A selector that cannot be converted (unknown operator,
/// wrong number of values, a value that Gt or Lt cannot read, a key or value that is no label) matches
/// nothing. Clauses: PRE-PDB-2, PRE-NODEAFFINITY-3.
bool matches(const LabelSelector& selector, const Labels& labels);

/// Whether a selector can be converted.
bool is_valid(const LabelSelector& selector);

/// Whether a selector requires nothing.
bool is_empty(const LabelSelector& selector);

/// Whether labels satisfy one term's expressions. Same rule for what cannot be converted. Clauses:
/// PRE-NODEAFFINITY-3.
bool matches(const std::vector<Requirement>& requirements, const Labels& labels);

}  // namespace touchstone::reference
