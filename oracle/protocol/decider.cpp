#include "oracle/protocol/decider.hpp"

#include "reference/cycle/schedule.hpp"
#include "reference/filters/filters.hpp"
#include "reference/preemption/preempt.hpp"

namespace touchstone::oracle {

namespace {

bool fits_by_reference(const Release& release, const Cluster& cluster, const Pod& pod, NodeIndex node) {
  const Question alone{cluster, pod, {}, {}, {}};
  Trace trace = Trace::none();
  const reference::Cycle cycle(alone, release, trace);
  return reference::run_filters_with_nominated_pods(cycle, cycle.nodes[node]).ok();
}

}  // namespace

const Decider& reference_decider() {
  static const Decider k_decider = {reference::preempt, reference::any_order, fits_by_reference,
                                    reference::schedule};
  return k_decider;
}

}  // namespace touchstone::oracle
