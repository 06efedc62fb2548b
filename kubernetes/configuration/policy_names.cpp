#include "kubernetes/configuration/policy_names.hpp"

#include <algorithm>

#include "kubernetes/configuration/plugins.hpp"

namespace touchstone::kubernetes {

namespace {

/// The last release that registers predicates on conditions of nodes.
constexpr int k_last_with_conditions = 11;

/// The predicate of v1.18 that a feature gate can turn off.
constexpr std::string_view k_even_pods_spread = "EvenPodsSpread";

struct PredicateFacts {
  std::string_view name;
  std::vector<Filter> filters;
  int first_minor = 0;
  int last_minor = 1000;
};

const std::vector<PredicateFacts>& predicates() {
  static const std::vector<PredicateFacts> k_predicates = {
      {"CheckNodeCondition", {Filter::node_unschedulable}, 0, k_last_with_conditions},
      {"CheckNodeMemoryPressure", {}, 0, k_last_with_conditions},
      {"CheckNodeDiskPressure", {}, 0, k_last_with_conditions},
      {"CheckNodePIDPressure", {}, 11, k_last_with_conditions},
      {"CheckNodeUnschedulable", {Filter::node_unschedulable}, k_last_with_conditions + 1},
      {"GeneralPredicates",
       {Filter::node_resources_fit, Filter::node_name, Filter::node_ports, Filter::node_affinity}},
      {"HostName", {Filter::node_name}},
      {"PodFitsHostPorts", {Filter::node_ports}},
      {"PodFitsPorts", {Filter::node_ports}},
      {"MatchNodeSelector", {Filter::node_affinity}},
      {"PodFitsResources", {Filter::node_resources_fit}},
      {"NoDiskConflict", {Filter::volume_restrictions}},
      {"PodToleratesNodeTaints", {Filter::taint_toleration}},
      {"MaxEBSVolumeCount", {Filter::ebs_limits}},
      {"MaxGCEPDVolumeCount", {Filter::gce_pd_limits}},
      {"MaxAzureDiskVolumeCount", {Filter::azure_disk_limits}},
      {"MaxCSIVolumeCountPred", {Filter::node_volume_limits}, 12},
      {"CheckVolumeBinding", {Filter::volume_binding}, 10},
      {"NoVolumeZoneConflict", {Filter::volume_zone}},
      {k_even_pods_spread, {Filter::pod_topology_spread}, 18},
      {"MatchInterPodAffinity", {Filter::inter_pod_affinity}},
  };
  return k_predicates;
}

/// Predicates that releases register, and that are not modelled.
constexpr std::string_view k_cinder = "MaxCinderVolumeCount";
constexpr std::string_view k_volume_node_conflict = "NoVolumeNodeConflict";

struct PriorityFacts {
  std::string_view name;
  Scorer scorer;
  int first_minor = 0;
  std::string_view plugin = {};  ///< POL-PLUGIN-1; empty: it becomes no plug-in of its own
  Quantity default_weight = 0;   ///< of a Policy without priorities, from v1.17 on; 0: it does not run
};

constexpr std::array k_priorities = {
    PriorityFacts{"SelectorSpreadPriority", Scorer::selector_spread, 0, "SelectorSpread", 1},
    PriorityFacts{"InterPodAffinityPriority", Scorer::inter_pod_affinity, 0, "InterPodAffinity", 1},
    PriorityFacts{"LeastRequestedPriority", Scorer::node_resources, 0, "NodeResourcesLeastAllocated", 1},
    PriorityFacts{"BalancedResourceAllocation", Scorer::balanced_allocation, 0,
                  "NodeResourcesBalancedAllocation", 1},
    PriorityFacts{"NodePreferAvoidPodsPriority", Scorer::node_prefer_avoid_pods, 0, "NodePreferAvoidPods",
                  10000},
    PriorityFacts{"NodeAffinityPriority", Scorer::node_affinity, 0, "NodeAffinity", 1},
    PriorityFacts{"TaintTolerationPriority", Scorer::taint_toleration, 0, "TaintToleration", 1},
    PriorityFacts{"ImageLocalityPriority", Scorer::image_locality, 0, "ImageLocality", 1},
    PriorityFacts{"EvenPodsSpreadPriority", Scorer::pod_topology_spread, 18, "PodTopologySpread", 2},
    PriorityFacts{"MostRequestedPriority", Scorer::most_requested, 0, "NodeResourcesMostAllocated"},
    PriorityFacts{"ServiceSpreadingPriority", Scorer::service_spread},
    PriorityFacts{"EqualPriority", Scorer::equal},
    PriorityFacts{"RequestedToCapacityRatioPriority", Scorer::requested_to_capacity_ratio, 11}};

/// EvenPodsSpread and EvenPodsSpreadPriority of v1.18 exist if the feature gate EvenPodsSpread is on.
bool is_off(Scorer scorer, const Release& release) {
  return scorer == Scorer::pod_topology_spread && !has_filter(release, Filter::pod_topology_spread);
}

const PredicateFacts* facts_of_predicate(std::string_view name) {
  const auto found = std::find_if(predicates().begin(), predicates().end(),
                                  [name](const PredicateFacts& each) { return each.name == name; });
  return found == predicates().end() ? nullptr : &*found;
}

}  // namespace

bool is_predicate(std::string_view name, const Release& release) {
  const int minor = release.version.minor;
  if (name == k_cinder) return minor >= 14;
  if (name == k_volume_node_conflict) return minor == 8;
  const PredicateFacts* facts = facts_of_predicate(name);
  if (name == k_even_pods_spread && !has_filter(release, Filter::pod_topology_spread)) return false;
  return facts != nullptr && facts->first_minor <= minor && minor <= facts->last_minor;
}

std::set<std::string> default_predicates(const Release& release) {
  std::set<std::string> names;
  for (const std::string_view name :
       {"CheckNodeUnschedulable", "GeneralPredicates", "NoDiskConflict", "PodToleratesNodeTaints",
        "MaxEBSVolumeCount", "MaxGCEPDVolumeCount", "MaxCSIVolumeCountPred", "MaxAzureDiskVolumeCount",
        "CheckVolumeBinding", "NoVolumeZoneConflict", "EvenPodsSpread", "MatchInterPodAffinity"}) {
    if (is_predicate(name, release)) names.emplace(name);
  }
  return names;
}

std::optional<std::vector<Filter>> filters_of_predicate(std::string_view name) {
  const PredicateFacts* facts = facts_of_predicate(name);
  return facts == nullptr ? std::nullopt : std::optional(facts->filters);
}

std::vector<std::string_view> mandatory_predicates(const Release& release) {
  if (release.version.minor <= k_last_with_conditions) return {"CheckNodeCondition"};
  return {"CheckNodeUnschedulable", "PodToleratesNodeTaints"};
}

std::optional<Scorer> scorer_of_priority(std::string_view name, const Release& release) {
  const auto found = std::find_if(k_priorities.begin(), k_priorities.end(), [&](const PriorityFacts& each) {
    return each.name == name && each.first_minor <= release.version.minor && !is_off(each.scorer, release);
  });
  return found == k_priorities.end() ? std::nullopt : std::optional(found->scorer);
}

std::string plugin_of_priority(std::string_view name, const Release& release) {
  if (name == "SelectorSpreadPriority") return std::string(release.selector_spread_plugin);
  const auto found = std::find_if(k_priorities.begin(), k_priorities.end(),
                                  [name](const PriorityFacts& each) { return each.name == name; });
  return std::string(found == k_priorities.end() ? "" : found->plugin);
}

std::map<std::string, Quantity> default_priorities(const Release& release) {
  std::map<std::string, Quantity> weights;
  for (const PriorityFacts& facts : k_priorities) {
    if (facts.default_weight == 0 || !scorer_of_priority(facts.name, release)) continue;
    const bool is_light = facts.scorer == Scorer::pod_topology_spread && release.version.minor == 18;
    weights[std::string(facts.name)] = is_light ? Quantity(1) : facts.default_weight;
  }
  return weights;
}

}  // namespace touchstone::kubernetes
