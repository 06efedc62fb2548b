#pragma once

#include "reference/preemption/cycle.hpp"

namespace touchstone::reference {

/// Adds the status of a filter to those of others. Reasons add up. If one status is unresolvable, the sum is
/// unresolvable. Clauses: PRE-FILTER-2.
void merge(Status& total, const Status& more);

/// A filter status that no eviction can cure (UnschedulableAndUnresolvable). `what`: the cause, for the
/// trace.
Status unresolvable(std::string_view clause, std::string_view plugin, std::string_view reason,
                    std::string what);

/// Runs the release's filters, in its order, on one state of one node. Returns the status of the first group
/// that fails, or success. Clauses: PRE-FILTER-1 to PRE-FILTER-3.
Status run_filters(const Cycle& cycle, const NodeState& node);

/// Runs the filters with regard to pods nominated to the node. If counted_nominated_pods() is not empty, the
/// filters first run with these pods added; if that run fails, its status is the result. Otherwise the
/// filters run without these pods. Clauses: PRE-NOMINATED-1, PRE-NOMINATED-2.
Status run_filters_with_nominated_pods(const Cycle& cycle, const NodeState& node);

/// Runs one filter. Clauses: those of the filter (spec/vocabulary/filters.hpp); CYC-PROFILE-1.
Status run_filter(Filter filter, const Cycle& cycle, const NodeState& node);

/// Whether the PreFilter of a filter runs. Clauses: CYC-PROFILE-1.
bool runs_prefilter(Filter filter, const Release& release);

/// The nodes that a PreFilter allows, before any node is filtered.
struct NodeNames {
  bool all_nodes = true;
  std::set<std::string> names;  ///< with all_nodes false: the allowed nodes
};
/// The nodes that both sets allow.
NodeNames common(const NodeNames& a, const NodeNames& b);
/// The node that the preemptor names in spec.nodeName. All nodes if it names none, or if the release does not
/// use the name in a PreFilter. Clauses: PRE-NODENAME-2.
NodeNames named_node(const Cycle& cycle);
/// The nodes that the preemptor's required node affinity pins by name. All nodes, unless every term pins
/// names. An empty set means that the terms contradict each other. Clauses: PRE-PREFILTER-1, PRE-PREFILTER-2.
NodeNames pinned_nodes(const Cycle& cycle);
/// The nodes that the volumes of the preemptor's claims name by host name. Requires: binding_rejection() does
/// not reject the pod. Clauses: PRE-CLAIM-3.
NodeNames host_names(const Cycle& cycle);

/// Whether a pod tolerates a taint. Clauses: PRE-TAINT-2.
bool tolerates(const Pod& pod, const Taint& taint);
/// The filter node_affinity without the terms of the configuration. Clauses: PRE-NODEAFFINITY-1 to
/// PRE-NODEAFFINITY-4.
Status own_node_affinity(const Cycle& cycle, const NodeState& node);
/// Whether a node selector term holds: it has at least one requirement, and all its requirements hold.
/// Clauses: PRE-NODEAFFINITY-2.
bool term_holds(const NodeSelectorTerm& term, const Node& node);

// The filters. Each is a function of the state of one node. All other nodes are as they were before the dry
// run.
Status node_unschedulable(const Cycle& cycle, const NodeState& node);  ///< PRE-UNSCHEDULABLE-1
Status node_name(const Cycle& cycle, const NodeState& node);           ///< PRE-NODENAME-1
Status taint_toleration(const Cycle& cycle, const NodeState& node);    ///< PRE-TAINT-1, PRE-TAINT-2
Status node_affinity(const Cycle& cycle,
                     const NodeState& node);  ///< PRE-NODEAFFINITY-1 to PRE-NODEAFFINITY-4, CYC-PROFILE-2
Status node_ports(const Cycle& cycle, const NodeState& node);          ///< PRE-PORTS-1, PRE-PORTS-2
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
Status pod_topology_spread(const Cycle& cycle, const NodeState& node);     ///< PRE-SPREAD-1 to PRE-SPREAD-7
Status node_declared_features(const Cycle& cycle, const NodeState& node);  ///< PRE-FEATURES-1
Status node_label(const Cycle& cycle, const NodeState& node);              ///< POL-LABELS-1
Status service_affinity(const Cycle& cycle, const NodeState& node);        ///< POL-SERVICE-1, POL-SERVICE-2

/// Whether the release skips inter_pod_affinity: the preemptor has no required term, and no bound pod's
/// anti-affinity forbids it. Clauses: PRE-AFFINITY-8.
bool affinity_is_skipped(const Cycle& cycle);

/// PRE-SPREAD-6: whether the scheduler crashes when these pods are added to the node or removed from it. It
/// does if no node over which a constraint of the preemptor spreads is in the node's domain.
bool spread_account_crashes(const Cycle& cycle, const NodeState& node, const std::vector<PodOnNode>& pods);

/// The pods nominated to a node that the filters must count: those of at least the preemptor's priority.
/// Clauses: PRE-NOMINATED-1, PRE-NOMINATED-2.
std::vector<PodOnNode> counted_nominated_pods(const Cycle& cycle, NodeIndex node);

}  // namespace touchstone::reference
