#include "kubernetes/configuration/plugins.hpp"

#include <gtest/gtest.h>

#include "tests/kubernetes/configuration/configured.hpp"

/// Which filters and scorers a profile runs.
namespace touchstone::tests::plugins_test {

namespace {

using Names = std::vector<std::string>;

/// A configuration whose profile has these sets of plug-ins.
std::string plugins(const std::string& sets, const std::string& version = "v1") {
  return one_profile(R"("plugins":{)" + sets + "}", version);
}

/// The sets that each profile without default plug-ins needs.
const std::string k_needed = R"("queueSort":{"enabled":[{"name":"PrioritySort"}]},
    "bind":{"enabled":[{"name":"DefaultBinder"}]})";

Names filters_of(const Release& release) {
  Names names;
  for (const std::vector<Filter>& group : release.filter_groups) {
    for (const Filter filter : group) names.emplace_back(plugin_of(filter));
  }
  return names;
}

/// The scorers, with weights that are not 1: "TaintToleration x3".
Names scorers_of(const Release& release) {
  Names names;
  for (const WeightedScorer& scorer : release.scorers) {
    if (scorer.scorer == Scorer::volume_capacity) continue;  // skipped before v1.37
    names.push_back(std::string(scorer.name) +
                    (scorer.weight == 1 ? "" : " x" + std::to_string(static_cast<long>(scorer.weight))));
  }
  return names;
}

}  // namespace

// CYC-PROFILE-1, SCORE-SET-1
TEST(Plugins, OfOnePointAreDisabledByName) {
  const Release changed = taken(plugins(R"("filter":{"disabled":[{"name":"NodePorts"},{"name":"Unknown"}]},
      "score":{"disabled":[{"name":"ImageLocality"}]})"));
  EXPECT_EQ(filters_of(changed),
            (Names{"NodeUnschedulable", "NodeName", "TaintToleration", "NodeAffinity", "NodeResourcesFit",
                   "VolumeRestrictions", "NodeVolumeLimits", "VolumeBinding", "VolumeZone",
                   "PodTopologySpread", "InterPodAffinity"}));
  EXPECT_EQ(scorers_of(changed),
            (Names{"TaintToleration x3", "NodeAffinity x2", "NodeResourcesFit", "PodTopologySpread x2",
                   "InterPodAffinity x2", "NodeResourcesBalancedAllocation"}));
  EXPECT_TRUE(changed.prefilters_off.empty());
}

// CYC-PROFILE-1
TEST(Plugins, OfOnePointReplaceAllThatRunByDefault) {
  const Release changed = taken(plugins(R"("filter":{"disabled":[{"name":"*"}],
      "enabled":[{"name":"TaintToleration"},{"name":"NodeName"}]},"score":{"disabled":[{"name":"*"}]})"));
  EXPECT_EQ(filters_of(changed), (Names{"TaintToleration", "NodeName"}));
  EXPECT_TRUE(changed.scorers.empty());
}

// CYC-PROFILE-1
TEST(Plugins, ThatAreEnabledComeFirstIfTheyRunByDefaultToo) {
  const Release changed = taken(plugins(
      R"("multiPoint":{"disabled":[{"name":"*"}],
             "enabled":[{"name":"NodePorts"},{"name":"NodeName"},{"name":"NodeUnschedulable"}]},
         "filter":{"disabled":[{"name":"NodePorts"}],
             "enabled":[{"name":"TaintToleration"},{"name":"NodePorts"},{"name":"NodeUnschedulable"}]},)" +
      k_needed));
  EXPECT_EQ(filters_of(changed), (Names{"NodeUnschedulable", "NodeName", "TaintToleration", "NodePorts"}));
}

// CYC-PROFILE-1
TEST(Plugins, OfAllPointsKeepTheirPlaceAndTakeANewWeight) {
  const Release changed = taken(plugins(R"("multiPoint":{"disabled":[{"name":"NodeName"}],
      "enabled":[{"name":"NodeName"},{"name":"NodeAffinity","weight":9},{"name":"InterPodAffinity"}]})"));
  EXPECT_EQ(filters_of(changed).back(), "NodeName");
  EXPECT_EQ(scorers_of(changed),
            (Names{"TaintToleration x3", "NodeAffinity x9", "NodeResourcesFit", "PodTopologySpread x2",
                   "InterPodAffinity", "NodeResourcesBalancedAllocation", "ImageLocality"}));
}

