#pragma once

#include "fuzz/shrink/search.hpp"

/// What makes a question smaller. Each returns whether anything was taken.
namespace touchstone::fuzz {

/// Nodes with the pods bound or nominated to them.
bool drop_nodes_with_pods(Search& search);

/// Elements and members, those of one signature together and alone, the outer before the inner. What makes a
/// value an object of Kubernetes stays with it (is_identity).
bool drop_values(Search& search);

/// A pod, and of its node's room what it takes: what fitted beside it exactly still does. Pods that stay go
/// so.
bool drop_pods_with_room(Search& search);

/// All priorities, so that none is below 0; absent ones count as 0.
bool raise_priorities(Search& search);

/// Pods to another node: all of a node's, and the node goes; or one, to a node with a lower name.
bool move_pods(Search& search);

/// An object like another of its list, but for its own name and node.
bool make_objects_alike(Search& search);

/// All numbers of a group: to 0, to 1, to their ranks, lowered to the least, divided.
bool lower_groups(Search& search);

/// Equal numbers of a group together, and each alone.
bool lower_amounts(Search& search);

/// Two numbers, or sets of equal ones, of a group by as much.
bool lower_pairs(Search& search);

/// Two namespaces, labels, values, taints into one.
bool join_names(Search& search);

/// Names to the plainest of their kind: all, a kind's, and each alone.
bool plain_names(Search& search);

}  // namespace touchstone::fuzz
