#pragma once

#include <vector>

#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/trace.hpp"

namespace touchstone::oracle {

/// The score of a node by one scorer, and the values that enter it.
struct ScoreTrace {
  const Step* score = nullptr;
  std::vector<const Step*> parts;
};

/// The steps of a trace for one node. Null: there is no such step.
struct NodeTrace {
  const Step* attempt = nullptr;
  const Step* potential = nullptr;
  const Step* without_victims = nullptr;
  std::vector<const Step*> budgets;
  std::vector<const Step*> reprieves;
  const Step* candidate = nullptr;
  const Step* choice = nullptr;
  std::vector<ScoreTrace> scores;  ///< of a feasible node, in the order of the scorers
};

/// The steps of a trace, grouped by node and stage. Requires: the trace outlives this object.
struct TraceIndex {
  TraceIndex(const Cluster& cluster, const Trace& trace);

  std::vector<NodeTrace> nodes;          ///< in the order of the cluster
  std::vector<const Step*> attempt;      ///< of Stage::attempt, about no single node
  std::vector<const Step*> eligibility;  ///< of Stage::eligibility, and so on
  std::vector<const Step*> search;
  std::vector<const Step*> outcome;
  const Step* host = nullptr;  ///< of Stage::host
};

}  // namespace touchstone::oracle
