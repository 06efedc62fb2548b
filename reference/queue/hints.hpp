#pragma once

#include <string_view>

#include "reference/queue/world.hpp"

/// Which event wakes a pod that a plug-in rejected.
namespace touchstone::reference {

/// Whether some enabled plug-in registered the event. The scheduler drops other events before it looks at any
/// pod. Clauses: EVT-HINT-1, EVT-HINT-2.
bool is_of_interest(const ClusterEvent& event, const Release& release);

/// Whether a plug-in registered the event. Clauses: EVT-HINT-1, EVT-HINT-3.
bool registered(std::string_view plugin, const ClusterEvent& event, const Release& release);

/// Whether an event wakes a pending pod, judged by the plug-ins that rejected it. Clauses: EVT-HINT-1 to
/// EVT-HINT-3.
bool wakes(World& world, const Entry& entry, const ClusterEvent& event);

/// A hint: a function that says whether an event may make a pod schedulable. Requires: the plug-in registered
/// the event.
using HintFunction = bool (*)(const Pod& pod, const ClusterEvent& event, const Release& release);

// The hints, one for each plug-in and kind of event.
bool fit_hint_of_pod(const Pod&, const ClusterEvent&, const Release&);   ///< EVT-FIT-1, EVT-FIT-2
bool fit_hint_of_node(const Pod&, const ClusterEvent&, const Release&);  ///< EVT-FIT-3
bool ports_hint(const Pod&, const ClusterEvent&, const Release&);        ///< EVT-PORTS-1
bool affinity_hint_of_pod(const Pod&, const ClusterEvent&,
                          const Release&);  ///< EVT-AFFINITY-1 to EVT-AFFINITY-3
bool affinity_hint_of_node(const Pod&, const ClusterEvent&, const Release&);  ///< EVT-AFFINITY-4
bool spread_hint_of_pod(const Pod&, const ClusterEvent&, const Release&);     ///< EVT-SPREAD-1, EVT-SPREAD-2
bool spread_hint_of_node(const Pod&, const ClusterEvent&, const Release&);    ///< EVT-SPREAD-3
bool node_affinity_hint(const Pod&, const ClusterEvent&, const Release&);     ///< EVT-NODEAFFINITY-1
bool taint_hint_of_node(const Pod&, const ClusterEvent&, const Release&);     ///< EVT-TAINT-1
bool taint_hint_of_pod(const Pod&, const ClusterEvent&, const Release&);      ///< EVT-TAINT-2
bool unschedulable_hint_of_node(const Pod&, const ClusterEvent&, const Release&);  ///< EVT-UNSCHEDULABLE-1
bool unschedulable_hint_of_pod(const Pod&, const ClusterEvent&, const Release&);   ///< EVT-UNSCHEDULABLE-2
bool gates_hint(const Pod&, const ClusterEvent&, const Release&);                  ///< EVT-GATES-1

/// Whether an event is an update of this very pod.
bool is_own_update(const Pod& pod, const ClusterEvent& event);

}  // namespace touchstone::reference
