#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "spec/vocabulary/cluster.hpp"

/// The clusters that touchstone bench measures. Each node has 30 pods, which use all its cpu. The pods belong
/// to 40 apps, and 20 PDBs cover half of the apps. Random values depend only on the number of a node, so
/// every run measures the same clusters.
namespace touchstone::bench {

/// How the pods of a cluster differ.
enum class Shape {
  varied,     ///< five priorities, two sizes, many starts and apps
  alike,      ///< all pods are alike: all nodes tie on all criteria
  near_ties,  ///< all nodes tie on the criteria before the start, so the start decides
};
inline constexpr std::array<std::string_view, 3> k_shape_names = {"varied", "alike", "near-ties"};

/// What the preemptor requires of other pods. The result of such a requirement changes when pods of a node
/// are removed or reprieved.
enum class Asks {
  nothing,
  anti_affinity,  ///< no pod of one app may be on its node
  spread,         ///< pods of one app must be spread over zones
};
inline constexpr std::array<std::string_view, 3> k_asks_names = {"alone", "anti-affinity", "spread"};

inline constexpr std::size_t k_bench_pods = 30;  ///< pods of a node
inline constexpr std::size_t k_bench_pdbs = 20;

struct BenchNode {
  Node node;
  std::vector<Pod> pods;
};

/// Makes node `number` with its pods, which request all of its cpu. A cluster of n nodes has all nodes whose
/// number is below n. So a cluster that would take gigabytes as objects can be made node by node.
BenchNode bench_node(std::size_t number, Shape shape);

/// The same node with twice the cpu and memory. So the preemptor fits on it.
BenchNode bench_node_with_room(std::size_t number, Shape shape);

std::vector<PodDisruptionBudget> bench_budgets(Shape shape);

/// Makes a whole cluster as objects, or a cluster of the nodes with these numbers.
Cluster bench_cluster(std::size_t nodes, Shape shape);
Cluster bench_cluster(const std::vector<std::size_t>& numbers, Shape shape);

/// The same, of nodes with room.
Cluster bench_cluster_with_room(std::size_t nodes, Shape shape);

/// Makes a preemptor of higher priority than all other pods, which requests three times the cpu of the
/// largest of them. So every node is a candidate; with Asks::spread only the nodes in zones that do not have
/// too many pods of its app. `number` distinguishes several preemptors.
Pod bench_preemptor(Asks asks, std::size_t number = 0);

}  // namespace touchstone::bench
