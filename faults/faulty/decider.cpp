#include "faults/fault.hpp"
#include "faults/faulty/filters.hpp"
#include "faults/faulty/play.hpp"
#include "faults/faulty/preempt.hpp"
#include "faults/faulty/schedule.hpp"
#include "faults/timeline_judges.hpp"

namespace touchstone::faults {

namespace {

bool fits(const Release& release, const Cluster& cluster, const Pod& pod, NodeIndex node) {
  const Question alone{cluster, pod, {}, {}, {}};
  Trace trace = Trace::none();
  const faulty::Cycle cycle(alone, release, trace);
  return faulty::run_filters_with_nominated_pods(cycle, cycle.nodes[node]).ok();
}

}  // namespace

const oracle::Decider& faulty_decider() {
  static const oracle::Decider k_decider = {faulty::preempt, faulty::any_order, fits, faulty::schedule};
  return k_decider;
}

std::unique_ptr<TimelineModel> faulty_timeline_model() { return faulty::timeline_model(); }

}  // namespace touchstone::faults
