#pragma once

#include <string>

#include "oracle/compare/asked.hpp"
#include "oracle/compare/comparison.hpp"

/// Finds the clause by which a placement differs.
namespace touchstone::oracle {

/// The clause for the first difference of two answers to `schedule`. `release` has the configuration of the
/// question. Requires: the reference schedules the pod, or the given answer does.
std::string clause_of_placement(const Asked& asked, const Release& release, const Json& given,
                                const Difference& first);

/// The scorer in the key of a difference, such as "scores.n1.NodeResourcesFit". Empty: the key has none.
std::string scorer_in(const Difference& difference);

}  // namespace touchstone::oracle
