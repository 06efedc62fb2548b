#pragma once

#include <functional>
#include <string>
#include <vector>

#include "proofs/engine/proof.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/releases/release.hpp"
#include "spec/vocabulary/trace.hpp"

/// Families of small clusters of which every decision is known: the paths that the reference can take in
/// them. Built twice, over int64_t and over terms.
namespace touchstone::proofs {

/// Small clusters of one shape with any numbers that the objects of Kubernetes may have.
struct Scene {
  std::string name;       ///< "a-node"
  std::string statement;  ///< what there is
  std::function<Question(proving::Proof&)> question;
};

/// In the order in which they are told.
const std::vector<Scene>& scenes();

/// The release that they are decided by.
Release release_of_scenes();

/// The clause that a decision rests on: the criterion that the choice comes down to, or that of the outcome.
std::string deciding_clause(const Trace& trace);

/// Of each scene: its question, decided with a full trace, and observed whole: the outcome, every candidate,
/// the tie and the clauses, so that all numbers of one path show the same.
std::vector<proving::Body> bodies_of_scenes();

}  // namespace touchstone::proofs
