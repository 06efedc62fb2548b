#include "reference/filters/requests.hpp"

#include <gtest/gtest.h>

#include "tests/support/builder.hpp"

namespace touchstone::tests::requests_test {

using reference::host_ports;
using reference::requests_of_preemptor;
using reference::requests_on_node;

namespace {

Container container(const std::string& name, Quantity cpu, bool restart_always = false) {
  return {name, {{"cpu", cpu}}, {}, restart_always};
}

Quantity cpu(const ResourceList& list) { return list.at("cpu"); }

ResourceStatus status_of(const ResourceList& requests, const ResourceList& allocated) {
  return {true, requests, allocated};
}

/// A pod with one container of 1000 and init containers of 300, 2500 (a sidecar if `sidecar`) and 700 milli
/// cpu.
Pod pod_with_init(bool sidecar) {
  Pod made = pod("p", 0, 1000);
  made.init_containers = {container("a", 300), container("b", 2500, sidecar), container("c", 700)};
  return made;
}

}  // namespace

// PRE-REQUESTS-1
TEST(Requests, AreTheSumOfContainersOrTheLargestInitContainer) {
  Pod made = pod_with_init(false);
  EXPECT_EQ(cpu(requests_of_preemptor(made, release("v1.34"))), 2500);
  made.containers.push_back(container("d", 2000));
  EXPECT_EQ(cpu(requests_of_preemptor(made, release("v1.34"))), 3000);
}

// PRE-REQUESTS-2
TEST(Requests, ForgetInitContainersOfPodsOnNodesThrough1182) {
  EXPECT_EQ(cpu(requests_on_node(pod_with_init(false), release("v1.18.2"))), 1000);
  EXPECT_EQ(cpu(requests_on_node(pod_with_init(false), release("v1.18.3"))), 2500);
  EXPECT_EQ(cpu(requests_of_preemptor(pod_with_init(false), release("v1.18.2"))), 2500);
}

// PRE-REQUESTS-3
TEST(Requests, CountOverheadFrom118) {
  Pod made = pod("p", 0, 1000);
  made.overhead = {{"cpu", 250}};
  EXPECT_EQ(cpu(requests_of_preemptor(made, release("v1.17"))), 1000);
  EXPECT_EQ(cpu(requests_of_preemptor(made, release("v1.18"))), 1250);
  EXPECT_EQ(cpu(requests_on_node(made, release("v1.18"))), 1250);
}

// PRE-REQUESTS-4: a sidecar runs beside all later containers: max(1000 + 2500, 300, 2500, 2500 + 700).
TEST(Requests, AddSidecarsUpFrom128) {
  EXPECT_EQ(cpu(requests_of_preemptor(pod_with_init(true), release("v1.27"))), 2500);
  EXPECT_EQ(cpu(requests_of_preemptor(pod_with_init(true), release("v1.28"))), 3500);
  Pod made = pod_with_init(true);
  made.init_containers.push_back(container("e", 2000));
  EXPECT_EQ(cpu(requests_of_preemptor(made, release("v1.28"))), 4500);
}

// PRE-REQUESTS-5
TEST(Requests, TakeThePodLevelFrom134) {
  Pod made = pod("p", 0, 1000);
  made.containers[0].requests["example.com/gpu"] = 1;
  made.containers[0].requests["hugepages-2Mi"] = 4;
  made.pod_level_requests = ResourceList{{"cpu", 600}, {"hugepages-2Mi", 8}, {"example.com/gpu", 9}};
  made.overhead = {{"cpu", 50}};
  EXPECT_EQ(cpu(requests_of_preemptor(made, release("v1.33"))), 1050);
  const ResourceList total = requests_of_preemptor(made, release("v1.34"));
  EXPECT_EQ(total, (ResourceList{{"cpu", 650}, {"hugepages-2Mi", 8}, {"example.com/gpu", 1}}));
}

// PRE-REQUESTS-6
TEST(Requests, OnANodeAreTheLargestOfSpecActualAndAllocatedFrom133) {
  Pod made = pod("p", 0, 1000);
  made.container_statuses = {{"other", status_of({{"cpu", 9000}}, {})},
                             {"c", status_of({{"cpu", 1500}}, {{"cpu", 1200}})}};
  EXPECT_EQ(cpu(requests_on_node(made, release("v1.32"))), 1000);
  EXPECT_EQ(cpu(requests_on_node(made, release("v1.33"))), 1500);
  EXPECT_EQ(cpu(requests_of_preemptor(made, release("v1.33"))), 1000);
  made.containers[0].requests["cpu"] = 3000;
  EXPECT_EQ(cpu(requests_on_node(made, release("v1.33"))), 3000);
}

// PRE-REQUESTS-6
TEST(Requests, LeaveOutTheSpecOfAnInfeasibleResize) {
  Pod made = pod("p", 0, 3000);
  made.container_statuses = {{"c", status_of({{"cpu", 1500}}, {{"cpu", 1600}})}};
  made.conditions = {{"Ready", "True", ""}, {"PodResizePending", "True", "Deferred"}};
  EXPECT_EQ(cpu(requests_on_node(made, release("v1.33"))), 3000);
  made.conditions = {{"Ready", "True", ""}, {"PodResizePending", "True", "Infeasible"}};
  EXPECT_EQ(cpu(requests_on_node(made, release("v1.33"))), 1600);
}

// PRE-REQUESTS-6
TEST(Requests, IgnoreAContainerStatusWithoutResources) {
  Pod made = pod("p", 0, 1000);
  made.container_statuses = {{"c", {false, std::nullopt, ResourceList{{"cpu", 5000}}}}};
  EXPECT_EQ(cpu(requests_on_node(made, release("v1.33"))), 1000);
}

// PRE-REQUESTS-6
TEST(Requests, LookAtTheStatusOfSidecarsButNotOfOtherInitContainers) {
  Pod made = pod("p", 0, 1000);
  made.init_containers = {container("a", 100), container("s", 200, true)};
  made.container_statuses = {{"a", status_of({{"cpu", 9000}}, {})}, {"s", status_of({{"cpu", 700}}, {})}};
  EXPECT_EQ(cpu(requests_on_node(made, release("v1.33"))), 1700);
}

// PRE-REQUESTS-6
TEST(Requests, LookAtTheStatusOfThePodLevelFrom136) {
  Pod made = pod("p", 0, 1000);
  made.pod_level_requests = ResourceList{{"cpu", 600}};
  made.resource_status = status_of({{"cpu", 800}}, {{"cpu", 700}});
  EXPECT_EQ(cpu(requests_on_node(made, release("v1.35"))), 600);
  EXPECT_EQ(cpu(requests_on_node(made, release("v1.36"))), 800);
  made.resource_status.has_resources = false;
  EXPECT_EQ(cpu(requests_on_node(made, release("v1.36"))), 600);
}

namespace {

/// The cpu that a pod on a node requests, in v1.36 and in v1.37. For pods of the seven smallest clusters of
/// PRE-REQUESTS-8.
std::pair<Quantity, Quantity> before_and_after(const Pod& made) {
  const auto of = [&made](const char* name) {
    const ResourceList list = requests_on_node(made, release(name));
    return list.contains("cpu") ? list.at("cpu") : 0;
  };
  return {of("v1.36"), of("v1.37")};
}

ResourceStatus allocated_alone(const ResourceList& allocated) { return {false, std::nullopt, allocated}; }

}  // namespace

using BeforeAndAfter = std::pair<Quantity, Quantity>;

// PRE-REQUESTS-8
TEST(RequestsDuringAResize, LeaveTheSpecOfAnInfeasibleOneOutAlsoWithoutAStatus) {
  Pod made = pod("a", 0, 1000);
  made.conditions = {{"PodResizePending", "True", "Infeasible"}};
  EXPECT_EQ(before_and_after(made), BeforeAndAfter(1000, 0));
}

// PRE-REQUESTS-8
TEST(RequestsDuringAResize, AreTheLargestTotalAndNotASumOfLargestParts) {
  Pod made = pod("a", 0, 2000);
  made.containers.push_back(container("d", 1000));
  made.container_statuses = {{"c", status_of({{"cpu", 1000}}, {{"cpu", 1000}})},
                             {"d", status_of({{"cpu", 2000}}, {{"cpu", 2000}})}};
  EXPECT_EQ(before_and_after(made), BeforeAndAfter(4000, 3000));
}

// PRE-REQUESTS-8
TEST(RequestsDuringAResize, CountAnAllocationWithoutResources) {
  Pod made = pod("a", 0, 0);
  made.container_statuses = {{"c", allocated_alone({{"cpu", 1000}})}};
  EXPECT_EQ(before_and_after(made), BeforeAndAfter(0, 1000));
  made.container_statuses[0].resources.has_resources = true;
  EXPECT_EQ(before_and_after(made), BeforeAndAfter(1000, 1000));
}

// PRE-REQUESTS-8
TEST(RequestsDuringAResize, LookAtTheStatusOfInitContainersThatEnd) {
  Pod made = pod("a", 0, 0);
  made.init_containers = {container("i", 0)};
  made.container_statuses = {{"i", allocated_alone({{"cpu", 1000}})}};
  EXPECT_EQ(before_and_after(made), BeforeAndAfter(0, 1000));
}

// PRE-REQUESTS-8
TEST(RequestsDuringAResize, AreThoseOfThePodsOwnStatusWhereItHasBothMaps) {
  Pod made = pod("a", 0, 1000);
  made.container_statuses = {{"c", status_of({{"cpu", 2000}}, {{"cpu", 1000}})}};
  made.resource_status = status_of({{"cpu", 1000}}, {{"cpu", 1000}});
  EXPECT_EQ(before_and_after(made), BeforeAndAfter(2000, 1000));
  made.resource_status = status_of({}, {});
  EXPECT_EQ(before_and_after(made), BeforeAndAfter(2000, 1000));
  made.resource_status.requests.reset();
  EXPECT_EQ(before_and_after(made), BeforeAndAfter(2000, 2000));
}

// PRE-REQUESTS-8
TEST(RequestsDuringAResize, CountPodLevelNamesThatOnlyTheStatusHas) {
  Pod made = pod("a", 0, 0);
  made.pod_level_requests = ResourceList{{"memory", 1}};
  made.resource_status = {true, ResourceList{{"cpu", 1000}}, std::nullopt};
  EXPECT_EQ(before_and_after(made), BeforeAndAfter(0, 1000));
}

// PRE-REQUESTS-8
TEST(RequestsDuringAResize, LeaveAPodLevelNameThatNothingHasToTheContainers) {
  Pod made = pod("a", 0, 1000);
  made.pod_level_requests = ResourceList{{"cpu", 1000}};
  made.container_statuses = {{"c", status_of({{"cpu", 1000}}, {{"cpu", 1000}})}};
  made.resource_status = {true, ResourceList{{"memory", 1}}, std::nullopt};
  made.conditions = {{"PodResizePending", "True", "Infeasible"}};
  EXPECT_EQ(before_and_after(made), BeforeAndAfter(0, 1000));
}

// PRE-REQUESTS-8
TEST(RequestsDuringAResize, TakeAnEmptyMapForNothingAndAnAbsentOneForTheNextNumber) {
  Pod made = pod("a", 0, 1000);
  made.containers.push_back(container("d", 1000));
  made.container_statuses = {{"c", allocated_alone({})}, {"d", allocated_alone({{"cpu", 2000}})}};
  EXPECT_EQ(before_and_after(made).second, 2000);
  made.container_statuses[0].resources.allocated.reset();
  EXPECT_EQ(before_and_after(made).second, 3000);
}

// PRE-REQUESTS-7
TEST(Requests, CountOnlyResourcesThatNodesHave) {
  Pod made = pod("p", 0, 1);
  for (const char* name : {"memory", "ephemeral-storage", "hugepages-2Mi", "attachable-volumes-csi-x",
                           "example.com/gpu", "kubernetes.io/batteries", "requests.kubernetes.io/x"}) {
    made.containers[0].requests[name] = 1;
  }
  for (const char* name : {"storage", "pods", "gpu", "requests.example.com/gpu"})
    made.containers[0].requests[name] = 1;
  EXPECT_EQ(requests_of_preemptor(made, release("v1.34")).size(), 8u);
}

// PRE-PORTS-1, PRE-PORTS-3
TEST(HostPorts, HaveDefaultsAndCountSidecarsFrom1336) {
  Pod made = with_host_port(with_host_port(pod("p", 0, 0), 80), 0);
  Container sidecar = container("s", 0, true);
  sidecar.ports.push_back({"UDP", "10.0.0.1", 53});
  Container init = container("i", 0);
  init.ports.push_back({"", "", 99});
  made.init_containers = {sidecar, init};
  EXPECT_EQ(host_ports(made, release("v1.33.5")).size(), 1u);
  const std::vector<ContainerPort> ports = host_ports(made, release("v1.33.6"));
  ASSERT_EQ(ports.size(), 2u);
  EXPECT_EQ(ports[0].host_port, 53);
  EXPECT_EQ(ports[1].protocol, "TCP");
  EXPECT_EQ(ports[1].host_ip, "0.0.0.0");
}

}  // namespace touchstone::tests::requests_test
