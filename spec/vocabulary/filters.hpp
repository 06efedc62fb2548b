#pragma once

#include <array>
#include <cstddef>
#include <string_view>

/// The filters of kube-scheduler: one row for each, and the only list of them. What differs between releases
/// (order, texts, behaviour) is in the release table.
namespace touchstone {

enum class Filter {
  node_unschedulable,
  node_name,
  taint_toleration,
  node_affinity,
  node_ports,
  node_resources_fit,
  volume_restrictions,
  ebs_limits,
  gce_pd_limits,
  node_volume_limits,
  azure_disk_limits,
  volume_binding,
  volume_zone,
  inter_pod_affinity,
  pod_topology_spread,
  node_declared_features,
  node_label,  ///< of a Policy alone, like the next
  service_affinity,
  end,  ///< not a filter: the number of filters
};

/// What modules other than the engines need to know about a filter.
struct FilterFacts {
  Filter filter;
  std::string_view plugin;  ///< the plug-in's name in a status, also for releases that do not report it
  /// The clause by which it rejects a node, if the reason does not say more.
  std::string_view clause;
  /// The beginnings of the ids of its clauses. A filter that shares all of its clauses has none.
  std::array<std::string_view, 2> families;
  /// Whether the pods of a node, or of other nodes, can change its answer; false: no eviction can.
  bool depends_on_pods;
};

inline constexpr std::array k_filters = {
    FilterFacts{Filter::node_unschedulable,
                "NodeUnschedulable",
                "PRE-UNSCHEDULABLE-1",
                {"PRE-UNSCHEDULABLE-"},
                false},
    FilterFacts{Filter::node_name, "NodeName", "PRE-NODENAME-1", {"PRE-NODENAME-"}, false},
    FilterFacts{Filter::taint_toleration, "TaintToleration", "PRE-TAINT-1", {"PRE-TAINT-"}, false},
    FilterFacts{Filter::node_affinity, "NodeAffinity", "PRE-NODEAFFINITY-1", {"PRE-NODEAFFINITY-"}, false},
    FilterFacts{Filter::node_ports, "NodePorts", "PRE-PORTS-1", {"PRE-PORTS-"}, true},
    FilterFacts{Filter::node_resources_fit, "NodeResourcesFit", "PRE-FIT-2", {"PRE-FIT-"}, true},
    FilterFacts{
        Filter::volume_restrictions, "VolumeRestrictions", "PRE-RWOP-1", {"PRE-DISK-", "PRE-RWOP-"}, true},
    FilterFacts{Filter::ebs_limits, "EBSLimits", "PRE-ATTACH-5", {}, true},
    FilterFacts{Filter::gce_pd_limits, "GCEPDLimits", "PRE-ATTACH-5", {}, true},
    FilterFacts{Filter::node_volume_limits, "NodeVolumeLimits", "PRE-ATTACH-1", {"PRE-ATTACH-"}, true},
    FilterFacts{Filter::azure_disk_limits, "AzureDiskLimits", "PRE-ATTACH-5", {}, true},
    FilterFacts{Filter::volume_binding, "VolumeBinding", "PRE-CLAIM-2", {"PRE-BIND-"}, false},
    FilterFacts{Filter::volume_zone, "VolumeZone", "PRE-CLAIM-2", {"PRE-ZONE-"}, false},
    FilterFacts{Filter::inter_pod_affinity, "InterPodAffinity", "PRE-AFFINITY-2", {"PRE-AFFINITY-"}, true},
    FilterFacts{Filter::pod_topology_spread, "PodTopologySpread", "PRE-SPREAD-7", {"PRE-SPREAD-"}, true},
    FilterFacts{
        Filter::node_declared_features, "NodeDeclaredFeatures", "PRE-FEATURES-1", {"PRE-FEATURES-"}, false},
    FilterFacts{Filter::node_label, "NodeLabel", "POL-LABELS-1", {"POL-LABELS-"}, false},
    FilterFacts{Filter::service_affinity, "ServiceAffinity", "POL-SERVICE-1", {"POL-SERVICE-"}, true},
};

/// Whether every filter has its row, in the order of the enumeration. Checked when this is compiled.
constexpr bool has_a_row_for_each_filter() {
  for (std::size_t i = 0; i < k_filters.size(); ++i) {
    if (static_cast<std::size_t>(k_filters[i].filter) != i) return false;
  }
  return k_filters.size() == static_cast<std::size_t>(Filter::end);
}
static_assert(has_a_row_for_each_filter());

constexpr const FilterFacts& facts_of(Filter filter) { return k_filters[static_cast<std::size_t>(filter)]; }

/// The name of the plug-in, such as "NodePorts".
constexpr std::string_view plugin_of(Filter filter) { return facts_of(filter).plugin; }

/// The error of a filter whose PreFilter did not run. Requires: the filter needs what its PreFilter stores.
/// CYC-PROFILE-1, PRE-MESSAGE-6.
constexpr std::string_view error_without_prefilter(Filter filter) {
  switch (filter) {
    case Filter::node_ports:
      return "reading \"PreFilterNodePorts\" from cycleState: not found";
    case Filter::node_resources_fit:
      return "error reading \"PreFilterNodeResourcesFit\" from cycleState: not found";
    case Filter::volume_restrictions:
      return "cannot read \"PreFilterVolumeRestrictions\" from cycleState";
    case Filter::pod_topology_spread:
      return "reading \"PreFilterPodTopologySpread\" from cycleState: not found";
    case Filter::inter_pod_affinity:
      return "error reading \"PreFilterInterPodAffinity\" from cycleState: not found";
    case Filter::node_declared_features:
      return "error reading \"PreFilterNodeDeclaredFeatures\" from cycle-state: not found";
    default:  // VolumeBinding
      return "not found";
  }
}

/// The filter that a clause belongs to; null for a clause of no single filter.
constexpr const FilterFacts* filter_of_clause(std::string_view clause) {
  for (const FilterFacts& facts : k_filters) {
    for (const std::string_view family : facts.families) {
      if (!family.empty() && clause.starts_with(family)) return &facts;
    }
  }
  return nullptr;
}

}  // namespace touchstone
