#pragma once

#include <cstddef>

#include "spec/releases/release.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/decision.hpp"
#include "spec/vocabulary/placement.hpp"
#include "spec/vocabulary/trace.hpp"

namespace touchstone::oracle {

/// The functions that decide: those of the reference, or of a copy that has a fault on purpose.
struct Decider {
  Decision (*preempt)(const Question&, const Release&, Trace&);  ///< the canonical decision
  AnyOrder (*any_order)(const Question&, const Release&, std::size_t limit);
  /// Whether the pod passes the filters of a node of this cluster. Runs all filters again, with no state from
  /// before.
  bool (*fits)(const Release&, const Cluster&, const Pod&, NodeIndex);
  Placement (*schedule)(const Question&, const Release&, Trace&);  ///< the canonical placement
};

/// The functions of the reference.
const Decider& reference_decider();

}  // namespace touchstone::oracle
