#pragma once

#include "fuzz/shrink/search.hpp"

/// Moves that make a question smaller. Each returns whether it changed the question.
namespace touchstone::fuzz {

/// Drops nodes, with the pods bound or nominated to them.
bool drop_nodes_with_pods(Search& search);

/// Drops elements and members. Those of one signature are dropped together and alone, the outer before the
/// inner. The places that make a value a Kubernetes object stay (is_identity).
bool drop_values(Search& search);

/// Drops a pod, and subtracts what it uses from its node's allocatable amounts. What fitted exactly beside
/// the pod still fits exactly. This drops pods that are not evicted.
bool drop_pods_with_room(Search& search);

/// Raises all priorities by the same number, so that none is below 0. An absent priority counts as 0.
bool raise_priorities(Search& search);

/// Moves pods to another node: all pods of a node, and drops that node; or one pod, to a node with a lower
/// name.
bool move_pods(Search& search);

/// Makes an object equal to another one of its list, except for its own name and node.
bool make_objects_alike(Search& search);

/// Lowers all numbers of a group together: to 0, to 1, to their ranks, by the least of them, or by division.
bool lower_groups(Search& search);

/// Lowers equal numbers of a group together, and each number alone.
bool lower_amounts(Search& search);

/// Lowers two numbers of a group, or two sets of equal ones, by the same amount.
bool lower_pairs(Search& search);

/// Gives two names of one kind the same text: namespaces, labels, values, taints, resources, containers.
bool join_names(Search& search);

/// Gives names the plainest text of their kind: all names, those of one kind, and each alone.
bool plain_names(Search& search);

}  // namespace touchstone::fuzz
