#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "spec/vocabulary/cluster.hpp"

/// The disruption controller: it writes the status of PodDisruptionBudgets.
namespace touchstone::reference {

/// A number of pods, or a percentage.
struct PodCount {
  Quantity value = 0;
  bool is_percentage = false;
};

/// What the controller reads of a PodDisruptionBudget. One of minAvailable and maxUnavailable is set.
struct Budget {
  std::string ns;
  std::optional<LabelSelector> selector;
  std::optional<PodCount> min_available;
  std::optional<PodCount> max_unavailable;
  std::map<std::string, Quantity> evicted_ns;  ///< status.disruptedPods: name of a pod → time
};

/// What the controller writes.
struct BudgetStatus {
  Quantity expected = 0;
  Quantity desired = 0;
  Quantity healthy = 0;
  Quantity allowed = 0;
  std::map<std::string, Quantity> evicted_ns;
  std::optional<Quantity> recheck_ns;  ///< when the controller looks again by itself
};

/// The status of a budget. `pods`: those that the controller has seen. `scale`: the sum of the replicas of
/// the pods' controllers; no value: it cannot be found. Clauses: BUD-HEALTHY-1 to BUD-DISRUPTED-1.
BudgetStatus synced(const Budget& budget, const std::vector<Pod>& pods, std::optional<Quantity> scale,
                    Quantity now_ns);

}  // namespace touchstone::reference
