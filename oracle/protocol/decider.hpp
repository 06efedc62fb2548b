#pragma once

#include <cstddef>

#include "spec/vocabulary/choices.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/decision.hpp"
#include "spec/releases/release.hpp"
#include "spec/vocabulary/trace.hpp"

namespace touchstone::oracle {

/// The reference, or what stands in its place to be judged: a copy that is made wrong on purpose.
struct Decider {
  Decision (*preempt)(const Question&, const Release&, Choices&, Trace&);
  AnyOrder (*any_order)(const Question&, const Release&, std::size_t limit);
  /// Whether the pod passes the filters of a node of this cluster, asked afresh.
  bool (*fits)(const Release&, const Cluster&, const Pod&, NodeIndex);
};

const Decider& reference_decider();

}  // namespace touchstone::oracle
