#pragma once

#include "fuzz/behaviour/behaviour.hpp"
#include "fuzz/generate/facts.hpp"

/// The parts of behaviour_of(); for fuzz/behaviour/behaviour*.cpp only.
namespace touchstone::fuzz {

/// What is looked at, and what it was found to show.
struct Sight {
  const Question& question;
  const Release& release;
  const Decision& decision;
  const Trace& trace;
  std::bitset<k_classes> classes = {};

  const Pod& pod(PodIndex index) const { return question.cluster.pods[index]; }
  void note(Class which, bool seen = true) {
    if (seen) classes.set(static_cast<std::size_t>(which));
  }
};

/// What the steps of the trace tell. Returns the clauses that they cite, sorted, each once.
std::vector<std::string_view> see_steps(Sight& sight);

/// What the cluster and the preemptor are made of. Requires: the filters ran.
void see_objects(Sight& sight);

/// What the preemptor and a pod on a node request.
void see_requests(Sight& sight, const Pod& pod, bool on_node);

}  // namespace touchstone::fuzz
