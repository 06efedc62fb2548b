#include "bench/cluster.hpp"

#include <numeric>
#include <random>
#include <string>

namespace touchstone::bench {

namespace {

constexpr std::size_t k_apps = 40;
constexpr std::size_t k_zones = 10;
constexpr Quantity k_cpu_of_pod = 500;
constexpr Quantity k_memory_of_pod = Quantity{1} << 30;
constexpr Quantity k_first_start_ns = 1'700'000'000'000'000'000;
constexpr std::size_t k_first_preemptor = 1'000'000'000;  ///< number in its UID; pods have smaller ones

std::string uid_of(std::size_t number) {
  std::string digits = std::to_string(number);
  digits.insert(0, 12 - digits.size(), '0');
  return "3f2b8c1e-5d4a-4c6b-9a7f-" + digits;
}

std::string app_of(std::size_t number) { return "app-" + std::to_string(number); }
std::string team_of(std::size_t app) { return "team-" + std::to_string(app % 4); }

Pod pod_of(std::size_t number, Shape shape, std::mt19937_64& random) {
  const bool is_varied = shape == Shape::varied;
  const std::size_t app = shape == Shape::alike ? 0 : random() % k_apps;
  const Quantity halves = is_varied ? 1 + static_cast<Quantity>(random() % 2) : 2;
  Pod pod;
  pod.ns = team_of(app);
  pod.name = app_of(app) + "-7d4b9c6f5d-" + std::to_string(number);
  pod.uid = uid_of(number);
  pod.labels = {{"app", app_of(app)}, {"pod-template-hash", "7d4b9c6f5d"}};
  pod.phase = "Running";
  pod.priority = is_varied ? static_cast<Quantity>(random() % 5) * 100 : 0;
  pod.start_time_ns = k_first_start_ns;
  if (shape != Shape::alike) *pod.start_time_ns += static_cast<Quantity>(random() % 100'000) * 1'000'000'000;
  pod.containers.push_back(
      {"c", {{"cpu", halves * k_cpu_of_pod / 2}, {"memory", halves * k_memory_of_pod / 2}}, {}, false});
  return pod;
}

}  // namespace

BenchNode bench_node(std::size_t number, Shape shape) {
  std::mt19937_64 random(number);
  BenchNode made;
  Node& node = made.node;
  node.name = "node-" + std::to_string(number);
  node.labels = {{"kubernetes.io/hostname", node.name},
                 {"topology.kubernetes.io/zone", "zone-" + std::to_string(number % k_zones)}};
  node.allocatable = {{"cpu", 0}, {"memory", k_bench_pods * k_memory_of_pod}, {"pods", 110}};
  for (std::size_t i = 0; i < k_bench_pods; ++i) {
    made.pods.push_back(pod_of(number * k_bench_pods + i, shape, random));
    made.pods.back().node_name = node.name;
    node.allocatable["cpu"] += made.pods.back().containers[0].requests["cpu"];
  }
  return made;
}

BenchNode bench_node_with_room(std::size_t number, Shape shape) {
  BenchNode made = bench_node(number, shape);
  for (const char* resource : {"cpu", "memory"}) made.node.allocatable[resource] *= 2;
  return made;
}

std::vector<PodDisruptionBudget> bench_budgets(Shape shape) {
  std::vector<PodDisruptionBudget> budgets;
  for (std::size_t i = 0; i < k_bench_pdbs; ++i) {
    const Quantity allowed = shape == Shape::varied ? static_cast<Quantity>(i % 3) : 1;
    budgets.push_back({team_of(i), app_of(i), LabelSelector{{{"app", app_of(i)}}, {}}, allowed, {}});
  }
  return budgets;
}

Cluster bench_cluster(std::size_t nodes, Shape shape) {
  std::vector<std::size_t> numbers(nodes);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return bench_cluster(numbers, shape);
}

Cluster bench_cluster(const std::vector<std::size_t>& numbers, Shape shape) {
  Cluster cluster;
  cluster.pdbs = bench_budgets(shape);
  for (const std::size_t number : numbers) {
    BenchNode made = bench_node(number, shape);
    cluster.nodes.push_back(std::move(made.node));
    for (Pod& pod : made.pods) cluster.pods.push_back(std::move(pod));
  }
  return cluster;
}

Cluster bench_cluster_with_room(std::size_t nodes, Shape shape) {
  Cluster cluster = bench_cluster(nodes, shape);
  for (Node& node : cluster.nodes) {
    for (const char* resource : {"cpu", "memory"}) node.allocatable[resource] *= 2;
  }
  return cluster;
}

Pod bench_preemptor(Asks asks, std::size_t number) {
  Pod pod;
  pod.ns = team_of(0);
  pod.name = "preemptor-" + std::to_string(number);
  pod.uid = uid_of(k_first_preemptor + number);
  pod.priority = 1000;
  pod.labels = {{"app", app_of(0)}};
  pod.containers.push_back({"c", {{"cpu", 3 * k_cpu_of_pod}, {"memory", k_memory_of_pod}}, {}, false});
  const LabelSelector same_app{{{"app", app_of(0)}}, {}};
  if (asks == Asks::anti_affinity) {
    PodAffinityTerm term;
    term.label_selector = same_app;
    term.topology_key = "kubernetes.io/hostname";
    pod.pod_anti_affinity.push_back(term);
  }
  if (asks == Asks::spread) {
    TopologySpreadConstraint constraint;
    constraint.topology_key = "topology.kubernetes.io/zone";
    constraint.when_unsatisfiable = "DoNotSchedule";
    constraint.max_skew = 5;
    constraint.label_selector = same_app;
    pod.topology_spread.push_back(constraint);
  }
  return pod;
}

}  // namespace touchstone::bench