// CYC-PROFILE-1
TEST(Plugins, TakeTheWeightOfTheirOwnPoint) {
  const Release changed = taken(plugins(R"("multiPoint":{"enabled":[{"name":"NodeAffinity","weight":9}]},
      "score":{"enabled":[{"name":"NodeAffinity","weight":4},{"name":"TaintToleration"}]})"));
  EXPECT_EQ(scorers_of(changed)[0], "NodeAffinity x4");
  EXPECT_EQ(scorers_of(changed)[1], "TaintToleration");
}

// CYC-PROFILE-1
TEST(Plugins, WithoutTheirPreFilterMayErr) {
  const Release changed = taken(plugins(R"("preFilter":{"disabled":[{"name":"*"}]})"), "v1.33");
  const std::vector<Filter> off = {
      Filter::node_affinity,       Filter::node_ports,         Filter::node_resources_fit,
      Filter::volume_restrictions, Filter::node_volume_limits, Filter::volume_binding,
      Filter::volume_zone,         Filter::inter_pod_affinity, Filter::pod_topology_spread};
  EXPECT_EQ(changed.prefilters_off, off);
  const std::vector<Filter> err = {Filter::node_ports,          Filter::node_resources_fit,
                                   Filter::volume_restrictions, Filter::volume_binding,
                                   Filter::inter_pod_affinity,  Filter::pod_topology_spread};
  EXPECT_EQ(changed.filters_without_state, err);
  const Release nowhere = taken(plugins(R"("multiPoint":{"disabled":[{"name":"NodePorts"}]})"));
  EXPECT_EQ(nowhere.prefilters_off, std::vector<Filter>{Filter::node_ports});
  EXPECT_TRUE(nowhere.filters_without_state.empty());
}

// CYC-PROFILE-1
TEST(Plugins, LetThePreScoreOfVolumeBindingErrWithoutItsPreFilter) {
  const std::string filters =
      R"("filter":{"disabled":[{"name":"VolumeBinding"}]},"preFilter":{"disabled":[{"name":"VolumeBinding"}]})";
  EXPECT_EQ(taken(plugins(filters), "v1.37").prescore_error,
            "running PreScore plugin \"VolumeBinding\": not found");
  EXPECT_EQ(taken(plugins(filters), "v1.36").prescore_error, "") << "it does not score there";
  EXPECT_EQ(taken(plugins(filters + R"(,"preScore":{"disabled":[{"name":"VolumeBinding"}]})"), "v1.37")
                .prescore_error,
            "");
}

// CYC-PROFILE-1
TEST(Plugins, KeepTheirOrderAfterTheFilters) {
  EXPECT_FALSE(taken(configuration(""), "v1.35").claims_after_preemption);
  EXPECT_FALSE(taken(plugins(R"("postFilter":{"disabled":[{"name":"DefaultPreemption"}]})"), "v1.35")
                   .claims_after_preemption);
  const std::string last =
      R"("multiPoint":{"disabled":[{"name":"DynamicResources"}],"enabled":[{"name":"DynamicResources"}]})";
  EXPECT_TRUE(taken(plugins(last), "v1.35").claims_after_preemption);
}

// CYC-PROFILE-1: a plug-in whose feature gate is off does nothing.
TEST(Plugins, BehindAGateDoNothingWithoutIt) {
  const std::string with = plugins(
      R"("filter":{"enabled":[{"name":"NodeDeclaredFeatures"}]},"preFilter":{"disabled":[{"name":"NodeDeclaredFeatures"}]})");
  for (const char* name : {"v1.35.4", "v1.36"}) {
    const Release changed = taken(with, name);
    const std::vector<Filter> group = {Filter::node_declared_features};
    const std::vector<std::vector<Filter>>& groups = changed.filter_groups;
    const bool runs = std::find(groups.begin(), groups.end(), group) != groups.end();
    EXPECT_EQ(runs, std::string_view(name) == "v1.36") << name;
    EXPECT_EQ(changed.filters_without_state, runs ? group : std::vector<Filter>()) << name;
  }
}

// CYC-PROFILE-1
TEST(Plugins, WithDynamicResourcesButNotItsPreFilterAreNotModelled) {
  const std::string without = plugins(R"("preFilter":{"disabled":[{"name":"DynamicResources"}]})");
  EXPECT_EQ(read_config(without, "v1.34").error().code, "not-supported");
  EXPECT_TRUE(read_config(without, "v1.33")) << "its feature gate is off";
}

// CYC-PROFILE-1
TEST(Plugins, WithoutTheirPreScoreMayErr) {
  const Release changed = taken(plugins(R"("preScore":{"disabled":[{"name":"*"}]})"));
  EXPECT_EQ(changed.scorers_without_state,
            (std::vector<Scorer>{Scorer::taint_toleration, Scorer::pod_topology_spread,
                                 Scorer::inter_pod_affinity}));
  EXPECT_TRUE(changed.balance_prescore_off);
  EXPECT_FALSE(taken(configuration("")).balance_prescore_off);
}

// CYC-PROFILE-1
TEST(Plugins, PreemptOnlyWithDefaultPreemption) {
  const Release changed =
      taken(plugins(R"("postFilter":{"disabled":[{"name":"DefaultPreemption"}]})"), "v1.36");
  EXPECT_FALSE(changed.preempts);
  EXPECT_EQ(changed.text_claims, "no new claims to deallocate");
  const Release neither = taken(plugins(R"("postFilter":{"disabled":[{"name":"*"}]})"), "v1.36");
  EXPECT_FALSE(neither.preempts);
  EXPECT_EQ(neither.text_claims, "");
}

TEST(Plugins, ForClaimsMayBeLeftOut) {
  EXPECT_TRUE(taken(configuration("")).resource_claims_filter);
  const auto off = [](const std::string& point) {
    return "\"" + point + R"(":{"disabled":[{"name":"DynamicResources"}]})";
  };
  EXPECT_FALSE(taken(plugins(off("multiPoint"))).resource_claims_filter);
  EXPECT_TRUE(taken(plugins(off("filter"))).resource_claims_filter);
  const std::string filters = off("filter") + "," + off("preFilter") + "," + off("postFilter");
  EXPECT_TRUE(taken(plugins(filters), "v1.35").resource_claims_filter);
  EXPECT_FALSE(taken(plugins(filters + "," + off("score")), "v1.35").resource_claims_filter);
  EXPECT_FALSE(taken(plugins(off("postFilter")), "v1.35").prefilter_rejection_errs);
}

