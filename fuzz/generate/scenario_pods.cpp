#include <algorithm>

#include "fuzz/generate/draw.hpp"
#include "spec/vocabulary/node_features.hpp"

namespace touchstone::fuzz {

namespace {

constexpr Quantity k_cpu = 500;  ///< millicores; requests are small multiples, so that sums are often equal
constexpr Quantity k_bytes = 1 << 20;
constexpr Quantity k_first_start = 1'700'000'000 * k_second_ns;

const char* const k_gpu = "example.com/gpu";

void draw_start(Draw& draw, Pod& pod) {
  pod.start_time_ns = k_first_start;
  if (!draw.has(Family::starts)) return;
  switch (draw.below(4)) {
    case 1:
      pod.start_time_ns = k_first_start + k_second_ns;
      break;
    case 2:
      pod.start_time_ns = k_first_start - k_second_ns;
      break;
    case 3:
      pod.start_time_ns.reset();
      break;
    default:
      break;
  }
}

void draw_resources(Draw& draw, ResourceList& requests) {
  if (draw.has(Family::resources)) {
    if (draw.once_in(2)) requests["memory"] = k_bytes * draw.one_of<Quantity>({1, 2, 3, 0});
    if (draw.once_in(6)) requests["ephemeral-storage"] = k_bytes * draw.one_of<Quantity>({1, 2});
    if (draw.once_in(6)) requests[k_gpu] = draw.one_of<Quantity>({1, 2, 0});
    if (draw.once_in(24)) requests["hugepages-2Mi"] = 2 * k_bytes;
    if (draw.once_in(24)) requests["example.org/fpga"] = 1;
  }
  if (draw.has(Family::requests) && draw.once_in(24))
    requests[draw.one_of({"cpus", "storage", "requests.example.com/gpu"})] = 1;
  if (draw.has(Family::requests) && draw.once_in(16)) requests.erase("cpu");
}

Container draw_container(Draw& draw, const std::string& name, Quantity units) {
  Container container;
  container.name = name;
  container.requests["cpu"] = units * k_cpu;
  draw_resources(draw, container.requests);
  return container;
}

/// Adds init containers, sidecars, overhead and pod-level requests.
void draw_shape(Draw& draw, Pod& pod) {
  if (!draw.has(Family::requests)) return;
  if (draw.once_in(4)) pod.containers.push_back(draw_container(draw, "c2", draw.one_of<Quantity>({1, 0})));
  const std::size_t inits = draw.one_of<std::size_t>({0, 0, 1, 2, 0, 3});
  for (std::size_t i = 0; i < inits; ++i) {
    pod.init_containers.push_back(
        draw_container(draw, "i" + std::to_string(i), draw.one_of<Quantity>({1, 2, 4, 0})));
    pod.init_containers.back().restart_always = draw.minor >= 28 && draw.once_in(2);
  }
  if (draw.minor >= 16 && draw.once_in(5)) {
    pod.overhead["cpu"] = draw.one_of<Quantity>({k_cpu, 1});
    if (draw.once_in(3)) pod.overhead["memory"] = k_bytes;
  }
  if (draw.minor >= 32 && draw.once_in(4)) {
    pod.pod_level_requests.emplace();
    (*pod.pod_level_requests)["cpu"] = k_cpu * draw.one_of<Quantity>({2, 1, 4, 0});
    if (draw.once_in(3)) (*pod.pod_level_requests)["memory"] = k_bytes * draw.one_of<Quantity>({1, 4});
  }
}

/// The resources in a status that a kubelet reports: more or less than `amounts`, an empty map, or no map.
ResourceStatus draw_resource_status(Draw& draw, const ResourceList& amounts, std::size_t odds_of_none) {
  const auto changed = [&draw](ResourceList list) {
    if (draw.once_in(8)) return ResourceList{};
    Quantity& cpu = list["cpu"];
    cpu = std::max<Quantity>(0, cpu + draw.one_of<Quantity>({0, k_cpu, -k_cpu, 2 * k_cpu, 1}));
    if (draw.once_in(12)) list.erase("cpu");
    if (draw.once_in(8)) list["memory"] = k_bytes;
    return list;
  };
  ResourceStatus status;
  status.has_resources = !draw.once_in(odds_of_none);
  if (status.has_resources && !draw.once_in(8)) status.requests = changed(amounts);
  if (!draw.once_in(3)) status.allocated = changed(amounts);
  return status;
}

/// Adds a resize that is requested, admitted, or infeasible. The requests in force and the allocated
/// resources may be more or less than the spec.
void draw_resize(Draw& draw, Pod& pod) {
  if (!draw.has(Family::resize) || !draw.once_in(2)) return;
  std::vector<Container> containers = pod.containers;
  containers.insert(containers.end(), pod.init_containers.begin(), pod.init_containers.end());
  for (const Container& container : containers) {
    if (draw.once_in(6)) continue;
    pod.container_statuses.push_back({container.name, draw_resource_status(draw, container.requests, 6)});
  }
  if (draw.once_in(2)) {
    pod.conditions.push_back(
        {"PodResizePending", "True", draw.one_of({"Infeasible", "Deferred", "Infeasible"})});
  }
  if (draw.once_in(12)) pod.conditions.push_back({"PodResizePending", "False", "Infeasible"});
  if (draw.once_in(3)) {
    const ResourceList whole = pod.pod_level_requests.value_or(ResourceList{{"cpu", 2 * k_cpu}});
    pod.resource_status = draw_resource_status(draw, whole, 8);
  }
}

void draw_ports(Draw& draw, Pod& pod, std::size_t odds) {
  if (!draw.has(Family::ports) || !draw.once_in(odds)) return;
  std::vector<Container>& containers =
      !pod.init_containers.empty() && draw.once_in(2) ? pod.init_containers : pod.containers;
  const std::size_t ports = draw.one_of<std::size_t>({1, 1, 2});
  for (std::size_t i = 0; i < ports; ++i) {
    containers[0].ports.push_back({draw.one_of({"", "TCP", "UDP"}),
                                   draw.one_of({"", "10.0.0.1", "0.0.0.0", "10.0.0.2"}),
                                   draw.one_of<Quantity>({80, 80, 81, 0})});
  }
}

void draw_end(Draw& draw, Pod& pod) {
  if (!draw.has(Family::terminating)) return;
  if (draw.once_in(12)) pod.phase = draw.one_of({"Succeeded", "Failed", "Running"});
  pod.terminating = draw.once_in(3);
  if (!pod.terminating && !draw.once_in(6)) return;
  const std::size_t conditions = draw.one_of<std::size_t>({1, 0, 1, 2});
  for (std::size_t i = 0; i < conditions; ++i) {
    pod.conditions.push_back(
        {draw.one_of({"DisruptionTarget", "DisruptionTarget", "Ready"}),
         draw.one_of({"True", "True", "True", "False", "Unknown"}),
         draw.one_of({"PreemptionByScheduler", "PreemptionByScheduler", "EvictionByEvictionAPI", ""})});
  }
}

}  // namespace

std::string node_name(std::size_t number) { return "n" + std::to_string(number + 1); }

Pod draw_pod(Draw& draw, const std::string& name, const Priorities& priorities, bool alike) {
  Pod pod;
  pod.ns = draw.has(Family::namespaces) && draw.once_in(3) ? "other" : "default";
  pod.name = name;
  pod.uid = "u-" + name;
  pod.phase = "Running";
  const Quantity units = draw.one_of<Quantity>({2, 1, 2, 3, 4, 1, 2, 0});
  pod.containers.push_back(draw_container(draw, "c", units));
  pod.priority = alike ? priorities.others[0] : priorities.others[draw.below(priorities.others.size())];
  if (draw.has(Family::pdbs) || draw.has(Family::affinity) || draw.has(Family::anti_affinity) ||
      draw.has(Family::spread))
    pod.labels = draw_labels(draw);
  draw_start(draw, pod);
  draw_shape(draw, pod);
  draw_resize(draw, pod);
  draw_ports(draw, pod, 3);
  draw_end(draw, pod);
  if (draw.has(Family::anti_affinity) && draw.once_in(6))
    pod.pod_anti_affinity.push_back(draw_affinity_term(draw));
  return pod;
}

/// Adds features that the preemptor requires of its node.
void draw_wanted_features(Draw& draw, Pod& preemptor) {
  if (!draw.has(Family::features)) return;
  for (const std::string_view feature : k_node_features) {
    if (draw.once_in(2)) preemptor.node_features.emplace_back(feature);
  }
}

void draw_declared_features(Draw& draw, Node& node) {
  if (!draw.has(Family::features)) return;
  for (const std::string_view feature : k_node_features) {
    if (!draw.once_in(4)) node.declared_features.emplace_back(feature);
  }
}

Pod draw_preemptor(Draw& draw, const Priorities& priorities, std::size_t nodes) {
  Pod pod;
  pod.ns = draw.has(Family::namespaces) && draw.once_in(6) ? "other" : "default";
  pod.name = "p";
  pod.uid = "u-p";
  pod.priority = priorities.preemptor;
  pod.containers.push_back(draw_container(draw, "c", draw.one_of<Quantity>({2, 3, 4, 1, 6})));
  draw_shape(draw, pod);
  draw_resize(draw, pod);
  draw_ports(draw, pod, 2);
  draw_tolerations(draw, pod);
  draw_node_affinity(draw, pod, nodes);
  draw_wanted_features(draw, pod);
  if (draw.has(Family::selectors) && draw.once_in(8))
    pod.node_name = node_name(draw.once_in(12) ? nodes : draw.below(nodes));
  if (draw.has(Family::affinity) || draw.has(Family::anti_affinity) || draw.has(Family::spread))
    pod.labels = draw_labels(draw);
  if (draw.has(Family::affinity)) {
    const std::size_t terms = draw.one_of<std::size_t>({1, 1, 2});
    for (std::size_t i = 0; i < terms; ++i) pod.pod_affinity.push_back(draw_affinity_term(draw));
  }
  if (draw.has(Family::anti_affinity) && draw.once_in(2))
    pod.pod_anti_affinity.push_back(draw_affinity_term(draw));
  if (draw.has(Family::spread)) {
    const std::size_t constraints = draw.one_of<std::size_t>({1, 2, 2, 3});
    for (std::size_t i = 0; i < constraints; ++i) pod.topology_spread.push_back(draw_spread(draw));
  }
  if (draw.has(Family::nominated) && draw.once_in(2))
    pod.nominated_node_name = node_name(draw.once_in(12) ? nodes : draw.below(nodes));
  if (draw.minor >= 15 && draw.once_in(24))
    pod.preemption_policy = draw.one_of({"Never", "PreemptLowerPriority"});
  return pod;
}

}  // namespace touchstone::fuzz
