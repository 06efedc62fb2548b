#include "optimized/store/requests.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "fuzz/generate/epochs.hpp"
#include "optimized/store/scored_requests.hpp"
#include "reference/filters/requests.hpp"
#include "reference/scores/scored_requests.hpp"
#include "tests/support/builder.hpp"

/// Requests and host ports are those of the reference, in every distinct release.
namespace touchstone::tests::optimized_requests_test {

namespace {

ResourceList listed(const optimized::Amounts& amounts) {
  ResourceList list;
  for (const auto& [name, amount] : amounts) list.emplace(name, amount);
  return list;
}

/// The distinct releases, and v1.34, whose filters count init containers, with each rule for scored requests.
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

/// Expects that both engines compute the same requests of a pod, as the preemptor and on a node, for filters
/// and for scores.
void expect_alike(const Pod& pod, const std::string& what) {
  for (const Release& asked : releases()) {
    const std::string where = asked.version.text() + " " + what;
    EXPECT_EQ(listed(optimized::requests_of(pod, asked, optimized::RequestsOf::preemptor)),
              reference::requests_of_preemptor(pod, asked))
        << where;
    EXPECT_EQ(optimized::scored_requests_of_preemptor(pod, asked),
              reference::requests_with_defaults_of_preemptor(pod, asked))
        << where;
    EXPECT_EQ(optimized::real_requests_of_preemptor(pod, asked),
              reference::real_requests_of_preemptor(pod, asked))
        << where;
    const optimized::Amounts amounts = optimized::requests_of(pod, asked, optimized::RequestsOf::node_pod);
    ResourceList on_node = listed(amounts);
    EXPECT_EQ(on_node, reference::requests_on_node(pod, asked)) << where;
    const optimized::CpuAndMemory beyond = optimized::scored_beyond_requests(pod, asked, amounts);
    ResourceList expected = reference::requests_with_defaults_on_node(pod, asked);
    EXPECT_EQ(on_node["cpu"] + beyond.cpu, expected["cpu"]) << where;
    EXPECT_EQ(on_node["memory"] + beyond.memory, expected["memory"]) << where;
  }
}

/// A pod with two containers: c requests cpu, d requests nothing.
Pod with_second_container() {
  Pod made = pod("a", 0, 5);
  made.containers.push_back({"d", {}, {}, false});
  return made;
}

}  // namespace

// PRE-REQUESTS-7: names of resources that count, and names that do not. First a container requests the
// resource, then also an init container, the overhead, and the pod.
TEST(OptimizedRequests, CountTheResourcesThatTheReferenceCounts) {
  for (const char* name : {"cpu", "memory", "ephemeral-storage", "hugepages-2Mi", "hugepages", "storage",
                           "pods", "attachable-volumes-x", "requests.cpu", "example.com/gpu",
                           "requests.example.com/gpu", "kubernetes.io/x", "requests.kubernetes.io/x",
                           "a.kubernetes.io/x", "kubernetes.io", "requests.a.kubernetes.io/x", "/", ""}) {
    Pod made = pod("a", 0, 1);
    made.containers[0].requests[name] = 3;
    expect_alike(made, name);
    made.init_containers.push_back({"i", {{name, 5}}, {}, false});
    expect_alike(made, name);
    made.overhead[name] = 7;
    expect_alike(made, name);
    made.pod_level_requests = ResourceList{{name, 11}};
    expect_alike(made, name);
  }
}

// PRE-REQUESTS-1, PRE-REQUESTS-4, PRE-FIT-3: absent, negative, zero and positive amounts of a container and
// an init container or sidecar.
TEST(OptimizedRequests, AddUpAsThoseOfTheReference) {
  const std::vector<ResourceList> amounts = {{}, {{"cpu", -5}}, {{"cpu", 0}}, {{"cpu", 7}}};
  for (const ResourceList& own : amounts) {
    for (const ResourceList& init : amounts) {
      for (const bool is_sidecar : {false, true}) {
        Pod made = pod("a", 0, 1);
        made.containers[0].requests = own;
        made.containers.push_back({"d", {{"memory", 1}}, {}, false});
        made.init_containers.push_back({"i", init, {}, is_sidecar});
        expect_alike(made, is_sidecar ? "sidecar" : "init container");
      }
    }
  }
}

// PRE-REQUESTS-5, PRE-REQUESTS-6, PRE-REQUESTS-8: the status of a resize, of the container and of the pod,
// with and without `resources`, with and without `allocatedResources`, and of a resize that is infeasible.
// Then the same with requests of the pod.
TEST(OptimizedRequests, OfResizedPodsAreThoseOfTheReference) {
  const std::vector<ResourceList> lists = {{}, {{"cpu", 0}}, {{"cpu", 7}}, {{"cpu", 9}, {"memory", 2}}};
  for (const ResourceList& own : lists) {
    for (const ResourceList& status : lists) {
      for (unsigned variant = 0; variant < 8; ++variant) {
        Pod made = pod("a", 0, 1);
        made.containers[0].requests = own;
        made.resource_status = {(variant & 1U) != 0, status, std::nullopt};
        if ((variant & 2U) != 0) made.resource_status.allocated = own;
        if ((variant & 4U) != 0) made.conditions = {{"PodResizePending", "True", "Infeasible"}};
        made.container_statuses = {{"c", made.resource_status}};
        for (const char* of_pod : {"cpu", "ephemeral-storage"}) {
          expect_alike(made, std::to_string(variant));
          made.pod_level_requests = ResourceList{{of_pod, 2}};
          expect_alike(made, std::to_string(variant) + of_pod);
        }
      }
    }
  }
}

// SCORE-REQUESTS-2: the init container, or the sidecar, requests more than the container.
TEST(OptimizedRequests, OfInitContainersAreThoseOfTheReference) {
  for (const bool first_is_sidecar : {false, true}) {
    for (const bool second_is_sidecar : {false, true}) {
      Pod made = with_second_container();
      made.init_containers = {{"i", {{"cpu", 500}}, {}, first_is_sidecar},
                              {"j", {{"memory", 7}}, {}, second_is_sidecar}};
      expect_alike(made, std::to_string(first_is_sidecar) + std::to_string(second_is_sidecar));
    }
  }
}

// SCORE-REQUESTS-4, PRE-REQUESTS-5: requests of the pod, some of which do not count. A default counts only
// for a resource that the pod does not request.
TEST(OptimizedRequests, OfThePodAreThoseOfTheReference) {
  for (const ResourceList& of_pod :
       {ResourceList{}, ResourceList{{"cpu", 7}}, ResourceList{{"memory", 7}},
        ResourceList{{"cpu", 7}, {"ephemeral-storage", 1}}, ResourceList{{"hugepages-2Mi", 4}},
        ResourceList{{"ephemeral-storage", 1}}}) {
    Pod made = with_second_container();
    made.pod_level_requests = of_pod;
    const std::string what = of_pod.empty() ? "" : of_pod.begin()->first;
    expect_alike(made, what);
    made.resource_status = {true, ResourceList{{"cpu", 9}}, ResourceList{{"memory", 9}}};
    expect_alike(made, what + " with status");
  }
}

// PRE-REQUESTS-6, PRE-REQUESTS-8: each part of the status of the pod, and an infeasible resize. The
// containers have no status.
TEST(OptimizedRequests, WithAStatusOfThePodAreThoseOfTheReference) {
  const std::vector<std::optional<ResourceList>> lists = {std::nullopt, ResourceList{},
                                                          ResourceList{{"cpu", 9}, {"memory", 2}}};
  for (const bool has_resources : {false, true}) {
    for (const std::optional<ResourceList>& in_force : lists) {
      for (const std::optional<ResourceList>& allocated : lists) {
        for (const char* reason : {"Deferred", "Infeasible"}) {
          Pod made = with_second_container();
          made.resource_status = {has_resources, in_force, allocated};
          made.conditions = {{"PodResizePending", "True", reason}};
          expect_alike(made, reason);
        }
      }
    }
  }
}

// PRE-REQUESTS-6, PRE-REQUESTS-8: the status of container d comes after that of another container. The spec
// of d requests less, or nothing. Another condition comes before that of the resize.
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
          expect_alike(made, std::string(other) + type + reason);
          made.containers[1].requests = {{"cpu", 4}};
          expect_alike(made, std::string(other) + type + reason + " with a request");
        }
      }
    }
  }
}

