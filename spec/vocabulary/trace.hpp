#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/vocabulary/decision.hpp"
#include "spec/vocabulary/quantity.hpp"

namespace touchstone {

/// The parts of a decision, in the order in which they run.
enum class Stage {
  attempt,          ///< the filters on each node, before any eviction
  score_part,       ///< a value that enters the score of a node; the next Stage::score of the node has it
  score,            ///< the score of a node by one scorer; `what` is the name of the scorer
  host,             ///< the choice of the host among the feasible nodes
  eligibility,      ///< whether the pod may preempt
  potential,        ///< on which nodes evictions might help
  search,           ///< which potential nodes are visited
  without_victims,  ///< the filters on a node without its potential victims
  budget,           ///< a potential victim checked against one PDB
  reprieve,         ///< the filters with one potential victim added back
  candidate,        ///< the result of a node's dry run
  choice,           ///< a candidate compared with the best one
  outcome,
};

/// One finding of the reference: the clause that decides, and the values that the clause compares.
struct Step {
  Stage stage;
  std::string_view clause;  ///< an id of spec/clauses
  bool passed;              ///< the node, pod or budget passed, or the decision went on
  std::string what;         ///< a short text; with Stage::budget the PDB as namespace/name
  std::optional<NodeIndex> node = {};
  std::optional<PodIndex> pod = {};
  Values values = {};
  std::vector<Finding> findings = {};  ///< the findings of the filter that rejected
};

/// The steps of a decision, in the order in which they were found. A disabled trace records nothing.
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
