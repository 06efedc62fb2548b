#include "kubernetes/configuration/policy_plugins.hpp"

#include <algorithm>

#include "kubernetes/configuration/plugins.hpp"
#include "spec/releases/feature_gates.hpp"
#include "tests/kubernetes/configuration/configured.hpp"
#include "tests/support/policy.hpp"

/// Policy files from v1.17 on.
namespace touchstone::tests::policy_plugins_test {

namespace {

using Groups = std::vector<std::vector<Filter>>;
using Names = std::vector<std::string>;

const std::vector<const char*> k_releases = {"v1.17", "v1.18", "v1.19", "v1.20", "v1.21", "v1.22"};

std::string refused_policy(const std::string& members, const char* name) {
  return refusal(policy_text(members), name);
}

std::string code_of(const std::string& members, const char* name) {
  const Result<Release> read = read_config(policy_text(members), name);
  return read ? "" : read.error().code;
}

/// The scorers with their weights, sorted by name.
Names scorers_of(const Release& release) {
  Names names;
  for (const WeightedScorer& scorer : release.scorers)
    names.push_back(scorer.name + " " + std::to_string(scorer.weight));
  std::sort(names.begin(), names.end());
  return names;
}

Release with_gate(const char* name, const char* gate, const std::string& members) {
  const Release gated = with_feature_gates(release(name), {{gate, false}}, "").value();
  return kubernetes::configured_by_text(policy_text(members), "", gated, "").value();
}

std::string presence(const char* name, const char* label, const char* present) {
  return std::string(R"({"name":")") + name + R"(","argument":{"labelsPresence":{"labels":[")" + label +
         R"("],"presence":)" + present + "}}}";
}

