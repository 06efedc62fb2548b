#include "reference/controllers/budget_status.hpp"

#include <algorithm>

namespace touchstone::reference {

namespace {

constexpr Quantity k_eviction_lasts_ns = 120'000'000'000;
constexpr Quantity k_status_second_ns = 1'000'000'000;

/// BUD-HEALTHY-1: the pods that a budget selects.
std::vector<const ControlledPod*> selected(const BudgetControl& control, const ControlledBudget& budget) {
  std::vector<const ControlledPod*> found;
  for (const auto& [name, pod] : control.seen.pods) {
    if (!budget.app.empty() && pod.app == budget.app) found.push_back(&pod);
  }
  return found;
}

/// The controller of pods that a reference names, among those given.
const Workload* named(const std::map<std::string, Workload>& workloads, const std::string& owner) {
  if (!workloads.contains(owner)) return nullptr;
  const Workload& found = workloads.at(owner);
  return found.uid == owner ? &found : nullptr;
}

/// BUD-SCALE-1: the controller whose replicas count for a pod.
const Workload* controller_of(const BudgetControl& control, const std::string& owner) {
  const bool has_lister = owner.starts_with("ReplicaSet/") || owner.starts_with("StatefulSet/") ||
                          owner.starts_with("ReplicationController/");
  const Workload* direct = has_lister ? named(control.seen.workloads, owner) : nullptr;
  const bool is_deployed = direct != nullptr && direct->owner.starts_with("Deployment/");
  if (is_deployed) direct = named(control.seen.workloads, direct->owner);
  return direct != nullptr ? direct : named(control.stored.workloads, owner);
}

/// BUD-SCALE-1: the replicas of all controllers of the pods. No value: one cannot be found.
std::optional<Quantity> scale_of(const BudgetControl& control,
                                 const std::vector<const ControlledPod*>& pods) {
  std::map<std::string, Quantity> replicas;
  for (const ControlledPod* pod : pods) {
    if (pod->owner.empty() || replicas.contains(pod->owner)) continue;
    const Workload* controller = controller_of(control, pod->owner);
    if (controller == nullptr) return std::nullopt;
    replicas[controller->uid] = controller->replicas;
  }
  Quantity sum = 0;
  for (const auto& [uid, count] : replicas) sum += count;
  return sum;
}

/// BUD-DESIRED-1: a number of pods, or a percentage of the expected ones, rounded up.
Quantity resolved(const PodCount& count, Quantity expected) {
  return count.is_percentage ? (expected * count.value + 99) / 100 : count.value;
}

/// BUD-DISRUPTED-1: keeps the entries that still count, and finds the time of the next look.
void keep_evicted(const BudgetControl& control, const ControlledBudget& budget,
                  const std::vector<const ControlledPod*>& pods, SyncedBudget& synced) {
  for (const ControlledPod* pod : pods) {
    const auto entry = budget.status.evicted_ns.find(pod->name);
    if (entry == budget.status.evicted_ns.end() || pod->terminating) continue;
    const Quantity left_ns = entry->second + k_eviction_lasts_ns - control.now_ns;
    if (left_ns < 0) continue;
    synced.status.evicted_ns.insert(*entry);
    synced.recheck_after_ns = std::min(synced.recheck_after_ns.value_or(left_ns), left_ns);
  }
}

/// BUD-HEALTHY-1
bool is_healthy(const ControlledPod& pod, const BudgetStatus& status, Quantity now_ns) {
  const auto entry = status.evicted_ns.find(pod.name);
  const bool is_evicted = entry != status.evicted_ns.end() && entry->second + k_eviction_lasts_ns > now_ns;
  return pod.ready && !pod.terminating && !is_evicted;
}

}  // namespace

void set_condition(BudgetStatus& status, const std::string& value, const std::string& reason,
                   Quantity now_ns) {
  const AllowedCondition before = status.condition.value_or(AllowedCondition{});
  const bool changes = before.status != value;
  const Quantity since_ns = changes ? now_ns - now_ns % k_status_second_ns : before.since_ns;
  status.condition = {value, reason, since_ns, status.observed};
}

std::optional<SyncedBudget> synced_budget(const BudgetControl& control, const ControlledBudget& budget) {
  const std::vector<const ControlledPod*> pods = selected(control, budget);
  SyncedBudget synced;
  BudgetStatus& status = synced.status;
  // BUD-DESIRED-1
  if (budget.min_available && !budget.min_available->is_percentage) {
    status.expected = static_cast<Quantity>(pods.size());
    status.desired = budget.min_available->value;
  } else if (budget.min_available || budget.max_unavailable) {
    const std::optional<Quantity> scale = scale_of(control, pods);
    if (!scale) return std::nullopt;
    synced.by_scale = true;
    status.expected = *scale;
    status.desired = budget.min_available
                         ? resolved(*budget.min_available, *scale)
                         : std::max<Quantity>(*scale - resolved(*budget.max_unavailable, *scale), 0);
  }
  keep_evicted(control, budget, pods, synced);
  for (const ControlledPod* pod : pods) {
    if (is_healthy(*pod, status, control.now_ns)) ++status.healthy;
  }
  // BUD-ALLOWED-1
  if (status.expected > 0) status.allowed = std::max<Quantity>(status.healthy - status.desired, 0);
  status.observed = budget.generation;
  status.condition = budget.status.condition;
  const bool allows = status.allowed > 0;
  set_condition(status, allows ? "True" : "False", allows ? "SufficientPods" : "InsufficientPods",
                control.now_ns);
  return synced;
}

bool is_up_to_date(const ControlledBudget& budget, const BudgetStatus& status) {
  return budget.status == status;
}

}  // namespace touchstone::reference
