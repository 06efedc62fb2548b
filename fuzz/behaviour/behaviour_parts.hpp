#pragma once

#include "fuzz/behaviour/behaviour.hpp"
#include "fuzz/generate/facts.hpp"

/// The parts of behaviour_of(); for fuzz/behaviour/behaviour*.cpp only.
namespace touchstone::fuzz {

/// A decided case, and the classes that were found in it.
struct CaseView {
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

/// Notes what the steps of the trace show. Returns the clauses that they cite, sorted, each once.
std::vector<std::string_view> note_steps(CaseView& view);

/// Notes what the objects of the cluster and the preemptor show. Requires: the filters ran.
void note_objects(CaseView& view);

/// Notes what the requests of a pod show. `on_node`: the pod is on a node; else it is the preemptor.
void note_requests(CaseView& view, const Pod& pod, bool on_node);

}  // namespace touchstone::fuzz
