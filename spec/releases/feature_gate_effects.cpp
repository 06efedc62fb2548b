#include <algorithm>

#include "spec/releases/feature_gates.hpp"
#include "spec/releases/release_table.hpp"

/// What feature gates change in releases where they do not have their default value. A row says in which
/// minor releases, and with which value. The comment names the source that was read.
namespace touchstone {

namespace {

constexpr int k_newest = 1000;

void remove_filter(Release& release, Filter filter) {
  for (std::vector<Filter>& group : release.filter_groups) std::erase(group, filter);
  std::erase_if(release.filter_groups, [](const std::vector<Filter>& group) { return group.empty(); });
}

void remove_scorer(Release& release, Scorer scorer) {
  std::erase_if(release.scorers, [scorer](const WeightedScorer& each) { return each.scorer == scorer; });
}

/// v1.18: PodTopologySpread does not run.
void without_even_spread(Release& release) {
  remove_filter(release, Filter::pod_topology_spread);
  remove_scorer(release, Scorer::pod_topology_spread);
}

/// v1.20 to v1.23: SelectorSpread runs in place of the default constraints.
void with_selector_spread(Release& release) {
  release.system_constraints = false;
  release.scorers.push_back({Scorer::selector_spread, "SelectorSpread", 1});
}

/// v1.33 to v1.36: VolumeBinding scores as in v1.37.
void with_storage_scores(Release& release) { release.storage_is_scored = true; }

/// v1.37: VolumeBinding scores nothing.
void without_storage_scores(Release& release) { release.storage_is_scored = false; }

void without_declared_features(Release& release) { remove_filter(release, Filter::node_declared_features); }

}  // namespace

const std::vector<GateEffect>& gate_effects() {
  static const std::vector<GateEffect> k_effects = {
      // The attempt. Read v1.18.20, v1.21.14 to v1.23.17, v1.34.4, v1.36.3.
      {"PodPriority", 11, 15, false, {}},
      {"EnableEquivalenceClassCache", 8, 13, true, {}},
      {"TaintNodesByCondition", 8, 11, true, {}},
      {"TaintNodesByCondition", 12, 16, false, {}},
      {"NonPreemptingPriority", 15, 18, true, sets(&Release::preemption_policy, true)},
      {"NonPreemptingPriority", 19, 23, false, sets(&Release::preemption_policy, false)},
      {"PreferNominatedNode", 21, 21, true, sets(&Release::nominated_node_first, true)},
      {"PreferNominatedNode", 22, 23, false, sets(&Release::nominated_node_first, false)},
      {"PodDisruptionConditions", 27, 30, false, sets(&Release::waits_for, WaitsFor::any_terminating)},
      {"PodSchedulingReadiness", 27, 29, false, {}},
      {"DynamicResourceAllocation", 26, 33, true, {}},
      {"DynamicResourceAllocation", 34, 34, false,
       sets(&Release::resource_claims_filter, false, &Release::prefilter_rejection_errs, false,
            &Release::text_claims, std::string_view())},
      {"NodeDeclaredFeatures", 35, 35, true, {}},
      {"NodeDeclaredFeatures", 36, 36, false, without_declared_features},
      {"TaintTolerationComparisonOperators", 35, k_newest, true, {}},
      {"GangScheduling", 35, k_newest, true, {}},
      {"GenericWorkload", 35, k_newest, true, {}},
      {"TopologyAwareWorkloadScheduling", 36, k_newest, true, {}},
      {"WorkloadAwarePreemption", 36, k_newest, true, {}},
      {"DRAWorkloadResourceClaims", 36, k_newest, true, {}},
      {"CompositePodGroup", 37, k_newest, true, {}},
      {"PodGroupPreemptionPolicy", 37, k_newest, true, {}},

      // Requests. Read v1.16.15 to v1.23.17, v1.27.16 to v1.37.2.
      {"LocalStorageCapacityIsolation", 8, 9, true, {}},
      {"LocalStorageCapacityIsolation", 10, 24, false, {}},
      {"PodOverhead", 16, 17, true,
       sets(&Release::overhead_counts, true, &Release::own_overhead_in_cores, true)},
      {"PodOverhead", 18, 23, false,
       sets(&Release::overhead_counts, false, &Release::own_overhead_in_cores, false)},
      {"InPlacePodVerticalScaling", 27, 32, true, {}},
      {"InPlacePodVerticalScaling", 33, 34, false, sets(&Release::resize_status, ResizeStatus::ignored)},
      {"InPlacePodLevelResourcesVerticalScaling", 35, 35, true, {}},
      {"InPlacePodLevelResourcesVerticalScaling", 36, 36, false,
       sets(&Release::resize_status, ResizeStatus::of_containers)},
      {"InPlacePodLevelResourcesVerticalScaling", 37, k_newest, false, {}},
      {"InPlacePodVerticalScalingSchedulerPreemption", 37, k_newest, true, {}},
      {"SidecarContainers", 28, 28, true, sets(&Release::sidecar_preemptor_rejected, false)},
      {"SidecarContainers", 29, 32, false, sets(&Release::sidecar_preemptor_rejected, true)},
      {"PodLevelResources", 32, 33, true, sets(&Release::pod_level_requests, true)},
      {"PodLevelResources", 34, k_newest, false, sets(&Release::pod_level_requests, false)},
      {"DRANodeAllocatableResources", 36, k_newest, true, {}},

      // Affinity and spreading. Read v1.18.20, v1.20.15 to v1.32.2, v1.37.2.
      {"PodAffinityNamespaceSelector", 21, 21, true, sets(&Release::affinity_namespace_selector, true)},
      {"PodAffinityNamespaceSelector", 22, 23, false, sets(&Release::affinity_namespace_selector, false)},
      {"EvenPodsSpread", 16, 17, true, {}},
      {"EvenPodsSpread", 18, 18, false, without_even_spread},
      {"DefaultPodTopologySpread", 19, 19, true, {}},
      {"DefaultPodTopologySpread", 20, 23, false, with_selector_spread},
      {"MinDomainsInPodTopologySpread", 24, 26, true, sets(&Release::spread_min_domains, true)},
      {"MinDomainsInPodTopologySpread", 27, 29, false, sets(&Release::spread_min_domains, false)},
      {"NodeInclusionPolicyInPodTopologySpread", 25, 25, true, sets(&Release::spread_node_policies, true)},
      {"NodeInclusionPolicyInPodTopologySpread", 26, 32, false, sets(&Release::spread_node_policies, false)},
      {"MatchLabelKeysInPodTopologySpread", 25, 26, true, sets(&Release::spread_match_label_keys, true)},
      {"MatchLabelKeysInPodTopologySpread", 27, k_newest, false,
       sets(&Release::spread_match_label_keys, false)},

      // Scores. Read v1.9.0 to v1.21.14, v1.33.13 to v1.37.2.
      {"ResourceLimitsPriorityFunction", 9, 18, true, {}},
      {"BalanceAttachedNodeVolumes", 11, 21, true, {}},
      {"VolumeCapacityPriority", 21, 32, true, {}},
      {"StorageCapacityScoring", 33, 36, true, with_storage_scores},
      {"StorageCapacityScoring", 37, k_newest, false, without_storage_scores},

      // Volumes. Read v1.21.14 to v1.23.17, v1.27.16, v1.28.15, v1.31.0 to v1.34.4, v1.37.2.
      {"PersistentLocalVolumes", 8, 9, true, {}},
      {"PersistentLocalVolumes", 10, 13, false, {}},
      {"VolumeScheduling", 9, 9, true, {}},
      {"VolumeScheduling", 10, 13, false, {}},
      {"BlockVolume", 9, 12, true, {}},
      {"BlockVolume", 13, 17, false, {}},
      {"DynamicProvisioningScheduling", 11, 11, true, {}},
      {"AttachVolumeLimit", 11, 11, true, {}},
      {"AttachVolumeLimit", 12, 16, false, {}},
      {"CSINodeInfo", 12, 13, true, {}},
      {"CSINodeInfo", 14, 16, false, {}},
      {"CSIInlineVolume", 15, 15, true, {}},
      {"CSIInlineVolume", 16, 24, false, {}},
      {"CSIMigration", 14, 16, true, {}},
      {"CSIMigration", 17, 24, false, {}},
      {"CSIMigrationAWS", 14, 22, true, {}},
      {"CSIMigrationAWS", 23, 24, false, {}},
      {"CSIMigrationGCE", 14, 22, true, {}},
      {"CSIMigrationGCE", 23, 24, false, {}},
      {"CSIMigrationAzureDisk", 15, 22, true, {}},
      {"CSIMigrationAzureDisk", 23, 24, false, {}},
      {"CSIMigrationOpenStack", 14, 20, true, {}},
      {"CSIMigrationOpenStack", 21, 23, false, {}},
      {"CSIMigrationPortworx", 23, 30, true, {}},
      {"CSIMigrationPortworx", 31, 32, false, {}},
      {"GenericEphemeralVolume", 19, 20, true, {}},
      {"GenericEphemeralVolume", 21, 22, false, sets(&Release::ephemeral_volumes, false)},
      {"CSIStorageCapacity", 19, 20, true, {}},
      {"CSIStorageCapacity", 21, 23, false, sets(&Release::storage_capacity, false)},
      {"ReadWriteOncePod", 22, 26, true, {}},
      {"ReadWriteOncePod", 27, 28, false,
       sets(&Release::claims_for_one_pod, false, &Release::restrictions_ask_for_claims, false)},
      {"VolumeAttributesClass", 29, 30, true, {}},
      {"VolumeAttributesClass", 31, 33, true, sets(&Release::attributes_class, AttributesClass::compared)},
      {"VolumeAttributesClass", 34, 35, false,
       sets(&Release::attributes_class, AttributesClass::not_understood)},
      {"VolumeLimitScaling", 35, 36, true, {}},
      {"VolumeLimitScaling", 37, k_newest, false, sets(&Release::missing_csi_driver_rejects, false)},
  };
  return k_effects;
}

const std::vector<GateEffect>& gate_effects_over_time() {
  static const std::vector<GateEffect> k_effects = {
      // Read v1.35.4. The first one only has the scheduler see Workloads.
      {"GenericWorkload", 35, 35, true, [](Release&) {}},
      {"GangScheduling", 35, 36, true, sets(&Release::gangs_wait, true)},
      // Read v1.36.3.
      {"GenericWorkload", 36, 36, true, sets(&Release::groups_are_scheduled, true)},
      // Read v1.37.2.
      {"GenericWorkload", 37, 37, true,
       sets(&Release::groups_are_scheduled, true, &Release::groups_are_queued, true, &Release::gangs_wait,
            true)},
  };
  return k_effects;
}

}  // namespace touchstone