// CYC-PROFILE-1, PRE-PREFILTER-6
TEST(Plugins, RunTheirPreFiltersInOrder) {
  const Release usual = taken(configuration(""), "v1.36");
  const std::vector<Filter>& order = usual.prefilters;
  const auto place = [&order](Filter filter) { return std::find(order.begin(), order.end(), filter); };
  EXPECT_LT(place(Filter::node_affinity), place(Filter::volume_restrictions));
  EXPECT_LT(place(Filter::volume_restrictions), place(Filter::volume_binding));
  EXPECT_LT(place(Filter::volume_binding), place(Filter::volume_zone));
  EXPECT_NE(place(Filter::volume_zone), order.end());
  EXPECT_EQ(usual.prefilters_after_claims, std::vector<Filter>{});

  const Release last = taken(plugins(R"("preFilter":{"enabled":[{"name":"DynamicResources"},
      {"name":"VolumeBinding"}],"disabled":[{"name":"VolumeBinding"},{"name":"NodeAffinity"}]})"),
                             "v1.36");
  EXPECT_EQ(last.prefilters.back(), Filter::volume_binding);
  EXPECT_EQ(std::count(last.prefilters.begin(), last.prefilters.end(), Filter::node_affinity), 0);
  EXPECT_NE(std::count(last.prefilters_after_claims.begin(), last.prefilters_after_claims.end(),
                       Filter::volume_binding),
            0);
}