// SCORE-REQUESTS-3: from v1.18 to v1.26 the overhead is rounded up to whole CPUs.
TEST(OptimizedRequests, RoundTheOverheadAsTheReferenceDoes) {
  Pod made = pod("a", 0, 1);
  for (const Quantity overhead : {-1001, -1, 0, 1, 999, 1000, 1001, 2500}) {
    made.overhead = {{"cpu", overhead}};
    expect_alike(made, std::to_string(overhead));
  }
}

// PRE-PORTS-1, PRE-PORTS-3: the order of the ports does not matter.
TEST(OptimizedRequests, HaveTheHostPortsOfTheReference) {
  Pod made = pod("a", 0, 1);
  for (const char* protocol : {"", "TCP", "UDP"}) {
    for (const char* address : {"", "0.0.0.0", "127.0.0.1"}) {
      for (const Quantity port : {0, 80}) made.containers[0].ports.push_back({protocol, address, port});
    }
  }
  made.init_containers = {{"i", {}, {{"UDP", "", 1}}, false}, {"s", {}, {{"UDP", "", 2}}, true}};
  for (const Release& asked : releases()) {
    std::vector<ContainerPort> ports;
    for (const optimized::Port& port : optimized::host_ports_of(made, asked))
      ports.push_back({std::string(port.protocol), std::string(port.address), port.number});
    std::vector<ContainerPort> expected = reference::host_ports(made, asked);
    const auto by_text = [](const ContainerPort& a, const ContainerPort& b) {
      return std::tie(a.protocol, a.host_ip, a.host_port) < std::tie(b.protocol, b.host_ip, b.host_port);
    };
    std::sort(ports.begin(), ports.end(), by_text);
    std::sort(expected.begin(), expected.end(), by_text);
    EXPECT_EQ(ports, expected) << asked.version.text();
  }
}

}  // namespace touchstone::tests::optimized_requests_test
