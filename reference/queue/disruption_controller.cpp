#include "reference/queue/disruption_controller.hpp"

#include <algorithm>

#include "reference/filters/labels.hpp"
#include "reference/preemption/cycle.hpp"

namespace touchstone::reference {

namespace {

constexpr Quantity k_eviction_lasts_ns = 120'000'000'000;

/// The pods that a budget selects.
std::vector<const Pod*> selected(const Budget& budget, const std::vector<Pod>& pods) {
  std::vector<const Pod*> found;
  for (const Pod& pod : pods) {
    const bool is_selected = budget.selector && pod.ns == budget.ns && matches(*budget.selector, pod.labels);
    if (is_selected && !is_finished(pod)) found.push_back(&pod);
  }
  return found;
}

bool is_ready(const Pod& pod) {
  return std::any_of(pod.conditions.begin(), pod.conditions.end(), [](const Condition& condition) {
    return condition.type == "Ready" && condition.status == "True";
  });
}

/// BUD-DISRUPTED-1: keeps the entries that still count.
void keep_evicted(const Budget& budget, const std::vector<const Pod*>& pods, Quantity now_ns,
                  BudgetStatus& status) {
  for (const Pod* pod : pods) {
    const auto entry = budget.evicted_ns.find(pod->name);
    if (entry == budget.evicted_ns.end() || pod->terminating) continue;
    const Quantity end_ns = entry->second + k_eviction_lasts_ns;
    if (end_ns <= now_ns) continue;
    status.evicted_ns.insert(*entry);
    if (!status.recheck_ns || end_ns < *status.recheck_ns) status.recheck_ns = end_ns;
  }
}

/// BUD-DESIRED-1: a number of pods, or a percentage of the expected ones, rounded up.
Quantity resolved(const PodCount& count, Quantity expected) {
  return count.is_percentage ? (expected * count.value + 99) / 100 : count.value;
}

}  // namespace

BudgetStatus synced(const Budget& budget, const std::vector<Pod>& pods, std::optional<Quantity> scale,
                    Quantity now_ns) {
  const std::vector<const Pod*> own = selected(budget, pods);
  BudgetStatus status;
  keep_evicted(budget, own, now_ns, status);
  // BUD-HEALTHY-1
  for (const Pod* pod : own) {
    if (is_ready(*pod) && !pod->terminating && !status.evicted_ns.contains(pod->name)) ++status.healthy;
  }
  // BUD-DESIRED-1
  const bool counts_pods = budget.min_available && !budget.min_available->is_percentage;
  if (!counts_pods && !scale) return status;  // BUD-ALLOWED-1
  status.expected = counts_pods ? static_cast<Quantity>(own.size()) : *scale;
  status.desired =
      budget.min_available
          ? resolved(*budget.min_available, status.expected)
          : std::max<Quantity>(status.expected - resolved(*budget.max_unavailable, status.expected), 0);
  // BUD-ALLOWED-1
  if (status.expected > 0) status.allowed = std::max<Quantity>(status.healthy - status.desired, 0);
  return status;
}

}  // namespace touchstone::reference
