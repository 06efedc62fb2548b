#pragma once

#include <functional>
#include <string>
#include <vector>

#include "proofs/engine/proof.hpp"
#include "spec/releases/release.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/trace.hpp"

/// Families of small clusters (scenes) for which every decision is known: an exploration finds all paths that
/// the reference can take in them. Built twice, over int64_t and over symbolic integers.
namespace touchstone::proofs {

/// Small clusters of one shape. Their numbers are any that Kubernetes objects may have, within the limits of
/// scenes.cpp.
struct Scene {
  std::string name;       ///< "a-node"
  std::string statement;  ///< what the clusters contain
  std::function<Question(proving::Proof&)> question;
};

/// All scenes, in the order in which they are printed.
const std::vector<Scene>& scenes();

/// The release that decides the scenes.
Release release_of_scenes();

/// The clause that decides: the criterion that ends the choice, or else the clause of the outcome.
std::string deciding_clause(const Trace& trace);

/// The body of each scene. It decides the question with a full trace and observes the whole decision: the
/// outcome, every candidate, the tie and the clauses. So all numbers of one path show the same decision.
std::vector<proving::Body> bodies_of_scenes();

}  // namespace touchstone::proofs
