#include "kubernetes/configuration/early_configuration.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/kubernetes/configuration/configured.hpp"

/// The versions v1alpha1 and v1alpha2 of the configuration.
namespace touchstone::tests::early_configuration_test {

namespace {

std::string first_group(const std::string& members) {
  return R"({"apiVersion":"componentconfig/v1alpha1","kind":"KubeSchedulerConfiguration")" +
         std::string(members.empty() ? "" : ",") + members + "}";
}

std::string alpha1(const std::string& members) { return configuration(members, "v1alpha1"); }
std::string alpha2(const std::string& members) { return configuration(members, "v1alpha2"); }

std::string provider(const std::string& name) { return R"("algorithmSource":{"provider":")" + name + "\"}"; }

std::string code_of(const Result<Release>& read) { return read ? "" : read.error().code; }

}  // namespace

// CYC-PROFILE-4
TEST(EarlyConfiguration, IsReadInTheVersionsOfTheRelease) {
  EXPECT_EQ(refusal(first_group(""), "v1.9"), "");
  EXPECT_EQ(refusal(first_group(""), "v1.11"), "");
  expect_part(refusal(first_group(""), "v1.12"), "expected a KubeSchedulerConfiguration of kubescheduler");
  expect_part(refusal(alpha1(""), "v1.11"),
              "expected a KubeSchedulerConfiguration of componentconfig/v1alpha1");
  EXPECT_EQ(refusal(alpha1(""), "v1.12"), "");
  EXPECT_EQ(refusal(alpha1(""), "v1.18"), "");
  EXPECT_NE(refusal(alpha2(""), "v1.17"), "");
  EXPECT_EQ(refusal(alpha2(""), "v1.18"), "");
  EXPECT_NE(refusal(alpha2(""), "v1.19"), "");
  EXPECT_NE(refusal(configuration("", "v1beta1"), "v1.18"), "");
  EXPECT_NE(refusal(R"({"apiVersion":"kubescheduler.config.k8s.io/v1alpha1","kind":"Pod"})", "v1.13"), "");
}

// CYC-PROFILE-4, SCORE-STRATEGY-2
TEST(EarlyConfiguration, NamesTheAlgorithmProvider) {
  EXPECT_EQ(taken(alpha1(provider("DefaultProvider")), "v1.13").scorers, release("v1.13").scorers);
  EXPECT_EQ(taken(alpha1(provider("")), "v1.13").scorers, release("v1.13").scorers);
  EXPECT_EQ(taken(alpha1("\"algorithmSource\":{}"), "v1.13").scorers, release("v1.13").scorers);
  for (const auto& [name, scorer] :
       {std::pair{"v1.13", "MostRequestedPriority"}, std::pair{"v1.18", "NodeResourcesMostAllocated"}}) {
    const Release packs = taken(alpha1(provider("ClusterAutoscalerProvider")), name);
    EXPECT_EQ(packs.fit_strategy, FitStrategy::most_allocated) << name;
    EXPECT_EQ(packs.scorers.size(), release(name).scorers.size());
    const auto found =
        std::find_if(packs.scorers.begin(), packs.scorers.end(),
                     [](const WeightedScorer& each) { return each.scorer == Scorer::node_resources; });
    ASSERT_NE(found, packs.scorers.end());
    EXPECT_EQ(found->name, scorer);
  }
  expect_part(refusal(alpha1(provider("Other")), "v1.17"), "plugin \"Other\" has not been registered");
  expect_part(refusal(alpha1(provider("Other")), "v1.18"), "algorithm provider \"Other\" is not registered");
}

// CYC-PROFILE-4, SCORE-AFFINITY-1, CYC-SEARCH-1
TEST(EarlyConfiguration, SetsWeightsAndShares) {
  EXPECT_EQ(taken(alpha1(R"("hardPodAffinitySymmetricWeight":7)"), "v1.13").hard_pod_affinity_weight, 7);
  EXPECT_EQ(taken(alpha1(R"("hardPodAffinitySymmetricWeight":0)"), "v1.16").hard_pod_affinity_weight, 1);
  EXPECT_EQ(taken(alpha1(R"("hardPodAffinitySymmetricWeight":0)"), "v1.17").hard_pod_affinity_weight, 0);
  expect_part(refusal(alpha1(R"("hardPodAffinitySymmetricWeight":101)"), "v1.13"),
              "not in valid range 0-100");
  expect_part(refusal(alpha1(R"("hardPodAffinitySymmetricWeight":-1)"), "v1.17"),
              "not in valid range [0-100]");
  EXPECT_EQ(taken(alpha1(R"("percentageOfNodesToScore":30)"), "v1.13").percentage_of_nodes, 30);
  EXPECT_FALSE(taken(first_group(R"("percentageOfNodesToScore":30)"), "v1.11").percentage_of_nodes);
  EXPECT_FALSE(taken(alpha1(R"("disablePreemption":true)"), "v1.13").preempts);
  EXPECT_TRUE(taken(alpha1(R"("disablePreemption":false)"), "v1.13").preempts);
  EXPECT_TRUE(taken(first_group(R"("disablePreemption":true)"), "v1.10").preempts);
}

// CYC-PROFILE-4
TEST(EarlyConfiguration, CountsForPodsOfItsScheduler) {
  EXPECT_EQ(code_of(read_config(alpha1(R"("schedulerName":"own")"), "v1.13", "own")), "");
  EXPECT_EQ(code_of(read_config(alpha1(R"("schedulerName":"own")"), "v1.13")), "unknown-profile");
  EXPECT_EQ(code_of(read_config(alpha1(""), "v1.13", "own")), "unknown-profile");
  const std::string two = alpha2(R"("profiles":[{"schedulerName":"a"},{"schedulerName":"b"}])");
  EXPECT_EQ(code_of(read_config(two, "v1.18", "b")), "");
  EXPECT_EQ(code_of(read_config(two, "v1.18", "c")), "unknown-profile");
  EXPECT_EQ(code_of(read_config(alpha2(R"("profiles":[{}])"), "v1.18")), "");
  expect_part(refusal(alpha2(R"("profiles":[{"schedulerName":"a"},{}])"), "v1.18"),
              "Required value: schedulerName");
  expect_part(refusal(alpha2(R"("profiles":[{"schedulerName":"a"},{"schedulerName":"a"}])"), "v1.18"),
              "Duplicate value: \"a\"");
}

// CYC-PROFILE-4: v1alpha1 is decoded leniently.
TEST(EarlyConfiguration, MayHaveUnknownFieldsInV1alpha1) {
  EXPECT_EQ(refusal(alpha1(R"("nonsense":true)"), "v1.18"), "");
  expect_part(refusal(alpha2(R"("nonsense":true)"), "v1.18"), "nonsense: strict decoding error");
}

TEST(EarlyConfiguration, IsNotSupportedWhereItIsNotModelled) {
  for (const char* member : {R"("plugins":{})", R"("pluginConfig":[])"})
    EXPECT_EQ(code_of(read_config(alpha1(member), "v1.17")), "not-supported") << member;
  EXPECT_EQ(code_of(read_config(alpha2(R"("extenders":[])"), "v1.18")), "not-supported");
  EXPECT_EQ(code_of(read_config(alpha2(R"("profiles":[{"plugins":{}}])"), "v1.18")), "not-supported");
  EXPECT_EQ(code_of(read_config(alpha1(R"("algorithmSource":{"policy":{}})"), "v1.13")), "not-supported");
}

}  // namespace touchstone::tests::early_configuration_test
