#include "reference/filters/filters.hpp"
#include "reference/scores/scores.hpp"

namespace touchstone::reference {

/// SCORE-TAINT-1: the number of taints PreferNoSchedule that the preemptor does not tolerate, normalised in
/// reverse.
Scores untolerated_taints(const Cycle& cycle, const Nodes& nodes) {
  std::vector<Quantity> raw;
  for (const NodeIndex node : nodes) {
    Quantity count = 0;
    for (const Taint& taint : cycle.cluster.nodes[node].taints) {
      if (taint.effect != "PreferNoSchedule" || tolerates(cycle.pod, taint)) continue;
      count += 1;
      cycle.trace.add({Stage::score_part, "SCORE-TAINT-1", false, taint.key + "=" + taint.value, node});
    }
    raw.push_back(count);
  }
  return normalized_in_reverse(raw, cycle.release);
}

}  // namespace touchstone::reference
