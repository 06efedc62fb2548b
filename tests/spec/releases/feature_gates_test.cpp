#include "spec/releases/feature_gates.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/support/builder.hpp"

/// Tests the feature gates of releases, and what they change.
namespace touchstone::tests::feature_gates_test {

namespace {

Result<Release> gated(std::string_view name, const FeatureGates& gates) {
  return with_feature_gates(release(name), gates, "--feature-gates");
}

std::string message_of(std::string_view name, const FeatureGates& gates) {
  const Result<Release> result = gated(name, gates);
  return result ? "" : result.error().message;
}

bool has_filter(const Release& release, Filter filter) {
  return std::any_of(release.filter_groups.begin(), release.filter_groups.end(), [filter](const auto& group) {
    return std::find(group.begin(), group.end(), filter) != group.end();
  });
}

bool has_scorer(const Release& release, Scorer scorer) {
  return std::any_of(release.scorers.begin(), release.scorers.end(),
                     [scorer](const WeightedScorer& each) { return each.scorer == scorer; });
}

}  // namespace

// CYC-GATES-1
TEST(FeatureGates, AreKnownWithTheirStages) {
  EXPECT_GT(feature_gates_of(8).size(), 25u);
  EXPECT_GT(feature_gates_of(37).size(), 240u);
  EXPECT_EQ(feature_gates_of(38).size(), feature_gates_of(37).size());
  EXPECT_FALSE(feature_gates_of(27).contains("SidecarContainers"));
  EXPECT_EQ(feature_gates_of(28).at("SidecarContainers").stage, 'a');
  EXPECT_FALSE(feature_gates_of(28).at("SidecarContainers").is_on);
  EXPECT_TRUE(feature_gates_of(29).at("SidecarContainers").is_on);
  EXPECT_FALSE(feature_gates_of(32).at("SidecarContainers").is_locked);
  EXPECT_TRUE(feature_gates_of(33).at("SidecarContainers").is_locked);
  EXPECT_FALSE(feature_gates_of(37).contains("SidecarContainers"));
}

// CYC-GATES-1: the words of the flag.
TEST(FeatureGates, AreReadAsTheFlagReadsThem) {
  EXPECT_TRUE(parse_feature_gates("").value().empty());
  EXPECT_EQ(parse_feature_gates(" A = true ,,B=F, C=1").value(),
            (FeatureGates{{"A", true}, {"B", false}, {"C", true}}));
  EXPECT_EQ(parse_feature_gates("A=true,A=false").value(), (FeatureGates{{"A", false}}));
  EXPECT_EQ(parse_feature_gates("A").error().message, "missing bool value for A");
  EXPECT_EQ(parse_feature_gates("A=yes").error().message,
            "invalid value of A=yes, err: strconv.ParseBool: parsing \"yes\": invalid syntax");
  EXPECT_EQ(parse_feature_gates("A=").error().code, "refused-feature-gate");
  EXPECT_EQ(parse_feature_gates("A= =true").error().path, "--feature-gates");
}

// CYC-GATES-1
TEST(FeatureGates, AreRefusedInTheWordsOfTheRelease) {
  EXPECT_EQ(message_of("v1.11", {{"NoSuchGate", true}}), "unrecognized key: NoSuchGate");
  EXPECT_EQ(message_of("v1.12", {{"NoSuchGate", true}}), "unrecognized feature gate: NoSuchGate");
  EXPECT_EQ(message_of("v1.36", {{"SidecarContainers", false}}),
            "cannot set feature gate SidecarContainers to false, feature is locked to true");
  EXPECT_EQ(message_of("v1.36", {{"SidecarContainers", true}}), "");
  EXPECT_EQ(message_of("v1.37", {{"SidecarContainers", true}}),
            "unrecognized feature gate: SidecarContainers");
}

// CYC-GATES-1: each effect is of a gate that may have this value, and that has another one by default.
TEST(FeatureGates, HaveEffectsWhereTheyCanBeSet) {
  for (const GateEffect& effect : gate_effects()) {
    std::size_t releases = 0;
    for (int minor = 8; minor <= 37; ++minor) {
      if (minor < effect.first_minor || minor > effect.last_minor) continue;
      const std::map<std::string, GateStage> gates = feature_gates_of(minor);
      const auto found = gates.find(std::string(effect.gate));
      if (found == gates.end() && effect.last_minor > 37) continue;
      ASSERT_NE(found, gates.end()) << effect.gate << " v1." << minor;
      EXPECT_NE(found->second.is_on, effect.value) << effect.gate << " v1." << minor;
      EXPECT_FALSE(found->second.is_locked) << effect.gate << " v1." << minor;
      ++releases;
    }
    EXPECT_GT(releases, 0u) << effect.gate;
  }
}

// CYC-GATES-1: a modelled effect makes a difference in every release of its row.
TEST(FeatureGates, ChangeTheirSwitch) {
  EXPECT_FALSE(gated("v1.20", {{"NonPreemptingPriority", false}}).value().preemption_policy);
  EXPECT_TRUE(gated("v1.16", {{"NonPreemptingPriority", true}}).value().preemption_policy);
  EXPECT_TRUE(gated("v1.21", {{"PreferNominatedNode", true}}).value().nominated_node_first);
  EXPECT_FALSE(gated("v1.23", {{"PreferNominatedNode", false}}).value().nominated_node_first);
  EXPECT_EQ(gated("v1.28", {{"PodDisruptionConditions", false}}).value().waits_for,
            WaitsFor::any_terminating);
  EXPECT_FALSE(gated("v1.34", {{"DynamicResourceAllocation", false}}).value().resource_claims_filter);
  EXPECT_TRUE(gated("v1.17", {{"PodOverhead", true}}).value().overhead_counts);
  EXPECT_FALSE(gated("v1.20", {{"PodOverhead", false}}).value().overhead_counts);
  EXPECT_EQ(gated("v1.33", {{"InPlacePodVerticalScaling", false}}).value().resize_status,
            ResizeStatus::ignored);
  EXPECT_EQ(gated("v1.36", {{"InPlacePodLevelResourcesVerticalScaling", false}}).value().resize_status,
            ResizeStatus::of_containers);
  EXPECT_FALSE(gated("v1.28", {{"SidecarContainers", true}}).value().sidecar_preemptor_rejected);
  EXPECT_TRUE(gated("v1.30", {{"SidecarContainers", false}}).value().sidecar_preemptor_rejected);
  EXPECT_TRUE(gated("v1.33", {{"PodLevelResources", true}}).value().pod_level_requests);
  EXPECT_FALSE(gated("v1.36", {{"PodLevelResources", false}}).value().pod_level_requests);
  EXPECT_FALSE(gated("v1.22", {{"PodAffinityNamespaceSelector", false}}).value().affinity_namespace_selector);
  EXPECT_TRUE(gated("v1.21", {{"PodAffinityNamespaceSelector", true}}).value().affinity_namespace_selector);
  EXPECT_TRUE(gated("v1.26", {{"MinDomainsInPodTopologySpread", true}}).value().spread_min_domains);
  EXPECT_FALSE(gated("v1.28", {{"MinDomainsInPodTopologySpread", false}}).value().spread_min_domains);
  EXPECT_TRUE(
      gated("v1.25", {{"NodeInclusionPolicyInPodTopologySpread", true}}).value().spread_node_policies);
  EXPECT_FALSE(
      gated("v1.30", {{"NodeInclusionPolicyInPodTopologySpread", false}}).value().spread_node_policies);
  EXPECT_TRUE(gated("v1.26", {{"MatchLabelKeysInPodTopologySpread", true}}).value().spread_match_label_keys);
  EXPECT_FALSE(
      gated("v1.37", {{"MatchLabelKeysInPodTopologySpread", false}}).value().spread_match_label_keys);
  EXPECT_FALSE(gated("v1.22", {{"GenericEphemeralVolume", false}}).value().ephemeral_volumes);
  EXPECT_FALSE(gated("v1.22", {{"CSIStorageCapacity", false}}).value().storage_capacity);
  EXPECT_FALSE(gated("v1.28", {{"ReadWriteOncePod", false}}).value().claims_for_one_pod);
  EXPECT_EQ(gated("v1.32", {{"VolumeAttributesClass", true}}).value().attributes_class,
            AttributesClass::compared);
  EXPECT_EQ(gated("v1.34", {{"VolumeAttributesClass", false}}).value().attributes_class,
            AttributesClass::not_understood);
  EXPECT_FALSE(gated("v1.37", {{"VolumeLimitScaling", false}}).value().missing_csi_driver_rejects);
}

// CYC-GATES-1: gates that add and remove plug-ins.
TEST(FeatureGates, ChangeWhichPluginsRun) {
  const Release no_spread = gated("v1.18", {{"EvenPodsSpread", false}}).value();
  EXPECT_FALSE(has_filter(no_spread, Filter::pod_topology_spread));
  EXPECT_FALSE(has_scorer(no_spread, Scorer::pod_topology_spread));
  const Release selectors = gated("v1.22", {{"DefaultPodTopologySpread", false}}).value();
  EXPECT_FALSE(selectors.system_constraints);
  EXPECT_TRUE(has_scorer(selectors, Scorer::selector_spread));
  EXPECT_FALSE(release("v1.36").storage_is_scored);
  const Release storage = gated("v1.36", {{"StorageCapacityScoring", true}}).value();
  EXPECT_TRUE(storage.storage_is_scored);
  const Release no_storage = gated("v1.37", {{"StorageCapacityScoring", false}}).value();
  EXPECT_FALSE(no_storage.storage_is_scored);
  EXPECT_TRUE(has_filter(release("v1.36"), Filter::node_declared_features));
  EXPECT_FALSE(
      has_filter(gated("v1.36", {{"NodeDeclaredFeatures", false}}).value(), Filter::node_declared_features));
}

// CYC-GATES-1: AllAlpha and AllBeta set what is not set by name.
TEST(FeatureGates, OfAStageAreSetTogether) {
  EXPECT_EQ(gated("v1.36", {{"AllAlpha", false}}).value().unmodelled_gate, "");
  EXPECT_FALSE(gated("v1.36", {{"AllAlpha", true}}).value().unmodelled_gate.empty());
  EXPECT_FALSE(gated("v1.28", {{"AllBeta", false}}).value().spread_min_domains);
  EXPECT_TRUE(gated("v1.28", {{"AllBeta", false}, {"MinDomainsInPodTopologySpread", true}})
                  .value()
                  .spread_min_domains);
}

// CYC-GATES-1
TEST(FeatureGates, NameTheFirstWhoseEffectIsNotModelled) {
  EXPECT_EQ(
      gated("v1.20", {{"BalanceAttachedNodeVolumes", true}, {"CSIMigration", false}}).value().unmodelled_gate,
      "BalanceAttachedNodeVolumes=true");
  EXPECT_EQ(gated("v1.20", {{"BalanceAttachedNodeVolumes", false}}).value().unmodelled_gate, "");
  EXPECT_EQ(gated("v1.36", {{"APIServerTracing", false}}).error().code, "refused-feature-gate");
  EXPECT_EQ(gated("v1.36", {{"SchedulerQueueingHints", true}}).value().unmodelled_gate, "");
}

}  // namespace touchstone::tests::feature_gates_test
