#pragma once

#include <vector>

#include "spec/vocabulary/placement.hpp"
#include "spec/vocabulary/properties.hpp"

/// Laws of a placement: predicates over a question and its placement. They hold for every release,
/// configuration and implementation, and use no code of an implementation.
namespace touchstone {

/// Checks a placement against every law. Ensures: empty if the placement breaks no law, or if it is skipped.
std::vector<BrokenLaw> broken_laws(const Question& question, const Release& release,
                                   const Placement& placement);

}  // namespace touchstone
