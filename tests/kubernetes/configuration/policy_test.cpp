#include "kubernetes/configuration/policy.hpp"

#include <algorithm>

#include "tests/kubernetes/configuration/configured.hpp"
#include "tests/support/policy.hpp"

namespace touchstone::tests::policy_test {

namespace {

using Groups = std::vector<std::vector<Filter>>;

std::string refused_policy(const std::string& members, const char* name = "v1.13") {
  return refusal(policy_text(members), name);
}

std::string code_of(const Result<Release>& read) { return read ? "" : read.error().code; }

std::vector<std::string> names_of(const std::vector<WeightedScorer>& scorers) {
  std::vector<std::string> names;
  for (const WeightedScorer& scorer : scorers)
    names.push_back(scorer.name + " " + std::to_string(scorer.weight));
  return names;
}

}  // namespace

// POL-SET-1, POL-SET-3
TEST(Policy, LeavesTheDefaultsAloneWhereItSaysNothing) {
  const Release defaults = release("v1.13");
  const Release configured = tests::with_policy("v1.13", R"("unknown":1)");
  EXPECT_EQ(configured.filter_groups, defaults.filter_groups);
  EXPECT_EQ(configured.scorers, defaults.scorers);
  EXPECT_EQ(configured.hard_pod_affinity_weight, 1);
  EXPECT_FALSE(configured.checks_all_filters);
}

// POL-SET-1
TEST(Policy, AlwaysRunsTheMandatoryPredicates) {
  EXPECT_EQ(tests::with_policy("v1.13", R"("predicates":[])").filter_groups,
            (Groups{{Filter::node_unschedulable}, {Filter::taint_toleration}}));
  EXPECT_EQ(tests::with_policy("v1.11", R"("predicates":[])").filter_groups,
            (Groups{{Filter::node_unschedulable}}));
}

// POL-SET-2
TEST(Policy, RunsPredicatesInTheOrderOfTheRelease) {
  const std::string members =
      R"("predicates":[{"name":"MatchInterPodAffinity"},{"name":"PodFitsPorts"},{"name":"HostName"},
        {"name":"GeneralPredicates"},{"name":"HostName"}])";
  EXPECT_EQ(
      tests::with_policy("v1.13", members).filter_groups,
      (Groups{{Filter::node_unschedulable},
              {Filter::node_resources_fit, Filter::node_name, Filter::node_ports, Filter::node_affinity},
              {Filter::node_name},
              {Filter::taint_toleration},
              {Filter::inter_pod_affinity}}));
  const Groups early = tests::with_policy("v1.9", members).filter_groups;
  ASSERT_EQ(early.size(), 1U);
  EXPECT_EQ(std::count(early[0].begin(), early[0].end(), Filter::node_name), 1);
  EXPECT_EQ(std::count(early[0].begin(), early[0].end(), Filter::node_ports), 1);
}

// POL-SET-1
TEST(Policy, KnowsThePredicatesOfEachRelease) {
  const std::string pressure =
      R"("predicates":[{"name":"CheckNodeMemoryPressure"},{"name":"CheckNodeCondition"}])";
  EXPECT_EQ(tests::with_policy("v1.11", pressure).filter_groups, (Groups{{Filter::node_unschedulable}}));
  expect_part(refused_policy(pressure), "Predicate type not found for CheckNodeMemoryPressure");
  const std::string csi = R"("predicates":[{"name":"MaxCSIVolumeCountPred"}])";
  EXPECT_EQ(refused_policy(csi), "");
  expect_part(refused_policy(csi, "v1.11"), "Predicate type not found");
  for (const auto& [name, minor] :
       {std::pair{"MaxCinderVolumeCount", "v1.14"}, {"NoVolumeNodeConflict", "v1.8"}}) {
    const std::string policy = policy_text(R"("predicates":[{"name":")" + std::string(name) + R"("}])");
    EXPECT_EQ(code_of(read_config(policy, minor)), "not-supported") << name;
    EXPECT_EQ(code_of(read_config(policy, "v1.13")), "refused-configuration") << name;
  }
}

// POL-SET-2, POL-LABELS-1, POL-SERVICE-1
TEST(Policy, RunsPredicatesWithArgumentsByTheirNames) {
  const std::string members =
      R"("predicates":[{"name":"Custom","argument":{"labelsPresence":{"labels":["a"],"presence":true}}},
        {"name":"CheckServiceAffinity","argument":{"serviceAffinity":{"labels":["b","c"]}}}])";
  const Release ordered = tests::with_policy("v1.13", members);
  EXPECT_TRUE(ordered.required_labels.empty());
  EXPECT_EQ(ordered.service_affinities, (std::vector<std::vector<std::string>>{{"b", "c"}}));
  EXPECT_EQ(ordered.filter_groups.back(), (std::vector<Filter>{Filter::service_affinity}));
  const Release all = tests::with_policy("v1.9", members);
  EXPECT_EQ(all.required_labels, (std::vector<RequiredLabels>{{{"a"}, true}}));
  EXPECT_EQ(all.service_affinities.size(), 1U);
}

