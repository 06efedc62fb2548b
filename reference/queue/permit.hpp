#pragma once

#include "reference/queue/world.hpp"
#include "spec/vocabulary/result.hpp"

/// Pods that wait in Permit, and how their waits end.
namespace touchstone::reference {

/// How long the plug-in TouchstonePermit has a pod wait. 0: not at all. Clauses: QUE-PERMIT-1.
Quantity permit_wait_ns(const PodObject& pod);

/// Whether the pod of a binding waits in Permit.
bool waits_in_permit(const BindingRun& binding);

/// Gives a verdict on a pod that waits. Returns whether it is the first one, which counts. Clauses:
/// QUE-PERMIT-5.
bool judge(World& world, BindingRun& binding, const PermitVerdict& verdict);

/// Has TouchstonePermit allow or reject a pod that waits. Errors: not-waiting. Clauses: QUE-PERMIT-2, QUE-PERMIT-3.
std::optional<Error> answer_permit(World& world, const std::string& pod, bool is_allowed);

/// Rejects the pod whose wait ended first, if one did. Returns whether one did. Clauses: QUE-PERMIT-3.
bool reject_late_pod(World& world);

/// Preempts a victim that waits. Returns false if it has to be evicted. Clauses: QUE-PERMIT-4, QUE-PERMIT-5.
bool preempt_waiting(World& world, const std::string& uid);

/// Rejects a waiting pod that is deleted. Returns whether that counts as a rejection. Clauses: QUE-PERMIT-5,
/// QUE-PERMIT-6.
bool reject_deleted(World& world, const std::string& uid);

}  // namespace touchstone::reference