TEST(Plugins, AreRefusedIfTheyDoNotExistHere) {
  expect_part(refusal(plugins(R"("filter":{"enabled":[{"name":"Mine"}]})")),
              R"(profiles[0].plugins.filter.enabled[0]: plugin "Mine" does not exist)");
  expect_part(refusal(plugins(R"("score":{"enabled":[{"name":"*"}]})")), R"(plugin "*" does not exist)");
  expect_part(refusal(plugins(R"("multiPoint":{"enabled":[{"name":"Mine"}]})")), "does not exist");
  expect_part(refusal(plugins(R"("score":{"enabled":[{"name":"NodePorts"}]})")),
              R"(plugin "NodePorts" does not extend score plugin)");
  expect_part(refusal(plugins(R"("permit":{"enabled":[{"name":"NodePorts"}]})")),
              "does not extend permit plugin");
  expect_part(refusal(plugins(R"("filter":{"enabled":[{"name":"NodePorts"},{"name":"NodePorts"}]})")),
              R"(plugin "NodePorts" already registered as "filter")");
  EXPECT_NE(refusal(plugins(R"("filter":{"enabled":[{"name":"EBSLimits"}]})"), "v1.31"), "");
  EXPECT_EQ(refusal(plugins(R"("filter":{"enabled":[{"name":"EBSLimits"}]})"), "v1.30"), "");
  EXPECT_NE(refusal(plugins(R"("preFilter":{"enabled":[{"name":"NodeName"}]})"), "v1.36"), "");
  EXPECT_EQ(refusal(plugins(R"("preFilter":{"enabled":[{"name":"NodeName"}]})"), "v1.37"), "");
  EXPECT_NE(refusal(plugins(R"("filter":{"enabled":[{"name":"NodeDeclaredFeatures"}]})"), "v1.34"), "");
}

TEST(Plugins, MustSortTheQueueAndBind) {
  expect_part(refusal(plugins(R"("queueSort":{"disabled":[{"name":"*"}]})")),
              "no queue sort plugin is enabled");
  expect_part(refusal(plugins(R"("bind":{"disabled":[{"name":"DefaultBinder"}]})")),
              "at least one bind plugin is needed");
}

TEST(Plugins, ThatAreNotModelledAreNotSupported) {
  const auto code = [](const std::string& sets, const char* name) {
    const Result<Release> read = read_config(plugins(sets, "v1beta2"), name);
    return read ? "" : read.error().code;
  };
  EXPECT_EQ(code(R"("filter":{"enabled":[{"name":"NodeLabel"}]})", "v1.22"), "not-supported");
  EXPECT_EQ(code(R"("score":{"enabled":[{"name":"NodeResourcesMostAllocated"}]})", "v1.22"), "not-supported");
  EXPECT_EQ(code(R"("score":{"enabled":[{"name":"SelectorSpread"}]})", "v1.22"), "");
}

// CYC-PROFILE-1, SCORE-SET-1
TEST(Plugins, OfAnOldVersionAreThoseOfAnOldRelease) {
  EXPECT_EQ(scorers_of(taken(configuration("", "v1beta2"), "v1.25")),
            (Names{"NodeResourcesBalancedAllocation", "ImageLocality", "InterPodAffinity", "NodeResourcesFit",
                   "NodeAffinity", "PodTopologySpread x2", "TaintToleration"}));
  EXPECT_EQ(scorers_of(taken(configuration("", "v1beta1"), "v1.22"))[3], "NodeResourcesLeastAllocated");
  EXPECT_EQ(scorers_of(taken(configuration("", "v1beta1"), "v1.19")), scorers_of(release("v1.19")));
  const Release changed = taken(plugins(R"("score":{"disabled":[{"name":"ImageLocality"}],
          "enabled":[{"name":"NodeAffinity","weight":5},{"name":"ImageLocality"}]})",
                                        "v1beta2"),
                                "v1.23");
  EXPECT_EQ(scorers_of(changed),
            (Names{"NodeResourcesBalancedAllocation", "InterPodAffinity", "NodeResourcesFit",
                   "NodeAffinity x5", "PodTopologySpread x2", "TaintToleration", "ImageLocality"}));
  const Release alone =
      taken(plugins(R"("score":{"disabled":[{"name":"*"}],"enabled":[{"name":"ImageLocality"}]})", "v1beta2"),
            "v1.23");
  EXPECT_EQ(scorers_of(alone), Names{"ImageLocality"});
}

}  // namespace touchstone::tests::plugins_test
