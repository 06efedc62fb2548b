#pragma once

#include "reference/queue/world.hpp"

/// Gangs: pods that a Workload, or from v1.36 on a PodGroup, has start together.
namespace touchstone::reference {

/// The plug-in GangScheduling.
inline constexpr const char* k_gang_scheduling = "GangScheduling";

/// Whether the plug-in keeps a pod out of the active part. Clauses: QUE-GANG-1.
bool gang_gates(const World& world, const PodObject& pod);

/// Whether an event wakes a pod that the plug-in rejected. Clauses: QUE-GANG-2.
bool gang_hint(const PodObject& pod, const ClusterEvent& event, const Release& release);

/// The pods of the gang or pod group that the scheduler sees, in the order in which it saw them first.
std::vector<const PodObject*> gang_members(const World& world, const PodObject& pod);

/// What the plug-in says in Permit. `completes`: the pod does not wait, and those of its gang that wait are allowed. `crashes`: the
/// release itself does. Clauses: QUE-GANG-3, QUE-GANG-4.
enum class GangPermit { passes, completes, waits, errs, crashes };

/// What the plug-in would say about a pod in Permit. Requires: the pod is not yet assumed. Clauses: QUE-GANG-3,
/// QUE-GANG-4, QUE-GANG-5.
GangPermit gang_permit(const World& world, const PodObject& pod);

/// The message of `errs`. Clauses: QUE-GANG-4.
std::string gang_error(const World& world, const PodObject& pod);

/// Activates the pods of the gang that are neither assumed nor on a node. Clauses: QUE-GANG-3.
void activate_gang(World& world, const PodObject& pod);

/// Allows the pods of the gang that wait. Clauses: QUE-GANG-3.
void allow_gang(World& world, const PodObject& pod);

/// Notes that a pod is forgotten by its gang. Clauses: QUE-GANG-5.
void forget_in_gang(World& world, const PodObject& pod);

/// Notes that a pod that waits in Permit is deleted: its group still counts it. Clauses: QUE-ENTITY-10.
void remember_in_gang(World& world, const PodObject& pod);

/// Ends what is noted about a gang without pods. Clauses: QUE-GANG-5.
void end_empty_gang(World& world, const PodObject& pod);

}  // namespace touchstone::reference
