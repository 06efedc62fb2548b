#pragma once

#include <string>
#include <vector>

#include "reference/queue/world.hpp"

/// Which events an update of an object is.
namespace touchstone::reference {

/// The events of a pod's update: one for each kind of change, or one for all other changes. `is_own`: the
/// pod is pending, and the events are for itself alone. Clauses: EVT-CHANGE-1.
std::vector<ClusterEvent> events_of_update(const PodObject& before, const PodObject& now, bool is_own,
                                           const Release& release);

/// The events of a node's update: one for each kind of change. Empty: no plug-in hears of it. Clauses:
/// EVT-CHANGE-2.
std::vector<ClusterEvent> events_of_update(const Node& before, const Node& now);

/// Whether two nodes have the same taints, in the same order.
bool same_taints(const Node& a, const Node& b);

/// Whether the event is a wildcard: it concerns every pod, whatever rejected it.
bool is_wildcard(EventType type);

/// What happened, such as "the deletion of default/v".
std::string text_of(const ClusterEvent& event);

/// The event of a pod that is on a node and gone.
ClusterEvent assigned_pod_gone(const PodObject& pod);

}  // namespace touchstone::reference
