#pragma once

#include "reference/preemption/cycle.hpp"

namespace touchstone::reference {

/// The status of a filter that no eviction can cure. `what`: what it looked at, for the trace.
Status unresolvable(std::string_view clause, std::string plugin, std::string_view reason, std::string what);

/// Runs the release's filters in its order against one state of one node; the first group that fails answers.
/// Clauses: PRE-FILTER-1 to PRE-FILTER-3.
Status run_filters(const Cycle& cycle, const NodeState& node);

/// The filters with the pods nominated to the node in mind: a first pass with those of the preemptor's
/// priority or higher added, and, if it added any and succeeded, a second one without. Clauses:
/// PRE-NOMINATED-1, PRE-NOMINATED-2.
Status run_filters_with_nominated_pods(const Cycle& cycle, const NodeState& node);

/// The nodes that a filter leaves before any node is looked at.
struct NodeNames {
  bool all_nodes = true;
  std::set<std::string> names;  ///< with all_nodes false: those that are left
};
NodeNames common(const NodeNames& a, const NodeNames& b);
/// The one that a pod names as its node. Clauses: PRE-NODENAME-2.
NodeNames named_node(const Cycle& cycle);
/// Those that a pod names in its node affinity; none: its terms contradict. Clauses: PRE-PREFILTER-1,
/// PRE-PREFILTER-2.
NodeNames pinned_nodes(const Cycle& cycle);
/// Those that the volumes of the preemptor's claims name. Requires: claims that reject nobody. Clauses:
/// PRE-CLAIM-3.
NodeNames host_names(const Cycle& cycle);

// The filters themselves, each a function of one node's state, all other nodes being as they were.
Status node_unschedulable(const Cycle& cycle, const NodeState& node);  ///< PRE-UNSCHEDULABLE-1
Status node_name(const Cycle& cycle, const NodeState& node);           ///< PRE-NODENAME-1
Status taint_toleration(const Cycle& cycle, const NodeState& node);    ///< PRE-TAINT-1, PRE-TAINT-2
Status node_affinity(const Cycle& cycle,
                     const NodeState& node);                   ///< PRE-NODEAFFINITY-1 to PRE-NODEAFFINITY-4
Status node_ports(const Cycle& cycle, const NodeState& node);  ///< PRE-PORTS-1, PRE-PORTS-2
Status node_resources_fit(const Cycle& cycle, const NodeState& node);  ///< PRE-FIT-1 to PRE-FIT-5
Status volume_restrictions(const Cycle& cycle,
                           const NodeState& node);                     ///< PRE-DISK-1, PRE-RWOP-1, PRE-RWOP-2
Status ebs_limits(const Cycle& cycle, const NodeState& node);          ///< PRE-ATTACH-5
Status gce_pd_limits(const Cycle& cycle, const NodeState& node);       ///< PRE-ATTACH-5
Status node_volume_limits(const Cycle& cycle, const NodeState& node);  ///< PRE-ATTACH-1 to PRE-ATTACH-7
Status azure_disk_limits(const Cycle& cycle, const NodeState& node);   ///< PRE-ATTACH-5
Status volume_binding(const Cycle& cycle, const NodeState& node);      ///< PRE-BIND-1 to PRE-BIND-4
Status volume_zone(const Cycle& cycle, const NodeState& node);         ///< PRE-ZONE-1, PRE-ZONE-2
Status inter_pod_affinity(const Cycle& cycle, const NodeState& node);  ///< PRE-AFFINITY-1 to PRE-AFFINITY-9
Status pod_topology_spread(const Cycle& cycle, const NodeState& node);  ///< PRE-SPREAD-1 to PRE-SPREAD-7
Status node_declared_features(const Cycle& cycle, const NodeState& node);  ///< PRE-FEATURES-1

/// PRE-SPREAD-6: whether the scheduler crashes when these pods come to the node, or go from it, because no
/// node over which the preemptor spreads is in the node's domain.
bool spread_account_crashes(const Cycle& cycle, const NodeState& node, const std::vector<PodOnNode>& pods);

/// The pods nominated to a node that count against the preemptor. Clauses: PRE-NOMINATED-1, PRE-NOMINATED-2.
std::vector<PodOnNode> counted_nominated_pods(const Cycle& cycle, NodeIndex node);

}  // namespace touchstone::reference