std::string preference(const char* name, const char* label, const char* present, int weight = 2) {
  return std::string(R"({"name":")") + name + R"(","weight":)" + std::to_string(weight) +
         R"(,"argument":{"labelPreference":{"label":")" + label + R"(","presence":)" + present + "}}}";
}

std::string apart(const char* name, const char* label, int weight = 3) {
  return std::string(R"({"name":")") + name + R"(","weight":)" + std::to_string(weight) +
         R"(,"argument":{"serviceAntiAffinity":{"label":")" + label + R"("}}})";
}

std::string ratio(const std::string& name, const std::string& more = "") {
  return R"({"name":")" + name + R"(","weight":1,"argument":{"requestedToCapacityRatioArguments":)" +
         R"({"shape":[{"utilization":0,"score":1}])" + more + "}}}";
}

std::string predicates(const std::string& list) { return R"("predicates":[)" + list + "]"; }
std::string priorities(const std::string& list) { return R"("priorities":[)" + list + "]"; }

}  // namespace

// POL-SET-1, POL-SET-2
TEST(PolicyPlugins, RunTheDefaultPredicatesInTheOrderOfAPolicy) {
  const Groups v1_17 = {
      {Filter::node_unschedulable}, {Filter::node_resources_fit}, {Filter::node_name},
      {Filter::node_ports},         {Filter::node_affinity},      {Filter::volume_restrictions},
      {Filter::taint_toleration},   {Filter::ebs_limits},         {Filter::gce_pd_limits},
      {Filter::node_volume_limits}, {Filter::azure_disk_limits},  {Filter::volume_binding},
      {Filter::volume_zone},        {Filter::inter_pod_affinity}};
  EXPECT_EQ(tests::with_policy("v1.17", "").filter_groups, v1_17);
  Groups later = v1_17;
  later.insert(later.end() - 1, {Filter::pod_topology_spread});
  for (const char* name : {"v1.18", "v1.19", "v1.20", "v1.21", "v1.22"}) {
    EXPECT_EQ(tests::with_policy(name, R"("predicates":null)").filter_groups, later) << name;
    EXPECT_TRUE(tests::with_policy(name, "").prefilters_off.empty()) << name;
  }
  EXPECT_EQ(with_gate("v1.18", "EvenPodsSpread", "").filter_groups, v1_17);
}

// POL-SET-3
TEST(PolicyPlugins, RunTheDefaultPrioritiesAsPlugins) {
  Names names = {"DefaultPodTopologySpread 1",
                 "ImageLocality 1",
                 "InterPodAffinity 1",
                 "NodeAffinity 1",
                 "NodePreferAvoidPods 10000",
                 "NodeResourcesBalancedAllocation 1",
                 "NodeResourcesLeastAllocated 1",
                 "TaintToleration 1"};
  EXPECT_EQ(scorers_of(tests::with_policy("v1.17", "")), names);
  EXPECT_EQ(scorers_of(with_gate("v1.18", "EvenPodsSpread", "")), names);
  names.insert(names.end() - 1, "PodTopologySpread 1");
  EXPECT_EQ(scorers_of(tests::with_policy("v1.18", "")), names);
  for (const char* name : {"v1.18", "v1.19", "v1.20", "v1.21"})
    EXPECT_EQ(scorers_of(tests::with_policy(name, "")), scorers_of(release(name))) << name;
  EXPECT_EQ(scorers_of(tests::with_policy("v1.22", R"("priorities":null)")), scorers_of(release("v1.21")));
  for (const char* name : k_releases)
    EXPECT_EQ(tests::with_policy(name, "").system_constraints, release(name).system_constraints) << name;
}

// POL-SET-1
TEST(PolicyPlugins, AlwaysRunTheMandatoryPredicates) {
  for (const char* name : k_releases)
    EXPECT_EQ(tests::with_policy(name, predicates("")).filter_groups,
              (Groups{{Filter::node_unschedulable}, {Filter::taint_toleration}}))
        << name;
}

// POL-SET-2
TEST(PolicyPlugins, RunPodFitsPortsFromV118) {
  const std::string ports = predicates(R"({"name":"PodFitsPorts"})");
  EXPECT_FALSE(kubernetes::has_filter(tests::with_policy("v1.17", ports), Filter::node_ports));
  EXPECT_TRUE(kubernetes::has_filter(tests::with_policy("v1.18", ports), Filter::node_ports));
}

// POL-SET-1, POL-REFUSED-1
TEST(PolicyPlugins, KnowThePredicatesOfTheirRelease) {
  const std::string spread = predicates(R"({"name":"EvenPodsSpread"})");
  EXPECT_EQ(tests::with_policy("v1.18", spread).filter_groups.back(),
            (std::vector<Filter>{Filter::pod_topology_spread}));
  expect_part(refused_policy(spread, "v1.17"),
              "Invalid configuration: Predicate type not found for EvenPods");
  EXPECT_EQ(code_of(predicates(R"({"name":"MaxCinderVolumeCount"})"), "v1.19"), "not-supported");
  const std::string unknown = predicates(R"({"name":"CheckNodeCondition"})");
  expect_part(refused_policy(unknown, "v1.18"),
              R"(Invalid configuration: Predicate type not found for "CheckNodeCondition")");
  expect_part(refused_policy(unknown, "v1.21"), R"(: predicate type not found for "CheckNodeCondition")");
}

// POL-PLUGIN-1
TEST(PolicyPlugins, DoNotRunThePreFiltersOfOthers) {
  const Release bare = tests::with_policy("v1.19", predicates(""));
  const auto is_off = [&bare](Filter filter) {
    return std::count(bare.prefilters_off.begin(), bare.prefilters_off.end(), filter);
  };
  EXPECT_EQ(is_off(Filter::inter_pod_affinity), 1);
  EXPECT_EQ(is_off(Filter::volume_binding), 1);
  EXPECT_EQ(is_off(Filter::node_name), 0);
  EXPECT_EQ(is_off(Filter::service_affinity), 0);
  EXPECT_TRUE(bare.filters_without_state.empty());
}

// POL-PLUGIN-1
TEST(PolicyPlugins, SpreadServicesAsTheirReleaseDoes) {
  const std::string services = priorities(R"({"name":"ServiceSpreadingPriority","weight":4},
    {"name":"SelectorSpreadPriority","weight":5})");
  EXPECT_EQ(scorers_of(tests::with_policy("v1.17", services)),
            (Names{"DefaultPodTopologySpread 5", "ServiceSpreadingPriority 4"}));
  EXPECT_EQ(scorers_of(tests::with_policy("v1.18", services)), (Names{"DefaultPodTopologySpread 5"}));
  EXPECT_EQ(scorers_of(tests::with_policy("v1.19", services)), (Names{"SelectorSpread 5"}));
  const Release spread = tests::with_policy("v1.20", services);
  EXPECT_EQ(scorers_of(spread), (Names{"PodTopologySpread 5"}));
  EXPECT_TRUE(spread.system_constraints);
  EXPECT_EQ(scorers_of(with_gate("v1.20", "DefaultPodTopologySpread", services)),
            (Names{"SelectorSpread 5"}));
}

// POL-PLUGIN-1
TEST(PolicyPlugins, SpreadPodsWithSystemConstraintsOnlyForSelectorSpreadPriority) {
  const std::string even = R"({"name":"EvenPodsSpreadPriority","weight":3})";
  const Release alone = tests::with_policy("v1.22", priorities(even));
  EXPECT_EQ(scorers_of(alone), (Names{"PodTopologySpread 3"}));
  EXPECT_FALSE(alone.system_constraints);
  const Release both =
      tests::with_policy("v1.22", priorities(R"({"name":"SelectorSpreadPriority","weight":7},)" + even));
  EXPECT_EQ(scorers_of(both), (Names{"PodTopologySpread 3"}));
  EXPECT_TRUE(both.system_constraints);
  expect_part(refused_policy(priorities(even), "v1.17"),
              "Priority type not found for EvenPodsSpreadPriority");
}

// POL-PLUGIN-1, POL-RATIO-1
TEST(PolicyPlugins, RunOldPrioritiesInV117) {
  const std::string old = priorities(R"({"name":"RequestedToCapacityRatioPriority","weight":3})");
  const Release early = tests::with_policy("v1.17", old);
  EXPECT_EQ(scorers_of(early), (Names{"RequestedToCapacityRatioPriority 3"}));
  EXPECT_EQ(early.scorers[0].shape, (std::vector<ShapePoint>{{0, 10}, {100, 0}}));
  expect_part(refused_policy(old, "v1.18"),
              R"(Priority type not found for "RequestedToCapacityRatioPriority")");
  expect_part(refused_policy(old, "v1.22"), R"(: priority type not found for "Requested)");
  EXPECT_EQ(scorers_of(tests::with_policy("v1.18", priorities(ratio("RequestedToCapacityRatioPriority")))),
            (Names{"RequestedToCapacityRatio 1"}));
}

// POL-EQUAL-1
TEST(PolicyPlugins, LeaveOutEqualPriority) {
  for (const char* name : k_releases) {
    const std::string equal = priorities(R"({"name":"EqualPriority","weight":3},
      {"name":"MostRequestedPriority","weight":2})");
    EXPECT_EQ(scorers_of(tests::with_policy(name, equal)), (Names{"NodeResourcesMostAllocated 2"})) << name;
  }
}

// POL-PLUGIN-2
TEST(PolicyPlugins, AddUpTheLabelsOfPredicates) {
  const std::string members = predicates(presence("A", "a", "true") + "," + presence("B", "b", "false") +
                                         "," + presence("C", "c", "true") +
                                         R"(,{"name":"D","argument":{"serviceAffinity":{"labels":["d"]}}},
                 {"name":"E","argument":{"serviceAffinity":{"labels":["e","f"]}}})");
  for (const char* name : k_releases) {
    const Release configured = tests::with_policy(name, members);
    EXPECT_EQ(configured.required_labels, (std::vector<RequiredLabels>{{{"a", "c"}, true}, {{"b"}, false}}));
    EXPECT_EQ(configured.service_affinities, (std::vector<Names>{{"d", "e", "f"}}));
    EXPECT_EQ(configured.filter_groups, (Groups{{Filter::node_unschedulable},
                                                {Filter::taint_toleration},
                                                {Filter::node_label},
                                                {Filter::service_affinity}}));
  }
}

// POL-PLUGIN-2
TEST(PolicyPlugins, AddUpTheLabelsAndWeightsOfPriorities) {
  const std::string members =
      priorities(preference("A", "a", "true") + "," + preference("B", "b", "false") + "," +
                 preference("C", "c", "true") + "," + apart("D", "d") + "," + apart("E", "e"));
  for (const char* name : k_releases) {
    const Release configured = tests::with_policy(name, members);
    EXPECT_EQ(scorers_of(configured), (Names{"NodeLabel 6", "ServiceAffinity 6"})) << name;
    EXPECT_EQ(configured.scorers[0].labels, (Names{"a", "c"}));
    EXPECT_EQ(configured.scorers[0].absent_labels, (Names{"b"}));
    EXPECT_EQ(configured.scorers[1].labels, (Names{"d", "e"}));
  }
}

// POL-PLUGIN-2, POL-REFUSED-2
TEST(PolicyPlugins, LoseTheArgumentsOfKnownNamesFromV118) {
  const std::string labels = predicates(presence("CheckNodeLabelPresence", "a", "true"));
  EXPECT_EQ(tests::with_policy("v1.17", labels).required_labels.size(), 1U);
  for (const char* name : {"v1.18", "v1.19", "v1.20", "v1.21"}) {
    EXPECT_TRUE(tests::with_policy(name, labels).required_labels.empty()) << name;
    EXPECT_FALSE(kubernetes::has_filter(tests::with_policy(name, labels), Filter::node_label)) << name;
  }
  expect_part(refused_policy(labels, "v1.22"),
              R"(initializing plugin "NodeLabel": want args to be of type NodeLabelArgs, got <nil>)");
  const std::string service =
      predicates(R"({"name":"CheckServiceAffinity","argument":{"serviceAffinity":{"labels":["a"]}}})");
  EXPECT_EQ(tests::with_policy("v1.17", service).service_affinities.size(), 1U);
  EXPECT_TRUE(tests::with_policy("v1.21", service).service_affinities.empty());
  expect_part(refused_policy(service, "v1.22"), R"(initializing plugin "ServiceAffinity")");
  const std::string both =
      predicates(presence("CheckNodeLabelPresence", "a", "true") + "," + presence("Other", "b", "true"));
  EXPECT_EQ(tests::with_policy("v1.22", both).required_labels, (std::vector<RequiredLabels>{{{"b"}, true}}));
  const std::string host = predicates(presence("HostName", "a", "true"));
  EXPECT_TRUE(kubernetes::has_filter(tests::with_policy("v1.17", host), Filter::node_label));
  EXPECT_TRUE(kubernetes::has_filter(tests::with_policy("v1.18", host), Filter::node_name));
}

// POL-PLUGIN-2, POL-REFUSED-2
TEST(PolicyPlugins, AreNotPrioritiesThemselves) {
  for (const char* plugin : {"NodeLabel", "ServiceAffinity", "RequestedToCapacityRatio"}) {
    const std::string members = priorities(R"({"name":")" + std::string(plugin) + R"(","weight":1})");
    EXPECT_EQ(code_of(members, "v1.17"), "refused-configuration") << plugin;
    EXPECT_EQ(code_of(members, "v1.18"), "not-supported") << plugin;
  }
  const std::string named = priorities(preference("ImageLocalityPriority", "a", "true"));
  EXPECT_EQ(scorers_of(tests::with_policy("v1.17", named)), (Names{"NodeLabel 2"}));
  EXPECT_EQ(scorers_of(tests::with_policy("v1.18", named)), (Names{"ImageLocality 2"}));
}

// POL-RATIO-1, POL-REFUSED-2
TEST(PolicyPlugins, TakeTheResourcesOfARatio) {
  const std::vector<ScoredResource> basic = {{"cpu", 1}, {"memory", 1}};
  EXPECT_EQ(tests::with_policy("v1.18", priorities(ratio("R"))).scorers[0].resources, basic);
  EXPECT_EQ(tests::with_policy("v1.18", priorities(ratio("R", R"(,"resources":[])"))).scorers[0].resources,
            basic);
  EXPECT_TRUE(tests::with_policy("v1.19", priorities(ratio("R"))).scorers[0].resources.empty());
  const std::string heavy = ratio("R", R"(,"resources":[{"name":"cpu","weight":5}])");
  EXPECT_EQ(tests::with_policy("v1.22", priorities(heavy)).scorers[0].resources,
            (std::vector<ScoredResource>{{"cpu", 5}}));
  const std::string light = priorities(ratio("R", R"(,"resources":[{"name":"cpu"}])"));
  EXPECT_EQ(tests::with_policy("v1.18", light).scorers[0].resources,
            (std::vector<ScoredResource>{{"cpu", 1}}));
  expect_part(refused_policy(light, "v1.19"), "resource cpu weight 0 must not be less than 1");
  const std::string negative = priorities(ratio("R", R"(,"resources":[{"name":"cpu","weight":-1}])"));
  EXPECT_EQ(code_of(negative, "v1.17"), "not-supported");
  EXPECT_EQ(code_of(negative, "v1.22"), "refused-configuration");
}

// POL-REFUSED-2
TEST(PolicyPlugins, RefuseOneFilterOfTwoPredicatesUpToV119) {
  const std::string twice = predicates(R"({"name":"GeneralPredicates"},{"name":"HostName"})");
  for (const char* name : {"v1.17", "v1.18", "v1.19"})
    expect_part(refused_policy(twice, name), R"(plugin "NodeName" already registered as "FilterPlugin")");
  for (const char* name : {"v1.20", "v1.21", "v1.22"})
    EXPECT_EQ(tests::with_policy(name, twice).filter_groups, (Groups{{Filter::node_unschedulable},
                                                                     {Filter::node_resources_fit},
                                                                     {Filter::node_name},
                                                                     {Filter::node_ports},
                                                                     {Filter::node_affinity},
                                                                     {Filter::taint_toleration}}))
        << name;
  const std::string same = predicates(R"({"name":"HostName"},{"name":"HostName"})");
  EXPECT_EQ(refused_policy(same, "v1.17"), "");
}

// POL-REFUSED-2
TEST(PolicyPlugins, RefusePrioritiesThatDoNotGoTogether) {
  for (const char* name : k_releases) {
    expect_part(refused_policy(
                    priorities(preference("A", "a", "true") + "," + preference("B", "b", "true", 3)), name),
                R"(LabelPreference  priority "B" has a different weight with "A")");
    expect_part(refused_policy(priorities(apart("A", "a") + "," + apart("B", "b", 1)), name),
                R"(ServiceAntiAffinity  priority "B" has a different weight with "A")");
    expect_part(refused_policy(priorities(ratio("A") + "," + ratio("B")), name),
                R"("B" redeclares custom priority "RequestedToCapacityRatio", from: "A")");
    expect_part(
        refused_policy(priorities(preference("A", "a", "true") + "," + preference("B", "a", "false")), name),
        R"(the label "a" is in both the present and the absent labels)");
    expect_part(
        refused_policy(predicates(presence("A", "a", "true") + "," + presence("B", "a", "false")), name),
        R"(the label "a" is in both the present and the absent labels)");
  }
  const std::string none = priorities(R"({"name":"A","weight":1,"argument":{}})");
  expect_part(refused_policy(none, "v1.19"), "No priority arguments set for priority A");
  expect_part(refused_policy(none, "v1.20"), "no priority arguments set for priority A");
}

// POL-REFUSED-1
TEST(PolicyPlugins, RefuseInTheWordsOfTheRelease) {
  const std::string weightless = priorities(R"({"name":"EqualPriority"})");
  expect_part(refused_policy(weightless, "v1.19"), "Priority EqualPriority should have a positive weight");
  expect_part(refused_policy(weightless, "v1.20"), "priority EqualPriority should have a positive weight");
  const std::string two = predicates(R"({"name":"T","argument":{"labelsPresence":{},"serviceAffinity":{}}})");
  expect_part(refused_policy(two, "v1.20"),
              "Exactly 1 predicate argument is required, numArgs: 2, Predicate: T");
  expect_part(refused_policy(two, "v1.21"),
              "exactly 1 predicate argument is required, numArgs: 2, predicate T");
  const std::string heavy = R"("hardPodAffinitySymmetricWeight":101)";
  expect_part(refused_policy(heavy, "v1.17"), "must be in the range 1-100");
  expect_part(refused_policy(heavy, "v1.18"), "Invalid value: 101: not in valid range [0-100]");
  EXPECT_EQ(tests::with_policy("v1.18", R"("hardPodAffinitySymmetricWeight":7)").hard_pod_affinity_weight, 7);
  // Names are not checked any more.
  EXPECT_EQ(refused_policy(predicates(presence("_", "a", "true")), "v1.17"), "");
}

// POL-SET-3
TEST(PolicyPlugins, DoNotModelWeightsOfMoreThan32Bits) {
  EXPECT_EQ(code_of(priorities(R"({"name":"ImageLocalityPriority","weight":2147483648})"), "v1.17"),
            "not-supported");
  EXPECT_EQ(code_of(priorities(R"({"name":"ImageLocalityPriority","weight":2147483647})"), "v1.17"), "");
  EXPECT_EQ(code_of(priorities(preference("A", "a", "true", 2000000000) + "," +
                               preference("B", "b", "true", 2000000000)),
                    "v1.20"),
            "not-supported");
}

// POL-REFUSED-2
TEST(PolicyPlugins, RefuseIgnoredResourcesWithoutNodeResourcesFitInV122) {
  const std::string extenders =
      R"("extenders":[{"urlPrefix":"http://x","managedResources":[{"name":"a.b/c","ignoredByScheduler":true}]}])";
  expect_part(refused_policy(predicates("") + "," + extenders, "v1.22"),
              "can't find NodeResourcesFitArgs in plugin config");
  EXPECT_EQ(refused_policy(predicates("") + "," + extenders, "v1.21"), "");
  EXPECT_EQ(refused_policy(extenders, "v1.22"), "");
  EXPECT_EQ(refused_policy(predicates("") + R"(,"extenders":[{"urlPrefix":"http://x",
    "managedResources":[{"name":"a.b/c"}]}])",
                           "v1.22"),
            "");
}

