#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <string>
#include <vector>

#include "optimized/decide.hpp"

/// How long a decision takes: `optimized_bench [RELEASE [NODES]]`. Prints, for clusters of 500 to 100,000
/// nodes with 30 pods each and 20 PDBs, the median time of a complete and exact decision, how many nodes were
/// dry-run, and what the snapshot takes.
namespace touchstone::optimized {

namespace {

constexpr int k_pods_of_node = 30;
constexpr int k_pdbs = 20;
constexpr int k_apps = 40;
constexpr int k_zones = 10;
constexpr Quantity k_cpu_of_pod = 500;
constexpr Quantity k_memory_of_pod = Quantity{1} << 30;

/// What the priorities of a cluster's pods are like.
enum class Shape {
  varied,  ///< a few classes, sizes and starts of several kinds
  alike,   ///< every pod as every other: all nodes tie on all criteria
  near,    ///< every node ties on the first three criteria, and the start decides
};

std::string name_of(Shape shape) {
  if (shape == Shape::varied) return "varied";
  return shape == Shape::alike ? "alike" : "near ties";
}

std::string uid_of(std::size_t number) {
  std::string digits = std::to_string(number);
  digits.insert(0, 12 - digits.size(), '0');
  return "3f2b8c1e-5d4a-4c6b-9a7f-" + digits;
}

Node node_of(std::size_t number) {
  Node node;
  node.name = "node-" + std::to_string(number);
  node.labels = {{"kubernetes.io/hostname", node.name},
                 {"topology.kubernetes.io/zone", "zone-" + std::to_string(number % k_zones)}};
  node.allocatable = {
      {"cpu", k_pods_of_node * k_cpu_of_pod}, {"memory", k_pods_of_node * k_memory_of_pod}, {"pods", 110}};
  return node;
}

Pod pod_of(std::size_t number, Shape shape, std::mt19937_64& random) {
  Pod pod;
  const std::size_t app = shape == Shape::alike ? 0 : random() % k_apps;
  pod.ns = "team-" + std::to_string(app % 4);
  pod.name = "app-" + std::to_string(app) + "-7d4b9c6f5d-" + std::to_string(number);
  pod.uid = uid_of(number);
  pod.labels = {{"app", "app-" + std::to_string(app)}, {"pod-template-hash", "7d4b9c6f5d"}};
  pod.phase = "Running";
  const Quantity size = shape == Shape::varied ? 1 + static_cast<Quantity>(random() % 2) : 1;
  pod.priority = shape == Shape::varied ? static_cast<Quantity>(random() % 5) * 100 : 0;
  pod.start_time_ns = 1'700'000'000'000'000'000;
  if (shape != Shape::alike) *pod.start_time_ns += static_cast<Quantity>(random() % 100000) * 1'000'000'000;
  pod.containers.push_back(
      {"c", {{"cpu", size * k_cpu_of_pod / 2}, {"memory", size * k_memory_of_pod / 2}}, {}, false});
  if (shape != Shape::varied)
    pod.containers.back().requests = {{"cpu", k_cpu_of_pod}, {"memory", k_memory_of_pod}};
  return pod;
}

PodDisruptionBudget pdb_of(int number, Shape shape) {
  const std::string app = "app-" + std::to_string(number);
  const Quantity allowed = shape == Shape::varied ? number % 3 : 1;
  return {"team-" + std::to_string(number % 4), app, LabelSelector{{{"app", app}}, {}}, allowed, {}};
}

/// Built node by node, since the objects of 100,000 nodes would take gigabytes.
Snapshot snapshot_of(std::size_t nodes, Shape shape, const Release& release) {
  Snapshot snapshot(release);
  std::mt19937_64 random(nodes);
  for (int i = 0; i < k_pdbs; ++i) snapshot.add_pdb(pdb_of(i, shape));
  for (std::size_t n = 0; n < nodes; ++n) {
    const Node node = node_of(n);
    snapshot.add_node(node);
    Quantity left = node.allocatable.at("cpu");
    for (int i = 0; i < k_pods_of_node; ++i) {
      Pod pod = pod_of(n * k_pods_of_node + static_cast<std::size_t>(i), shape, random);
      pod.node_name = node.name;
      left -= pod.containers[0].requests["cpu"];
      snapshot.add_pod(pod);
    }
    Node full = node;
    full.allocatable["cpu"] -= left;
    snapshot.change_node(n, full);
  }
  snapshot.pack();
  return snapshot;
}

/// What the preemptor asks of other pods.
enum class Asks { nothing, anti_affinity, spread };

std::string name_of(Asks asks) {
  if (asks == Asks::nothing) return "alone";
  return asks == Asks::anti_affinity ? "anti-affinity" : "spread";
}

/// Three times as large as a pod. Its anti-affinity forbids the pods of one app on its host, its constraint
/// spreads over zones, so both change with a node's pods.
Pod preemptor_of(Asks asks) {
  Pod pod;
  pod.ns = "team-0";
  pod.name = "preemptor";
  pod.uid = uid_of(1'000'000'000);
  pod.priority = 1000;
  pod.labels = {{"app", "app-0"}};
  pod.containers.push_back({"c", {{"cpu", 3 * k_cpu_of_pod}, {"memory", k_memory_of_pod}}, {}, false});
  const LabelSelector same_app{{{"app", "app-0"}}, {}};
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

/// What the asking thread itself has computed: on free cores a decision takes that long and the waking of
/// the others, also where other programs make it wait now.
double thread_ms() {
  std::timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

struct Measured {
  double median_ms = 0;
  double least_ms = 0;  ///< closer to the truth on a machine that others use, too
  double thread_median_ms = 0;
  Answer answer;
};

Measured measure(const Snapshot& snapshot, const Pod& pod, const Options& options, Workers& workers) {
  constexpr int k_runs = 31;
  Measured measured;
  std::vector<double> times;
  std::vector<double> thread_times;
  for (int i = 0; i < k_runs; ++i) {
    CanonicalChoices choices;
    const double thread_begin = thread_ms();
    const auto begin = std::chrono::steady_clock::now();
    measured.answer = decide(snapshot, pod, options, workers, choices);
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
    times.push_back(time.count());
    thread_times.push_back(thread_ms() - thread_begin);
  }
  std::sort(times.begin(), times.end());
  std::sort(thread_times.begin(), thread_times.end());
  measured.thread_median_ms = thread_times[thread_times.size() / 2];
  measured.median_ms = times[times.size() / 2];
  measured.least_ms = times.front();
  return measured;
}

void report(const Snapshot& snapshot, std::size_t nodes, Shape shape, Asks asks) {
  const Pod pod = preemptor_of(asks);
  const double pods = static_cast<double>(nodes) * k_pods_of_node;
  for (const std::size_t threads : {std::size_t{1}, std::size_t{2}}) {
    Workers workers(threads);
    Options whole;
    whole.prunes = false;
    const Measured pruned = measure(snapshot, pod, {}, workers);
    const Measured unpruned = measure(snapshot, pod, whole, workers);
    std::printf(
        "%6zu nodes %-9s %-13s %zu threads: median %7.3f least %7.3f own cpu %7.3f ms, %6zu dry-run; "
        "unpruned own cpu %7.3f ms, %6zu; %zu tie, %zu victims; %.0f bytes a pod\n",
        nodes, name_of(shape).c_str(), name_of(asks).c_str(), threads, pruned.median_ms, pruned.least_ms,
        pruned.thread_median_ms, pruned.answer.dry_runs, unpruned.thread_median_ms, unpruned.answer.dry_runs,
        pruned.answer.admissible.size(), pruned.answer.victims.size(),
        static_cast<double>(snapshot.bytes()) / pods);
  }
}

}  // namespace

}  // namespace touchstone::optimized

int main(int argc, char** argv) {
  using namespace touchstone;
  const Release release = find_release(argc > 1 ? argv[1] : "v1.34").value().release;
  std::vector<std::size_t> sizes = {500, 5000, 15000, 100000};
  if (argc > 2) sizes = {std::strtoull(argv[2], nullptr, 10)};
  for (const std::size_t nodes : sizes) {
    for (const auto shape : {optimized::Shape::varied, optimized::Shape::alike, optimized::Shape::near}) {
      const optimized::Snapshot snapshot = optimized::snapshot_of(nodes, shape, release);
      for (const auto asks :
           {optimized::Asks::nothing, optimized::Asks::anti_affinity, optimized::Asks::spread})
        optimized::report(snapshot, nodes, shape, asks);
    }
  }
  return 0;
}
