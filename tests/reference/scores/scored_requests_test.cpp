#include "reference/scores/scored_requests.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tests/support/builder.hpp"

namespace touchstone::tests::scored_requests_test {

using reference::MissingRequests;
using reference::real_requests_of_preemptor;
using reference::requests_with_defaults_of_preemptor;
using reference::requests_with_defaults_on_node;
using reference::scored_loads;
using reference::ScoredLoad;

namespace {

constexpr Quantity k_mi = 1024 * 1024;

Container container(const std::string& name, const ResourceList& requests, bool restart_always = false) {
  return {name, requests, {}, restart_always};
}

Pod with_containers(const std::vector<Container>& containers, const std::vector<Container>& init = {}) {
  Pod made = pod("p", 0, 0);
  made.containers = containers;
  made.init_containers = init;
  return made;
}

ResourceList on_node(const Pod& pod, std::string_view name) {
  return requests_with_defaults_on_node(pod, release(name));
}

ResourceList of_preemptor(const Pod& pod, std::string_view name) {
  return requests_with_defaults_of_preemptor(pod, release(name));
}

Quantity cpu(const ResourceList& list) { return list.at("cpu"); }

/// The loads of the first node of a question, of cpu and memory or of `resources`.
std::vector<ScoredLoad> loads_of(const Question& question, const Release& release,
                                 const std::vector<ScoredResource>& resources,
                                 MissingRequests missing = MissingRequests::count_by_default) {
  Trace trace = Trace::none();
  const reference::Cycle cycle(question, release, trace);
  const ResourceList own = requests_with_defaults_of_preemptor(question.pod, release);
  return scored_loads(cycle, cycle.nodes[0], resources, own, missing);
}

}  // namespace

// SCORE-REQUESTS-1
TEST(ScoredRequests, HaveDefaultsForEachContainer) {
  const Pod made = with_containers({container("a", {}), container("b", {{"memory", 7}})});
  const ResourceList expected = {{"cpu", 200}, {"memory", 200 * k_mi + 7}};
  for (const std::string_view name : {"v1.8", "v1.18", "v1.27", "v1.30", "v1.37"}) {
    EXPECT_EQ(on_node(made, name), expected) << name;
    EXPECT_EQ(of_preemptor(made, name), expected) << name;
  }
}

// SCORE-REQUESTS-1
TEST(ScoredRequests, KeepARequestOfZero) {
  const Pod made = with_containers({container("a", {{"cpu", 0}, {"memory", 0}})});
  EXPECT_EQ(on_node(made, "v1.37"), (ResourceList{{"cpu", 0}, {"memory", 0}}));
  EXPECT_EQ(of_preemptor(made, "v1.37"), (ResourceList{{"cpu", 0}, {"memory", 0}}));
}

// SCORE-REQUESTS-1, PRE-FIT-3: b has the default for memory, so the sum of a and b overflows 64 bits and is
// negative. The init container requests 0, which is more.
TEST(ScoredRequests, AreNotBelowThoseOfAnInitContainer) {
  constexpr Quantity k_most = std::numeric_limits<Quantity>::max();
  const std::vector<Container> large = {container("a", {{"memory", k_most}}), container("b", {})};
  const Pod made = with_containers(large, {container("i", {{"memory", 0}})});
  for (const std::string_view name : {"v1.19", "v1.21", "v1.22"}) {
    EXPECT_LT(on_node(with_containers(large), name).at("memory"), 0) << name;
    EXPECT_EQ(on_node(made, name).at("memory"), 0) << name;
  }
}

// SCORE-REQUESTS-2
TEST(ScoredRequests, ForgetInitContainersThrough1182) {
  const Pod made = with_containers({container("a", {{"cpu", 1}})}, {container("i", {})});
  EXPECT_EQ(cpu(on_node(made, "v1.18.2")), 1);
  EXPECT_EQ(cpu(of_preemptor(made, "v1.18.2")), 1);
  EXPECT_EQ(cpu(on_node(made, "v1.18.3")), 100);
  EXPECT_EQ(cpu(of_preemptor(made, "v1.18.3")), 100);
}

// SCORE-REQUESTS-2
TEST(ScoredRequests, OfThePreemptorAddSidecarsUpFrom128) {
  const Pod made = with_containers({container("a", {{"cpu", 1}})}, {container("s", {}, true)});
  EXPECT_EQ(cpu(of_preemptor(made, "v1.27")), 100);
  EXPECT_EQ(cpu(of_preemptor(made, "v1.28")), 101);
}

// SCORE-REQUESTS-2
TEST(ScoredRequests, OnANodeAddSidecarsUpFrom132) {
  const Pod made = with_containers({container("a", {{"cpu", 300}})},
                                   {container("s", {{"cpu", 200}}, true),
                                    container("t", {{"cpu", 300}}, true), container("i", {{"cpu", 50}})});
  EXPECT_EQ(cpu(on_node(made, "v1.27")), 300);
  EXPECT_EQ(cpu(on_node(made, "v1.28")), 550);
  EXPECT_EQ(cpu(on_node(made, "v1.31")), 550);
  EXPECT_EQ(cpu(on_node(made, "v1.32")), 800);
}

// SCORE-REQUESTS-2: from v1.28 to v1.31 a default fills only what the whole list of an init container lacks.
TEST(ScoredRequests, OnANodeFillTheListOfSidecarsThrough131) {
  const Pod made = with_containers({container("a", {{"cpu", 1}})},
                                   {container("s", {{"cpu", 20}}, true), container("i", {})});
  EXPECT_EQ(on_node(made, "v1.31"), (ResourceList{{"cpu", 20}, {"memory", 200 * k_mi}}));
  EXPECT_EQ(on_node(made, "v1.32"), (ResourceList{{"cpu", 120}, {"memory", 400 * k_mi}}));
}

// SCORE-REQUESTS-2
TEST(ScoredRequests, OnANodeAddSidecarsUpForOtherResources) {
  const Pod made = with_containers({container("a", {{"example.com/gpu", 1}})},
                                   {container("s", {{"example.com/gpu", 2}}, true)});
  EXPECT_EQ(on_node(made, "v1.31").at("example.com/gpu"), 3);
}

// SCORE-REQUESTS-3, SCORE-REQUESTS-4: the pod has no overhead, and these releases ignore its pod-level
// requests. Its container has the default for memory.
TEST(ScoredRequests, OfThePreemptorNeedNoOverheadThrough126) {
  Pod made = with_containers({container("a", {{"cpu", 1000}})});
  made.pod_level_requests = ResourceList{{"cpu", 2000}, {"memory", 1 << 20}};
  for (const char* name : {"v1.18", "v1.20", "v1.24", "v1.26"})
    EXPECT_EQ(of_preemptor(made, name), (ResourceList{{"cpu", 1000}, {"memory", 200 * k_mi}})) << name;
}

// SCORE-REQUESTS-3
TEST(ScoredRequests, OfThePreemptorTakeOverheadInCoresThrough126) {
  Pod made = with_containers({container("a", {{"cpu", 100}, {"memory", 128}})});
  made.overhead = {{"cpu", 250}, {"memory", 5}};
  EXPECT_EQ(cpu(of_preemptor(made, "v1.17")), 100);
  EXPECT_EQ(cpu(of_preemptor(made, "v1.18")), 101);
  EXPECT_EQ(cpu(of_preemptor(made, "v1.26")), 101);
  EXPECT_EQ(of_preemptor(made, "v1.26").at("memory"), 133);
  EXPECT_EQ(cpu(real_requests_of_preemptor(made, release("v1.26"))), 101);
  EXPECT_EQ(cpu(of_preemptor(made, "v1.27")), 350);
  EXPECT_EQ(cpu(on_node(made, "v1.18")), 350);
  EXPECT_EQ(cpu(on_node(made, "v1.27")), 350);
  made.overhead = {{"cpu", 2000}};
  EXPECT_EQ(cpu(of_preemptor(made, "v1.26")), 102);
  made.overhead = {{"memory", 5}};
  EXPECT_EQ(cpu(of_preemptor(made, "v1.26")), 100);
}

// SCORE-REQUESTS-4
TEST(ScoredRequests, OnANodeHaveDefaultsForWhatAPodWithPodLevelRequestsLacks) {
  Pod made = with_containers({container("a", {{"memory", 9}}), container("b", {})});
  made.pod_level_requests = ResourceList{{"cpu", 10}};
  EXPECT_EQ(on_node(made, "v1.33"), (ResourceList{{"cpu", 200}, {"memory", 200 * k_mi + 9}}));
  EXPECT_EQ(on_node(made, "v1.34"), (ResourceList{{"cpu", 10}, {"memory", 9}}));
  made.containers[0].requests.clear();
  EXPECT_EQ(on_node(made, "v1.34"), (ResourceList{{"cpu", 10}, {"memory", 400 * k_mi}}));
  made.pod_level_requests = ResourceList{{"example.com/gpu", 10}};
  EXPECT_EQ(cpu(on_node(made, "v1.34")), 200);
}

// SCORE-REQUESTS-4
TEST(ScoredRequests, OfThePreemptorIgnoreThePodLevel) {
  Pod made = with_containers({container("a", {{"cpu", 30}}), container("b", {})});
  made.pod_level_requests = ResourceList{{"cpu", 10}};
  EXPECT_EQ(of_preemptor(made, "v1.37"), (ResourceList{{"cpu", 130}, {"memory", 400 * k_mi}}));
  EXPECT_EQ(real_requests_of_preemptor(made, release("v1.33")), (ResourceList{{"cpu", 30}}));
  EXPECT_EQ(real_requests_of_preemptor(made, release("v1.34")), (ResourceList{{"cpu", 10}}));
}

// SCORE-REQUESTS-1, SCORE-REQUESTS-2
TEST(ScoredRequests, OfAResizedPodHaveDefaultsForWhatSpecAndStatusLack) {
  Pod made = with_containers({container("a", {})});
  made.container_statuses = {{"a", {true, ResourceList{{"cpu", 10}}, std::nullopt}}};
  EXPECT_EQ(on_node(made, "v1.32"), (ResourceList{{"cpu", 100}, {"memory", 200 * k_mi}}));
  EXPECT_EQ(on_node(made, "v1.36"), (ResourceList{{"cpu", 10}, {"memory", 200 * k_mi}}));
}

// SCORE-REQUESTS-1, SCORE-REQUESTS-2
TEST(ScoredRequests, OfAResizedPodHaveDefaultsInEachTotalFrom137) {
  const ResourceList none;
  const ResourceList some = {{"cpu", 10}};
  Pod made = with_containers({container("a", none)});
  made.container_statuses = {{"a", {true, some, some}}};
  EXPECT_EQ(cpu(on_node(made, "v1.37")), 100);
  made.containers[0].requests = some;
  EXPECT_EQ(cpu(on_node(made, "v1.37")), 10);
  made.container_statuses = {{"a", {true, none, some}}};
  EXPECT_EQ(cpu(on_node(made, "v1.37")), 100);
  made.container_statuses = {{"a", {true, some, none}}};
  EXPECT_EQ(cpu(on_node(made, "v1.37")), 100);
}

// SCORE-REQUESTS-2: BalancedAllocation looks at the status of the preemptor, NodeResourcesFit does not.
TEST(ScoredRequests, OfThePreemptorRegardItsStatusFrom133IfTheyAreReal) {
  Pod made = with_containers({container("a", {{"cpu", 10}})});
  made.container_statuses = {{"a", {true, ResourceList{{"cpu", 500}}, std::nullopt}}};
  EXPECT_EQ(cpu(of_preemptor(made, "v1.33")), 10);
  EXPECT_EQ(cpu(real_requests_of_preemptor(made, release("v1.32"))), 10);
  EXPECT_EQ(cpu(real_requests_of_preemptor(made, release("v1.33"))), 500);
}

// CYC-SEES-1
TEST(ScoredLoads, CountThePodsOnTheNode) {
  Pod finished = pod("f", 0, 1000);
  finished.phase = "Succeeded";
  const Question question = QuestionBuilder()
                                .node("n1", 4000)
                                .has(pod("a", 0, 10))
                                .has(finished)
                                .nominated(pod("b", 0, 1000))
                                .asks(pod("p", 0, 5));
  const auto loads = loads_of(question, release("v1.37"), {{"cpu", 3}});
  ASSERT_EQ(loads.size(), 1);
  EXPECT_EQ(loads[0].weight, 3);
  EXPECT_EQ(loads[0].allocatable, 4000);
  EXPECT_EQ(loads[0].without, 10);
  EXPECT_EQ(loads[0].with, 15);
}

// SCORE-REQUESTS-1
TEST(ScoredLoads, CountRealRequestsWithoutDefaults) {
  const Question question = QuestionBuilder().node("n1", 4000).has(pod("a", 0, 10)).asks(pod("p", 0, 5));
  const std::vector<ScoredResource> memory = {{"memory", 1}};
  EXPECT_EQ(loads_of(question, release("v1.37"), memory)[0].without, 200 * k_mi);
  EXPECT_EQ(loads_of(question, release("v1.37"), memory, MissingRequests::are_zero)[0].without, 0);
}

// SCORE-STRATEGY-1
TEST(ScoredLoads, LeaveOutOtherResourcesThatThePreemptorDoesNotRequest) {
  Question question = QuestionBuilder().node("n1", 4000).asks(pod("p", 0, 5));
  question.cluster.nodes[0].allocatable["example.com/gpu"] = 8;
  question.cluster.nodes[0].allocatable["ephemeral-storage"] = 9;
  const std::vector<ScoredResource> resources = {{"example.com/gpu", 1}, {"ephemeral-storage", 1}};
  ASSERT_EQ(loads_of(question, release("v1.37"), resources).size(), 1);
  EXPECT_EQ(loads_of(question, release("v1.37"), resources)[0].allocatable, 9);
  question.pod.containers[0].requests["example.com/gpu"] = 2;
  ASSERT_EQ(loads_of(question, release("v1.37"), resources).size(), 2);
  EXPECT_EQ(loads_of(question, release("v1.37"), resources)[0].with, 2);
}

// SCORE-LEAST-1
TEST(ScoredLoads, LeaveOutResourcesThatTheNodeLacksFrom122) {
  Question question = QuestionBuilder().node("n1", 0).asks(pod("p", 0, 5));
  const std::vector<ScoredResource> resources = {{"cpu", 1}, {"memory", 1}};
  EXPECT_EQ(loads_of(question, release("v1.21"), resources).size(), 2);
  EXPECT_EQ(loads_of(question, release("v1.22"), resources).size(), 1);
}

// POL-RATIO-1, PRE-REQUESTS-7: a node has nothing of a resource whose name does not count.
TEST(ScoredLoads, AreEmptyForNamesThatDoNotCount) {
  Question question = QuestionBuilder().node("n1", 4000).asks(pod("p", 0, 5));
  question.cluster.nodes[0].allocatable["pods"] = 110;
  const auto loads = loads_of(question, release("v1.21"), {{"pods", 1}});
  ASSERT_EQ(loads.size(), 1);
  EXPECT_EQ(loads[0].allocatable, 0);
  EXPECT_TRUE(loads_of(question, release("v1.22"), {{"pods", 1}}).empty());
}

// SCORE-REQUESTS-1
TEST(ScoredLoads, WrapAroundAsInGo) {
  constexpr Quantity k_largest = std::numeric_limits<Quantity>::max();
  const Question question =
      QuestionBuilder().node("n1", 4000).has(pod("a", 0, k_largest)).has(pod("b", 0, 1)).asks(pod("p", 0, 1));
  const auto loads = loads_of(question, release("v1.37"), {{"cpu", 1}});
  EXPECT_EQ(loads[0].without, std::numeric_limits<Quantity>::min());
  EXPECT_EQ(loads[0].with, std::numeric_limits<Quantity>::min() + 1);
}

}  // namespace touchstone::tests::scored_requests_test
