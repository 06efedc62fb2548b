#pragma once

#include "reference/controllers/budget_control.hpp"

/// The API objects beside the disruption controller.
namespace touchstone::reference {

/// Stores an object. A write that changes nothing is none. Clauses: BUD-STORE-1.
void put(BudgetControl& control, ControlledPod pod);
void put(BudgetControl& control, ControlledBudget budget);
void put(BudgetControl& control, Workload workload);

/// A user, a kubelet or another controller writes. Errors: not-found. Clauses: BUD-STORE-1.
std::optional<Error> create_or_update(BudgetControl& control, bool creates, ControlledPod pod);
std::optional<Error> create_or_update(BudgetControl& control, bool creates, ControlledBudget budget);
std::optional<Error> create_or_update(BudgetControl& control, bool creates, const Workload& workload);

/// Deletes: a pod terminates, unless it shall be gone at once. Errors: not-found.
std::optional<Error> remove(BudgetControl& control, ControlledKind kind, const std::string& name,
                            bool at_once);

/// The eviction API grants an eviction: it notes the pod in the status. Errors: refused.
std::optional<Error> evict(BudgetControl& control, const std::string& pod, const std::string& budget);

/// What the API server does with a call of the controller. Clauses: BUD-WRITE-1.
ControlResult perform(BudgetControl& control, const ControlCall& call);

/// Events of this kind wait from now on.
void hold_events(BudgetControl& control, ControlledKind kind);

/// Delivers events that wait; count 0: all, and the hold ends. Errors: not-held.
std::optional<Error> deliver(BudgetControl& control, ControlledKind kind, std::size_t count);

/// The clock moves, and keys of the work queues become ready. Clauses: BUD-QUEUE-2.
void advance(BudgetControl& control, Quantity ns);

}  // namespace touchstone::reference
