#pragma once

#include "spec/vocabulary/cluster.hpp"

namespace touchstone::reference {

/// Whether labels match a selector. An invalid selector matches nothing. Clauses: PRE-PDB-2,
/// PRE-NODEAFFINITY-3.
bool matches(const LabelSelector& selector, const Labels& labels);

/// Whether a selector is valid. It is invalid if it has an unknown operator, Gt or Lt, a wrong number of
/// values, or a key or a value that no label can have.
bool is_valid(const LabelSelector& selector);

/// Whether a selector requires nothing.
bool is_empty(const LabelSelector& selector);

/// Whether labels match all requirements. If any requirement is invalid, they do not match. Gt and Lt are
/// valid here, with exactly one integer. Clauses: PRE-NODEAFFINITY-3.
bool matches(const std::vector<Requirement>& requirements, const Labels& labels);

}  // namespace touchstone::reference
