#include "kubernetes/configuration/arguments.hpp"

#include <gtest/gtest.h>

#include "tests/kubernetes/configuration/configured.hpp"

/// The arguments of plug-ins.
namespace touchstone::tests::arguments_test {

namespace {

std::string fit(const std::string& args) { return with_args("NodeResourcesFit", args); }

/// Arguments of NodeResourcesFit with this scoringStrategy.
std::string strategy(const std::string& members) { return fit(R"("scoringStrategy":{)" + members + "}"); }

/// A strategy with this shape.
std::string shape(const std::string& points) {
  return strategy(R"("type":"RequestedToCapacityRatio","requestedToCapacityRatio":{"shape":[)" + points +
                  "]}");
}

}  // namespace

// SCORE-STRATEGY-1, SCORE-STRATEGY-2
TEST(Arguments, SetTheStrategyAndItsResources) {
  const Release changed = taken(strategy(
      R"("type":"MostAllocated","resources":[{"name":"cpu","weight":3},{"name":"example.com/gpu"}])"));
  EXPECT_EQ(changed.fit_strategy, FitStrategy::most_allocated);
  EXPECT_EQ(changed.fit_resources, (std::vector<ScoredResource>{{"cpu", 3}, {"example.com/gpu", 1}}));
  const Release plain = taken(strategy(R"("type":"LeastAllocated","resources":[])"));
  EXPECT_EQ(plain.fit_strategy, FitStrategy::least_allocated);
  EXPECT_EQ(plain.fit_resources, release("v1.34").fit_resources);
}

// SCORE-STRATEGY-3
TEST(Arguments, SetTheShapeOfAStrategy) {
  const Release changed = taken(shape(R"({"utilization":0,"score":10},{"utilization":100})"));
  EXPECT_EQ(changed.fit_strategy, FitStrategy::requested_to_capacity);
  EXPECT_EQ(changed.fit_shape, (std::vector<ShapePoint>{{0, 10}, {100, 0}}));
}

TEST(Arguments, OfAStrategyAreChecked) {
  expect_part(refusal(strategy("")), "Unsupported value: \"\": supported values: \"LeastAllocated\"");
  expect_part(refusal(strategy(R"("type":"None")")), "Unsupported value: \"None\"");
  expect_part(refusal(strategy(R"("type":"RequestedToCapacityRatio")")),
              "Required value: requestedToCapacityRatio");
  const std::string beside = strategy(
      R"("type":"LeastAllocated","requestedToCapacityRatio":{"shape":[{"utilization":1,"score":1}]})");
  EXPECT_EQ(refusal(beside, "v1.35"), "");
  expect_part(refusal(beside, "v1.36"), "Forbidden");
  const auto weight = [](const std::string& number) {
    return strategy(R"("type":"LeastAllocated","resources":[{"name":"cpu","weight":)" + number + "}]");
  };
  EXPECT_EQ(refusal(weight("100")), "");
  expect_part(refusal(weight("101")), "resource weight of cpu not in valid range [1, 100]");
  expect_part(refusal(weight("-1")), "resource weight of cpu not in valid range [1, 100]");
  expect_part(refusal(strategy(R"("type":"LeastAllocated","resources":[{"name":"a b"}])")),
              "Invalid value: \"a b\"");
}

TEST(Arguments, OfAShapeAreChecked) {
  const std::string path = "profiles[0].pluginConfig[0].args.scoringStrategy.requestedToCapacityRatio.shape";
  EXPECT_EQ(refusal(shape("")), path + ": Required value: at least one point must be specified");
  expect_part(refusal(strategy(R"("type":"RequestedToCapacityRatio","requestedToCapacityRatio":{})")),
              "at least one point");
  const std::string twice = shape(R"({"utilization":50,"score":1},{"utilization":50,"score":2})");
  EXPECT_EQ(refusal(twice),
            path + "[1]: Invalid value: 50: utilization values must be sorted in increasing order");
  EXPECT_EQ(refusal(twice, "v1.36"),
            path + "[1]: Invalid value: 50: values must be sorted in increasing order");
  expect_part(refusal(shape(R"({"utilization":101,"score":1})")), "not in valid range [0-100]");
  expect_part(refusal(shape(R"({"utilization":-1,"score":1})")), "not in valid range [0-100]");
  expect_part(refusal(shape(R"({"utilization":1,"score":11})")), "not in valid range [0-10]");
}

// CYC-PROFILE-2
TEST(Arguments, NameTheResourcesThatAreIgnored) {
  const Release changed =
      taken(fit(R"("ignoredResources":["example.com/gpu"],"ignoredResourceGroups":["example.org"])"));
  EXPECT_EQ(changed.ignored_resources, std::vector<std::string>{"example.com/gpu"});
  EXPECT_EQ(changed.ignored_resource_groups, std::vector<std::string>{"example.org"});
  expect_part(refusal(fit(R"("ignoredResources":["a/b/c"])")), "Invalid value: \"a/b/c\"");
  expect_part(refusal(fit(R"("ignoredResourceGroups":["a/b"])")), "resource group name can't contain '/'");
  expect_part(refusal(fit(R"("ignoredResourceGroups":["a b"])")), "Invalid value: \"a b/name\"");
}

// SCORE-STRATEGY-1
TEST(Arguments, SetTheResourcesThatAreBalanced) {
  const auto balanced = [](const std::string& resources) {
    return with_args("NodeResourcesBalancedAllocation", R"("resources":)" + resources);
  };
  EXPECT_EQ(taken(balanced(R"([{"name":"memory","weight":1},{"name":"cpu"}])")).balanced_resources,
            (std::vector<ScoredResource>{{"memory", 1}, {"cpu", 1}}));
  expect_part(refusal(balanced(R"([{"name":"cpu","weight":2}])")), "resource weight of cpu must be 1");
  EXPECT_EQ(taken(with_args("NodeResourcesBalancedAllocation", "")).balanced_resources,
            release("v1.34").balanced_resources);
}

// SCORE-AFFINITY-1
TEST(Arguments, SetWhatAffinityBetweenPodsScores) {
  const Release changed = taken(with_args(
      "InterPodAffinity", R"("hardPodAffinityWeight":0,"ignorePreferredTermsOfExistingPods":true)"));
  EXPECT_EQ(changed.hard_pod_affinity_weight, 0);
  EXPECT_TRUE(changed.ignores_preferred_terms_of_others);
  const Release plain = taken(with_args("InterPodAffinity", ""));
  EXPECT_EQ(plain.hard_pod_affinity_weight, 1);
  EXPECT_FALSE(plain.ignores_preferred_terms_of_others);
  EXPECT_NE(refusal(with_args("InterPodAffinity", R"("ignorePreferredTermsOfExistingPods":true)"), "v1.26"),
            "");
}

// CYC-PROFILE-2, SCORE-NODEAFFINITY-3
TEST(Arguments, AddTermsOfNodeAffinity) {
  const auto added = [](const std::string& affinity) {
    return with_args("NodeAffinity", R"("addedAffinity":{)" + affinity + "}");
  };
  const std::string term = R"({"matchExpressions":[{"key":"disk","operator":"In","values":["ssd"]}]})";
  const Release changed = taken(added(
      R"("requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[)" + term +
      R"(]},"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":7,"preference":)" + term + "}]"));
  ASSERT_TRUE(changed.added_required_terms);
  ASSERT_EQ(changed.added_required_terms->size(), 1u);
  EXPECT_EQ(changed.added_required_terms->front().match_expressions[0].key, "disk");
  ASSERT_EQ(changed.added_preferred_terms.size(), 1u);
  EXPECT_EQ(changed.added_preferred_terms[0].weight, 7);
  EXPECT_FALSE(taken(added("")).added_required_terms);
  EXPECT_FALSE(taken(with_args("NodeAffinity", "")).added_required_terms);
  EXPECT_NE(refusal(added(R"("requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[
      {"matchExpressions":[{"key":"disk","operator":"Is","values":["ssd"]}]}]})")),
            "");
}

// SCORE-SPREAD-2, CYC-PROFILE-2
TEST(Arguments, SetTheDefaultConstraints) {
  const auto spread = [](const std::string& args) { return with_args("PodTopologySpread", args); };
  const std::string one = R"({"maxSkew":2,"topologyKey":"zone","whenUnsatisfiable":"DoNotSchedule"})";
  const Release list = taken(spread(R"("defaultingType":"List","defaultConstraints":[)" + one + "]"));
  EXPECT_FALSE(list.system_constraints);
  ASSERT_EQ(list.default_constraints.size(), 1u);
  EXPECT_EQ(list.default_constraints[0].max_skew, 2);
  EXPECT_TRUE(taken(spread(R"("defaultingType":"System")")).system_constraints);
  EXPECT_TRUE(taken(spread("")).system_constraints);
  EXPECT_FALSE(taken(spread(R"("defaultingType":"List")")).system_constraints);

  const auto refused = [&](const std::string& constraints) {
    return refusal(spread(R"("defaultingType":"List","defaultConstraints":[)" + constraints + "]"));
  };
  expect_part(refusal(spread(R"("defaultingType":"None")")), "Unsupported value: \"None\"");
  expect_part(refusal(spread(R"("defaultConstraints":[)" + one + "]")), "when .defaultingType is System");
  expect_part(refused(one + "," + one), "Duplicate value");
  expect_part(refused(R"({"topologyKey":"zone","whenUnsatisfiable":"DoNotSchedule"})"),
              "maxSkew not in valid range");
  expect_part(refused(R"({"maxSkew":1,"whenUnsatisfiable":"DoNotSchedule"})"),
              "topologyKey can not be empty");
  expect_part(refused(R"({"maxSkew":1,"topologyKey":"zone"})"), "supported values of whenUnsatisfiable");
  expect_part(
      refused(R"({"maxSkew":1,"topologyKey":"zone","whenUnsatisfiable":"DoNotSchedule","labelSelector":{}})"),
      "constraint must not define a selector");
}

// CYC-PROFILE-3
TEST(Arguments, SetTheQuotaOfCandidates) {
  const auto preemption = [](const std::string& args) { return with_args("DefaultPreemption", args); };
  const Release changed =
      taken(preemption(R"("minCandidateNodesPercentage":50,"minCandidateNodesAbsolute":0)"));
  EXPECT_EQ(changed.candidate_percentage, 50);
  EXPECT_EQ(changed.candidates_least, 0);
  const Release plain = taken(preemption(""));
  EXPECT_EQ(plain.candidate_percentage, 10);
  EXPECT_EQ(plain.candidates_least, 100);
  EXPECT_EQ(taken(preemption(R"("minCandidateNodesPercentage":0)")).candidates_least, 100);
  expect_part(refusal(preemption(R"("minCandidateNodesPercentage":101)")), "not in valid range [0, 100]");
  expect_part(refusal(preemption(R"("minCandidateNodesAbsolute":-1)")), "not in valid range [0, inf)");
  expect_part(refusal(preemption(R"("minCandidateNodesPercentage":0,"minCandidateNodesAbsolute":0)")),
              "cannot have both");
}

// SCORE-CAPACITY-1
TEST(Arguments, SetTheShapeOfStorage) {
  const auto binding = [](const std::string& args) { return with_args("VolumeBinding", args); };
  const std::string points = R"("shape":[{"utilization":0,"score":0},{"utilization":100,"score":10}])";
  EXPECT_EQ(taken(binding(points), "v1.37").storage_shape, (std::vector<ShapePoint>{{0, 0}, {100, 10}}));
  EXPECT_EQ(taken(binding(R"("bindTimeoutSeconds":1)"), "v1.37").storage_shape,
            release("v1.37").storage_shape);
  expect_part(refusal(binding(points), "v1.36"), "unexpected field `shape`");
  expect_part(refusal(binding(R"("bindTimeoutSeconds":-1)")), "not in valid range");
}

TEST(Arguments, AreOfTheTypeOfThePlugin) {
  const std::string kind = R"("apiVersion":"kubescheduler.config.k8s.io/v1","kind":"InterPodAffinityArgs")";
  EXPECT_EQ(refusal(with_args("InterPodAffinity", kind)), "");
  expect_part(refusal(with_args("NodeAffinity", kind)),
              "args for plugin NodeAffinity were not of type NodeAffinityArgs, got InterPodAffinityArgs");
  expect_part(refusal(with_args("InterPodAffinity", R"("apiVersion":"kubescheduler.config.k8s.io/v1beta3")")),
              "were not of version kubescheduler.config.k8s.io/v1, got");
  EXPECT_EQ(refusal(with_args("DynamicResources", R"("filterTimeout":"1s")")), "");
}

TEST(Arguments, OfOtherPluginsAreNotRead) {
  EXPECT_EQ(refusal(with_args("Mine", R"("anything":1)")), "");
  EXPECT_EQ(refusal(with_args("NodePorts", R"("anything":1)")), "");
  EXPECT_EQ(refusal(with_args("DynamicResources", R"("anything":1)"), "v1.33"), "");
  EXPECT_EQ(refusal(one_profile(R"("pluginConfig":[{"name":"NodeAffinity"}])")), "");
}

TEST(Arguments, OfOnePluginAreGivenOnce) {
  EXPECT_EQ(refusal(one_profile(R"("pluginConfig":[{"name":"NodePorts"},{"name":"NodePorts"}])")),
            "profiles[0].pluginConfig[1]: Duplicate value: \"NodePorts\"");
}

}  // namespace touchstone::tests::arguments_test
