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

const std::vector<Release>& releases() {
  static const std::vector<Release> k_all = [] {
    std::vector<Release> all;
    for (const std::string& epoch : fuzz::k_distinct_releases) all.push_back(release(epoch));
    return all;
  }();
  return k_all;
}

/// Expects that both engines compute the same requests of a pod, as the preemptor and on a node, for filters
/// and for scores.
void expect_alike(const Pod& pod, const std::string& what) {
  for (const Release& asked : releases()) {
    const auto requests = [&](optimized::RequestsOf whom) {
      return listed(optimized::requests_of(pod, asked, whom));
    };
    EXPECT_EQ(requests(optimized::RequestsOf::preemptor), reference::requests_of_preemptor(pod, asked))
        << asked.version.text() << " " << what;
    EXPECT_EQ(requests(optimized::RequestsOf::node_pod), reference::requests_on_node(pod, asked))
        << asked.version.text() << " " << what;
    EXPECT_EQ(optimized::scored_requests_of_preemptor(pod, asked),
              reference::requests_with_defaults_of_preemptor(pod, asked))
        << asked.version.text() << " " << what;
    EXPECT_EQ(optimized::real_requests_of_preemptor(pod, asked),
              reference::real_requests_of_preemptor(pod, asked))
        << asked.version.text() << " " << what;
  }
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
