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

/// Whether a requirement of matchFields is valid: In or NotIn, with exactly one value. Clauses:
/// PRE-NODEAFFINITY-4.
bool is_valid_field(const Requirement& requirement);

/// Whether the field that a requirement of matchFields names satisfies it. `node_name` is the value of
/// metadata.name; other fields have no value. An invalid requirement is not satisfied. Clauses:
/// PRE-NODEAFFINITY-4.
bool field_holds(const Requirement& requirement, const std::string& node_name);

}  // namespace touchstone::reference
