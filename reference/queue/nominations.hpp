#pragma once

#include "reference/queue/world.hpp"

/// The nominations in the memory of the scheduler.
namespace touchstone::reference {

/// The node to which a pod is nominated in memory. Empty: none.
std::string nominated_node_of(const Nominations& nominations, const std::string& uid);

/// Nominates a pod, or ends its nomination. `node`: the new node; empty: the nomination ends; no value: the
/// node that the pod's object names. Nothing is added for a pod that the scheduler does not see pending.
/// Clauses: NOM-ADD-1, NOM-ADD-2, NOM-OBJECT-1.
void nominate(World& world, const PodObject& pod, const std::optional<std::string>& node);

/// Ends the nomination of a pod. Clauses: NOM-OBJECT-1.
void end_nomination(World& world, const PodObject& pod);

/// Replaces the nomination of a queued pod after an update of its object. Clauses: NOM-UPDATE-1.
void update_nomination(World& world, const PodObject& before, const PodObject& now);

/// The objects of the pods nominated to a node, as the queue has them. A pod that is in no queue is bare: it
/// has no requests, priority 0 and no nomination in its object. Clauses: NOM-COUNT-1.
std::vector<PodObject> nominated_pods(const World& world, const std::string& node);

}  // namespace touchstone::reference
