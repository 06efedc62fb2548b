#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/vocabulary/decision.hpp"
#include "spec/vocabulary/quantity.hpp"

namespace touchstone {

/// The parts of a decision, in the order in which it goes through them.
enum class Stage {
  attempt,      ///< the filters on each node as it is
  eligibility,  ///< whether the pod may preempt
  potential,    ///< where evictions might help
  search,       ///< which potential nodes are visited
  room,         ///< a node with all potential victims taken away
  budget,       ///< a potential victim held against one PDB
  reprieve,     ///< a potential victim put back
  candidate,    ///< what a node's dry run comes to
  choice,       ///< a candidate against the best one
  outcome,
};

/// One thing that the reference found out, the clause that says so, and the values it looked at.
struct Step {
  Stage stage;
  std::string_view clause;  ///< an id of spec/clauses
  bool passed;              ///< the node, the pod or the budget came through, or the decision went on
  std::string what;         ///< a few words; with Stage::budget the PDB
  std::optional<NodeIndex> node = {};
  std::optional<PodIndex> pod = {};
  Values values = {};
  std::vector<Finding> findings = {};  ///< of the filter that rejected
};

/// The reasons of a decision in the order in which they were found. A disabled trace records nothing.
class Trace {
 public:
  static Trace none() { return Trace(false); }
  static Trace full() { return Trace(true); }

  void add(Step step) {
    if (enabled_) steps_.push_back(std::move(step));
  }
  bool enabled() const { return enabled_; }
  const std::vector<Step>& steps() const { return steps_; }

 private:
  explicit Trace(bool enabled) : enabled_(enabled) {}
  bool enabled_;
  std::vector<Step> steps_;
};

}  // namespace touchstone
