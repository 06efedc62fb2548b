#include <algorithm>

#include "reference/filters/filters.hpp"
#include "reference/scores/scores.hpp"

namespace touchstone::reference {

/// SCORE-TAINT-1: the number of taints PreferNoSchedule that the preemptor does not tolerate, normalised in
/// reverse.
Scores untolerated_taints(const Cycle& cycle, const Nodes& nodes) {
  std::vector<Quantity> raw;
  for (const NodeIndex node : nodes) {
    const std::vector<Taint>& taints = cycle.cluster.nodes[node].taints;
    raw.push_back(std::count_if(taints.begin(), taints.end(), [&cycle](const Taint& taint) {
      return taint.effect == "PreferNoSchedule" && !tolerates(cycle.pod, taint);
    }));
  }
  return normalized_in_reverse(raw, cycle.release);
}

}  // namespace touchstone::reference
