#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "spec/vocabulary/cluster.hpp"

/// The clusters that touchstone bench measures: full nodes of 30 pods each, of 40 apps, and 20 PDBs that
/// cover half of the apps. No chance but what the number of a node decides.
namespace touchstone::oracle {

/// What the pods of a cluster are like.
enum class Shape {
  varied,     ///< five priorities, two sizes, starts and apps of many kinds
  alike,      ///< every pod as every other: all nodes tie on all criteria
  near_ties,  ///< every node ties on what comes before the start, which decides
};
inline constexpr std::array<std::string_view, 3> k_shape_names = {"varied", "alike", "near-ties"};

/// What the preemptor asks of other pods. Either changes as the pods of a node come and go.
enum class Asks {
  nothing,
  anti_affinity,  ///< no pod of one app on its host
  spread,         ///< the pods of that app spread over zones
};
inline constexpr std::array<std::string_view, 3> k_asks_names = {"alone", "anti-affinity", "spread"};

inline constexpr std::size_t k_bench_pods = 30;  ///< of a node
inline constexpr std::size_t k_bench_pdbs = 20;

struct BenchNode {
  Node node;
  std::vector<Pod> pods;
};

/// Node `number` with its pods, which take all of its cpu. A cluster of n nodes has those below n, so that
/// one which would take gigabytes as objects can be read node by node.
BenchNode bench_node(std::size_t number, Shape shape);

std::vector<PodDisruptionBudget> bench_budgets(Shape shape);

/// All of a cluster as objects, or those nodes of it alone.
Cluster bench_cluster(std::size_t nodes, Shape shape);
Cluster bench_cluster(const std::vector<std::size_t>& numbers, Shape shape);

/// A pod three times as large as the others and of higher priority, so that every node is a candidate; with
/// Asks::spread only those are of the zones where its app has not too many pods. `number`: of several, which
/// one.
Pod bench_preemptor(Asks asks, std::size_t number = 0);

}  // namespace touchstone::oracle
