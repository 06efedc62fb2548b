#pragma once

#include <vector>

#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/trace.hpp"

namespace touchstone::oracle {

/// What a trace tells of one node; a step that there was not is null.
struct NodeTrace {
  const Step* attempt = nullptr;
  const Step* potential = nullptr;
  const Step* room = nullptr;
  std::vector<const Step*> budgets;
  std::vector<const Step*> reprieves;
  const Step* candidate = nullptr;
  const Step* choice = nullptr;
};

/// A trace, sorted by what it is about. The trace has to outlive it.
struct TraceIndex {
  TraceIndex(const Cluster& cluster, const Trace& trace);

  std::vector<NodeTrace> nodes;          ///< in the order of the cluster
  std::vector<const Step*> attempt;      ///< of Stage::attempt, that concern no single node
  std::vector<const Step*> eligibility;  ///< and so on
  std::vector<const Step*> search;
  std::vector<const Step*> outcome;
};

}  // namespace touchstone::oracle