// POL-SET-2
TEST(Policy, TakesABuiltInNameWithAnArgumentForACustomPredicate) {
  const Release configured = tests::with_policy(
      "v1.13", R"("predicates":[{"name":"HostName","argument":{"labelsPresence":{"labels":["a"]}}},
        {"name":"HostName","argument":{"serviceAffinity":{"labels":["b"]}}}])");
  EXPECT_EQ(configured.filter_groups[1], (std::vector<Filter>{Filter::service_affinity}));
  EXPECT_TRUE(configured.required_labels.empty());
}

// POL-SET-3
TEST(Policy, RunsThePrioritiesWithTheirWeights) {
  const Release configured = tests::with_policy(
      "v1.13",
      R"("priorities":[{"name":"EqualPriority","weight":2},{"name":"LeastRequestedPriority","weight":1},
        {"name":"EqualPriority","weight":5},{"name":"Apart","weight":3,"argument":{"serviceAntiAffinity":{"label":"z"}}},
        {"name":"Has","weight":1,"argument":{"labelPreference":{"label":"l","presence":true}}},
        {"name":"Shape","weight":1,"argument":{"requestedToCapacityRatioArguments":
          {"shape":[{"utilization":0,"score":1},{"utilization":50,"score":7}]}}},
        {"name":"RequestedToCapacityRatioPriority","weight":1}])");
  EXPECT_EQ(names_of(configured.scorers),
            (std::vector<std::string>{"Apart 3", "EqualPriority 5", "Has 1", "LeastRequestedPriority 1",
                                      "RequestedToCapacityRatioPriority 1", "Shape 1"}));
  EXPECT_EQ(configured.scorers[0].labels, (std::vector<std::string>{"z"}));
  EXPECT_EQ(configured.scorers[2].labels, (std::vector<std::string>{"l"}));
  EXPECT_TRUE(configured.scorers[2].absent_labels.empty());
  EXPECT_EQ(configured.scorers[4].shape, (std::vector<ShapePoint>{{0, 10}, {100, 0}}));
  EXPECT_EQ(configured.scorers[5].shape, (std::vector<ShapePoint>{{0, 1}, {50, 7}}));
  EXPECT_TRUE(tests::with_policy("v1.13", R"("priorities":[])").scorers.empty());
}

// POL-RATIO-1
TEST(Policy, NamesResourcesWithWeightsFromV116) {
  const std::string members =
      R"("priorities":[{"name":"Shape","weight":1,"argument":{"requestedToCapacityRatioArguments":
        {"shape":[{"utilization":0,"score":1}],"resources":[{"name":"cpu","weight":3},{"name":"a.b/c"},
        {"name":"cpu","weight":2}]}}}])";
  const std::vector<ScoredResource> basic = {{"cpu", 1}, {"memory", 1}};
  EXPECT_EQ(tests::with_policy("v1.15", members).scorers[0].resources, basic);
  EXPECT_EQ(tests::with_policy("v1.16", members).scorers[0].resources,
            (std::vector<ScoredResource>{{"a.b/c", 1}, {"cpu", 2}}));
}

// POL-SET-3, POL-ALL-1
TEST(Policy, SetsTwoMoreThings) {
  EXPECT_EQ(tests::with_policy("v1.13", R"("hardPodAffinitySymmetricWeight":50)").hard_pod_affinity_weight,
            50);
  EXPECT_EQ(tests::with_policy("v1.13", R"("hardPodAffinitySymmetricWeight":0)").hard_pod_affinity_weight, 1);
  EXPECT_TRUE(tests::with_policy("v1.10", R"("alwaysCheckAllPredicates":true)").checks_all_filters);
  EXPECT_FALSE(tests::with_policy("v1.9", R"("alwaysCheckAllPredicates":true)").checks_all_filters);
}

