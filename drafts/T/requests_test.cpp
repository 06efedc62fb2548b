// tests/optimized/store/requests_test.cpp (expect_scored_alike: best as a part of expect_alike there)
#include "optimized/store/requests.hpp"

#include <gtest/gtest.h>

#include "fuzz/generate/epochs.hpp"
#include "optimized/store/scored_requests.hpp"
#include "reference/filters/requests.hpp"
#include "reference/scores/scored_requests.hpp"
#include "tests/support/builder.hpp"

namespace touchstone::tests::requests_test {

namespace {

ResourceList listed(const optimized::Amounts& amounts) {
  ResourceList list;
  for (const auto& [name, amount] : amounts) list.emplace(name, amount);
  return list;
}

/// The distinct releases, and one that counts init containers for filters, with each rule for scores.
const std::vector<Release>& releases() {
  static const std::vector<Release> k_all = [] {
    std::vector<Release> all;
    for (const std::string& epoch : fuzz::k_distinct_releases) all.push_back(release(epoch));
    for (const ScoredRequests rule : {ScoredRequests::containers, ScoredRequests::largest_init,
                                      ScoredRequests::sidecars_only_at_start, ScoredRequests::whole_pod}) {
      all.push_back(release("v1.34"));
      all.back().scored_requests_on_node = rule;
    }
    return all;
  }();
  return k_all;
}

/// Expects that both engines compute the same requests of a pod on a node, for filters and for scores.
void expect_scored_alike(const Pod& pod, const std::string& what) {
  for (const Release& asked : releases()) {
    const std::string epoch = asked.version.text();
    const optimized::Amounts amounts =
        optimized::requests_of(pod, asked, optimized::RequestsOf::node_pod);
    ResourceList requests = listed(amounts);
    EXPECT_EQ(requests, reference::requests_on_node(pod, asked)) << epoch << " " << what;
    const optimized::CpuAndMemory beyond = optimized::scored_beyond_requests(pod, asked, amounts);
    ResourceList expected = reference::requests_with_defaults_on_node(pod, asked);
    EXPECT_EQ(requests["cpu"] + beyond.cpu, expected["cpu"]) << epoch << " " << what;
    EXPECT_EQ(requests["memory"] + beyond.memory, expected["memory"]) << epoch << " " << what;
  }
}

/// A pod with two containers: c requests cpu, d requests nothing.
Pod with_second_container() {
  Pod made = pod("a", 0, 5);
  made.containers.push_back({"d", {}, {}, false});
  return made;
}

}  // namespace

// SCORE-REQUESTS-2: the init container, or the sidecar, requests more than the container.
TEST(OptimizedRequests, OfInitContainersScoreAsThoseOfTheReference) {
  for (const bool first_is_sidecar : {false, true}) {
    for (const bool second_is_sidecar : {false, true}) {
      Pod made = with_second_container();
      made.init_containers = {{"i", {{"cpu", 500}}, {}, first_is_sidecar},
                              {"j", {{"memory", 7}}, {}, second_is_sidecar}};
      expect_scored_alike(made, std::to_string(first_is_sidecar) + std::to_string(second_is_sidecar));
    }
  }
}

// SCORE-REQUESTS-4, PRE-REQUESTS-5: requests of the pod, some of which do not count. A default counts only
// for a resource that the pod does not request.
TEST(OptimizedRequests, OfThePodScoreAsThoseOfTheReference) {
  for (const ResourceList& of_pod :
       {ResourceList{}, ResourceList{{"cpu", 7}}, ResourceList{{"memory", 7}},
        ResourceList{{"cpu", 7}, {"ephemeral-storage", 1}}, ResourceList{{"hugepages-2Mi", 4}},
        ResourceList{{"ephemeral-storage", 1}}}) {
    Pod made = with_second_container();
    made.pod_level_requests = of_pod;
    const std::string what = of_pod.empty() ? "" : of_pod.begin()->first;
    expect_scored_alike(made, what);
    made.resource_status = {true, ResourceList{{"cpu", 9}}, ResourceList{{"memory", 9}}};
    expect_scored_alike(made, what + " with status");
  }
}

// PRE-REQUESTS-6, PRE-REQUESTS-8: each part of the status of the pod, and an infeasible resize. The
// containers have no status.
TEST(OptimizedRequests, WithAStatusOfThePodScoreAsThoseOfTheReference) {
  const std::vector<std::optional<ResourceList>> lists = {std::nullopt, ResourceList{},
                                                          ResourceList{{"cpu", 9}, {"memory", 2}}};
  for (const bool has_resources : {false, true}) {
    for (const std::optional<ResourceList>& in_force : lists) {
      for (const std::optional<ResourceList>& allocated : lists) {
        for (const char* reason : {"Deferred", "Infeasible"}) {
          Pod made = with_second_container();
          made.resource_status = {has_resources, in_force, allocated};
          made.conditions = {{"PodResizePending", "True", reason}};
          expect_scored_alike(made, reason);
        }
      }
    }
  }
}

// PRE-REQUESTS-6, PRE-REQUESTS-8: container d has a status, which stands behind that of another container.
// The spec of d requests less, or nothing. Another condition comes before that of the resize.
TEST(OptimizedRequests, ReadTheStatusOfTheRightContainer) {
  const ResourceStatus larger = {true, ResourceList{{"cpu", 9}}, ResourceList{{"cpu", 9}}};
  const ResourceStatus smaller = {true, ResourceList{{"cpu", 1}}, std::nullopt};
  for (const ResourceStatus& status : {larger, smaller}) {
    for (const char* other : {"c", "e"}) {
      for (const char* type : {"Ready", "PodResizePending"}) {
        for (const char* reason : {"", "Infeasible"}) {
          Pod made = with_second_container();
          made.container_statuses = {{other, smaller}, {"d", status}};
          if (std::string_view(other) == "e") made.container_statuses[0].resources = larger;
          made.conditions = {{"Ready", "True", "Infeasible"}, {type, "True", reason}};
          expect_scored_alike(made, std::string(other) + type + reason);
          made.containers[1].requests = {{"cpu", 4}};
          expect_scored_alike(made, std::string(other) + type + reason + " with a request");
        }
      }
    }
  }
}

}  // namespace touchstone::tests::requests_test
