#pragma once

#include "reference/controllers/budget_control.hpp"

/// The status of a budget.
namespace touchstone::reference {

struct SyncedBudget {
  BudgetStatus status;
  bool by_scale = false;                     ///< BUD-SCALE-1
  std::optional<Quantity> recheck_after_ns;  ///< when the controller looks again by itself
};

/// The status that a budget shall have, from what the controller has seen. No value: the replicas of a
/// controller cannot be found. Clauses: BUD-HEALTHY-1, BUD-DESIRED-1, BUD-ALLOWED-1, BUD-DISRUPTED-1,
/// BUD-SCALE-1.
std::optional<SyncedBudget> synced_budget(const BudgetControl& control, const ControlledBudget& budget);

/// BUD-WRITE-1: whether a status need not be written.
bool is_up_to_date(const ControlledBudget& budget, const BudgetStatus& status);

/// BUD-WRITE-1: sets the condition. Its time changes with its status alone.
void set_condition(BudgetStatus& status, const std::string& value, const std::string& reason,
                   Quantity now_ns);

}  // namespace touchstone::reference
