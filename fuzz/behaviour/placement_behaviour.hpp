#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "spec/releases/release.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/placement.hpp"

/// Classifies placements by behaviour: what a whole cycle shows, beside the decision of preemption.
namespace touchstone::fuzz {

/// The classes that a placement shows, by name. There are four for each scorer, such as "NodeAffinity ran",
/// "NodeAffinity skipped", "NodeAffinity tells nodes apart" and "NodeAffinity decides"; and others for the
/// search, the host and the branches of scorers. Scorers have the names of v1.37. Empty if the pod is not
/// scheduled. Requires: the placement is the reference's for that question and release. Ensures:
/// deterministic. Total: any question. Complexity: linear in nodes, pods and scores; quadratic in scorers.
std::set<std::string> classes_of_placement(const Question& question, const Release& release,
                                           const Placement& placement);

/// Identifies the behaviour of a whole cycle. `of_decision`: the signature of behaviour_of(); `classes`:
/// those of the placement.
std::uint64_t signature_of_cycle(std::uint64_t of_decision, const std::set<std::string>& classes);

}  // namespace touchstone::fuzz
