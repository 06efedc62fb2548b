#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/controllers/budget_control.hpp"
#include "reference/controllers/budget_store.hpp"

/// A disruption controller with one budget, b, and its pods.
namespace touchstone::tests::budgets {

using namespace reference;

inline constexpr Quantity k_second = 1'000'000'000;
inline constexpr Quantity k_begin = 1'000 * k_second;

inline ControlledPod pod(const std::string& name, const std::string& owner = "ReplicaSet/r") {
  ControlledPod pod;
  pod.name = name;
  pod.app = "a";
  pod.ready = true;
  pod.phase = "Running";
  pod.owner = owner;
  return pod;
}

inline ControlledBudget budget(std::optional<PodCount> least, std::optional<PodCount> most = {}) {
  ControlledBudget budget;
  budget.name = "b";
  budget.app = "a";
  budget.min_available = least;
  budget.max_unavailable = most;
  return budget;
}

/// A controller that has seen a budget and pods, and synced the budget.
inline BudgetControl synced(const ControlledBudget& budget, const std::vector<ControlledPod>& pods,
                            const std::vector<Workload>& workloads = {
                                {"ReplicaSet/r", "ReplicaSet/r", 4, "", 0}}) {
  BudgetControl control;
  control.now_ns = k_begin;
  for (const Workload& workload : workloads) put(control, workload);
  put(control, budget);
  for (const ControlledPod& each : pods) put(control, each);
  work(control, WorkKind::budgets);
  return control;
}

/// Works until the queue of budgets is empty.
inline void settle_budgets(BudgetControl& control) {
  while (work(control, WorkKind::budgets) != WorkOutcome::idle) continue;
}

inline const BudgetStatus& status(const BudgetControl& control) {
  return control.stored.budgets.at("b").status;
}

inline bool cites(const BudgetControl& control, std::string_view clause) {
  return std::find(control.clauses.begin(), control.clauses.end(), clause) != control.clauses.end();
}

}  // namespace touchstone::tests::budgets