// POL-PREEMPT-1
TEST(PolicyPlugins, DoNotPreemptInTheFirstPatchesOfV119) {
  for (const char* name : {"v1.16", "v1.17", "v1.18", "v1.19.5", "v1.20.0", "v1.22"})
    EXPECT_TRUE(tests::with_policy(name, "").preempts) << name;
  for (const char* name : {"v1.19.0", "v1.19.4"}) {
    EXPECT_FALSE(tests::with_policy(name, "").preempts) << name;
    EXPECT_TRUE(release(name).preempts) << name;
  }
}

// POL-ALL-1
TEST(PolicyPlugins, CheckAllPredicatesButInV117) {
  const std::string all = R"("alwaysCheckAllPredicates":true)";
  EXPECT_FALSE(tests::with_policy("v1.17", all).checks_all_filters);
  for (const char* name : {"v1.10", "v1.16", "v1.18", "v1.22"})
    EXPECT_TRUE(tests::with_policy(name, all).checks_all_filters) << name;
}

// CYC-GATES-1
TEST(PolicyPlugins, AreNotModelledWithUnknownEffectsOfGates) {
  const Release gated = with_feature_gates(release("v1.17"), {{"EvenPodsSpread", true}}, "").value();
  const auto read = [&gated](const std::string& members) {
    return kubernetes::configured_by_text(policy_text(members), "", gated, "").error().code;
  };
  EXPECT_EQ(read(predicates(R"({"name":"EvenPodsSpread"})")), "not-supported");
  EXPECT_EQ(read(priorities(R"({"name":"EvenPodsSpreadPriority","weight":1})")), "not-supported");
}

}  // namespace touchstone::tests::policy_plugins_test
