#include "kubernetes/configuration/policy_names.hpp"

#include <algorithm>

namespace touchstone::kubernetes {

namespace {

/// The last release that registers predicates on conditions of nodes.
constexpr int k_last_with_conditions = 11;

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
};

constexpr std::array k_priorities = {
    PriorityFacts{"SelectorSpreadPriority", Scorer::selector_spread},
    PriorityFacts{"InterPodAffinityPriority", Scorer::inter_pod_affinity},
    PriorityFacts{"LeastRequestedPriority", Scorer::node_resources},
    PriorityFacts{"BalancedResourceAllocation", Scorer::balanced_allocation},
    PriorityFacts{"NodePreferAvoidPodsPriority", Scorer::node_prefer_avoid_pods},
    PriorityFacts{"NodeAffinityPriority", Scorer::node_affinity},
    PriorityFacts{"TaintTolerationPriority", Scorer::taint_toleration},
    PriorityFacts{"ImageLocalityPriority", Scorer::image_locality},
    PriorityFacts{"ServiceSpreadingPriority", Scorer::service_spread},
    PriorityFacts{"EqualPriority", Scorer::equal},
    PriorityFacts{"MostRequestedPriority", Scorer::most_requested},
    PriorityFacts{"RequestedToCapacityRatioPriority", Scorer::requested_to_capacity_ratio, 11}};

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
  return facts != nullptr && facts->first_minor <= minor && minor <= facts->last_minor;
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
    return each.name == name && each.first_minor <= release.version.minor;
  });
  return found == k_priorities.end() ? std::nullopt : std::optional(found->scorer);
}

}  // namespace touchstone::kubernetes
