#pragma once

#include "reference/queue/world.hpp"

/// The bindings that the scheduling loop starts, and the waits in Permit before them.
namespace touchstone::reference {

/// Begins the binding of a pod that fits on a node. Clauses: QUE-BIND-1, QUE-PERMIT-1, NOM-ASSUME-1.
void begin_binding(World& world, Entry entry, const std::string& node);

/// Whether a binding has a step to take.
bool has_step(const World& world, const BindingRun& binding);
/// Whether the wait of its pod in Permit is over. Such a step comes before all others. Clauses: QUE-PERMIT-2.
bool is_judged(const BindingRun& binding);
/// Takes that step. Clauses: QUE-BIND-1, QUE-BIND-2, QUE-PERMIT-1 to QUE-PERMIT-4.
void take_step(World& world, BindingRun& binding);

}  // namespace touchstone::reference