// EXT-ORDER-1
TEST(Policy, HasExtenders) {
  const Release configured = tests::with_policy(
      "v1.13",
      R"("extenders":[{"urlPrefix":"http://x","filterVerb":"f","enableHttps":true,"httpTimeout":1000000}])");
  ASSERT_EQ(configured.extenders.size(), 1U);
  EXPECT_TRUE(configured.extenders[0].enable_https);
  EXPECT_EQ(configured.extenders[0].http_timeout_ns, 1'000'000);
}

// POL-REFUSED-1
TEST(Policy, IsRefusedAsTheReleaseRefusesIt) {
  const auto priority = [](const std::string& members) { return R"("priorities":[{)" + members + "}]"; };
  const auto ratio = [&priority](const std::string& shape) {
    return priority(R"("name":"Shape","weight":1,"argument":{"requestedToCapacityRatioArguments":{)" + shape +
                    "}}");
  };
  const std::vector<std::pair<std::string, std::string>> refused = {
      {priority(R"("name":"EqualPriority")"), "Priority EqualPriority should have a positive weight"},
      {priority(R"("name":"EqualPriority","weight":-1)"), "should have a positive weight"},
      {priority(R"("name":"EqualPriority","weight":1000000000000000000)"), "or it has overflown"},
      {priority(R"("name":"NoSuchPriority","weight":1)"), "Priority type not found for NoSuchPriority"},
      {priority(R"("name":"Empty","weight":1,"argument":{})"),
       "Exactly 1 priority argument is required, numArgs: 0, Priority: Empty"},
      {R"("predicates":[{"name":"NoSuch"}])", "Predicate type not found for NoSuch"},
      {R"("predicates":[{"name":"PodToleratesNodeNoExecuteTaints"}])", "Predicate type not found"},
      {R"("predicates":[{"name":"Two","argument":{"labelsPresence":{},"serviceAffinity":{}}}])",
       "Exactly 1 predicate argument is required, numArgs: 2, Predicate: Two"},
      {R"("predicates":[{"name":"A","argument":{"labelsPresence":{}}}])",
       "does not match the name validation regexp"},
      {R"("predicates":[{"name":"a_b","argument":{"labelsPresence":{}}}])", "does not match"},
      {R"("predicates":[{"name":"-ab","argument":{"labelsPresence":{}}}])", "does not match"},
      {R"("predicates":[{"name":"ab-","argument":{"labelsPresence":{}}}])", "does not match"},
      {ratio(""), "at least one point must be specified"},
      {ratio(R"("shape":[{"utilization":5,"score":1},{"utilization":5,"score":1}])"), "must be sorted"},
      {ratio(R"("shape":[{"utilization":101,"score":1}])"), "utilization values must be from 0 to 100"},
      {ratio(R"("shape":[{"utilization":-1,"score":1}])"), "utilization values must be from 0 to 100"},
      {ratio(R"("shape":[{"utilization":1,"score":11}])"), "score values must be from 0 to 10"},
      {ratio(R"("shape":[{"utilization":1,"score":-1}])"), "score values must be from 0 to 10"},
      {R"("hardPodAffinitySymmetricWeight":101)",
       "invalid hardPodAffinitySymmetricWeight: 101, must be in the range 1-100"},
      {R"("hardPodAffinitySymmetricWeight":-1)", "must be in the range 1-100"},
      {R"("extenders":[{"prioritizeVerb":"s"}])", "must have a positive weight"}};
  for (const auto& [members, part] : refused) expect_part(refused_policy(members), part);
  expect_part(refused_policy(priority(R"("name":"RequestedToCapacityRatioPriority","weight":1)"), "v1.10"),
              "Priority type not found");
  EXPECT_EQ(refused_policy(R"("predicates":[{"name":"z9-Z","argument":{"labelsPresence":{}}}])"), "");
}

TEST(Policy, IsReadByTheReleasesThatHaveIt) {
  EXPECT_EQ(refusal(policy_text(""), "v1.8"), "");
  EXPECT_EQ(refusal(policy_text(""), "v1.22"), "");
  expect_part(refusal(policy_text(""), "v1.23"),
              "v1.23.17 reads no Policy; v1.22 is the last release that does");
  expect_part(refusal(R"({"kind":"Policy","apiVersion":"v2"})", "v1.13"), "is registered for version \"v2\"");
}

TEST(Policy, IsAMemberOfAQuestion) {
  const auto read = [](const std::string& question) {
    const Result<kubernetes::Document> document = kubernetes::Document::parse(question, "");
    return kubernetes::configured_by_member(document.value().root(), release("v1.13"), "");
  };
  EXPECT_TRUE(read(R"({"policy":)" + policy_text(R"("priorities":[])") + "}").value().scorers.empty());
  EXPECT_TRUE(read(R"({"config":)" + policy_text(R"("priorities":[])") + "}").value().scorers.empty());
  EXPECT_EQ(code_of(read(R"({"policy":)" + policy_text("") + R"(,"config":)" + policy_text("") + "}")),
            "refused-configuration");
  EXPECT_EQ(code_of(read(R"({"policy":{"kind":"Pod"}})")), "refused-configuration");
}

}  // namespace touchstone::tests::policy_test
