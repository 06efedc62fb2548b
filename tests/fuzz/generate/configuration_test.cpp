#include "fuzz/generate/configuration.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "fuzz/generate/scenario.hpp"
#include "kubernetes/configuration/configuration.hpp"
#include "spec/vocabulary/seeded_choices.hpp"
#include "tests/support/builder.hpp"

namespace touchstone::fuzz {

namespace {

using tests::release;
using Json = nlohmann::ordered_json;

Json drawn(const Release& of, std::uint64_t seed, Question& question) {
  SeededChoices choices(seed);
  return draw_configuration(choices, of, question);
}

/// Adds the keys of a document, at every depth, and the names of its plug-ins.
void add_words(const Json& json, std::set<std::string>& words) {
  if (json.is_string()) words.insert(json.get<std::string>());
  if (!json.is_structured()) return;
  for (const auto& [key, value] : json.items()) {
    if (json.is_object()) words.insert(key);
    add_words(value, words);
  }
}

}  // namespace

// CYC-PROFILE-1, CYC-PROFILE-2, CYC-PROFILE-3, POL-SET-1, POL-SET-3, POL-REFUSED-2
TEST(RandomConfiguration, IsTakenByEveryRelease) {
  for (int minor = 8; minor <= 37; ++minor) {
    const Release of = release("v1." + std::to_string(minor));
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
      Question question;
      const Json config = drawn(of, seed, question);
      const Result<Release> configured =
          kubernetes::configured_by_text(config.dump(), "config", of, question.pod.scheduler_name);
      EXPECT_TRUE(configured) << of.version.text() << " " << configured.error().code << " "
                              << configured.error().path << ": " << configured.error().message << "\n"
                              << config.dump();
    }
  }
}

TEST(RandomPolicy, ChangesNothingWithoutChoices) {
  ByteChoices choices({});
  Question question;
  const Json empty{{"apiVersion", "v1"}, {"kind", "Policy"}};
  EXPECT_EQ(draw_configuration(choices, release("v1.13.0"), question), empty);
}

TEST(RandomPolicy, HasEveryFieldAndArgument) {
  for (const char* name : {"v1.13.0", "v1.17", "v1.18", "v1.20", "v1.22"}) {
    std::set<std::string> words;
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
      Question question;
      add_words(drawn(release(name), seed, question), words);
    }
    for (const char* word :
         {"predicates", "priorities", "alwaysCheckAllPredicates", "hardPodAffinitySymmetricWeight",
          "labelsPresence", "serviceAffinity", "labelPreference", "serviceAntiAffinity",
          "requestedToCapacityRatioArguments", "CheckNodeLabelPresence", "CheckServiceAffinity", "Custom",
          "PodFitsPorts", "MaxCSIVolumeCountPred", "EqualPriority", "MostRequestedPriority"})
      EXPECT_TRUE(words.contains(word)) << name << " " << word;
    EXPECT_FALSE(words.contains("CheckNodeCondition"));
  }
}

TEST(RandomConfiguration, ChangesNothingWithoutChoices) {
  ByteChoices choices({});
  Question question;
  const Release of = release("v1.37.2");
  const Json config = draw_configuration(choices, of, question);
  EXPECT_EQ(config.at("profiles").size(), 1u);
  const Release configured = kubernetes::configured_by_text(config.dump(), "config", of, "").value();
  EXPECT_EQ(configured.fit_strategy, of.fit_strategy);
  EXPECT_EQ(configured.hard_pod_affinity_weight, of.hard_pod_affinity_weight);
}

TEST(RandomConfiguration, HasEveryArgumentAndPoint) {
  std::set<std::string> words;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Question question;
    add_words(drawn(release("v1.37.2"), seed, question), words);
    words.insert("named " + question.pod.scheduler_name);
  }
  for (const char* word : {"percentageOfNodesToScore",
                           "multiPoint",
                           "score",
                           "filter",
                           "preFilter",
                           "preScore",
                           "postFilter",
                           "*",
                           "weight",
                           "ignoredResources",
                           "ignoredResourceGroups",
                           "MostAllocated",
                           "LeastAllocated",
                           "RequestedToCapacityRatio",
                           "hardPodAffinityWeight",
                           "ignorePreferredTermsOfExistingPods",
                           "defaultConstraints",
                           "System",
                           "List",
                           "requiredDuringSchedulingIgnoredDuringExecution",
                           "preferredDuringSchedulingIgnoredDuringExecution",
                           "minCandidateNodesPercentage",
                           "minCandidateNodesAbsolute",
                           "bindTimeoutSeconds",
                           "NodeResourcesBalancedAllocationArgs",
                           "VolumeBinding",
                           "named second-scheduler",
                           "named "})
    EXPECT_TRUE(words.contains(word)) << word;
}

}  // namespace touchstone::fuzz
