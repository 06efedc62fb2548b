#include "oracle/work.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace touchstone::oracle {

namespace {

/// A limit of about 1 s. The reference looks at about 10 million pods per second, so this is 0.25 s for the
/// decision. The other work of touchstone decide takes three times as long.
constexpr std::size_t k_looks_most = 2'500'000;

/// A look at a pod of the node adds up its requests. This takes as long as four looks at labels or terms.
constexpr std::size_t k_looks_at_labels = 4;

/// Whether the filters look at all pods of the cluster.
bool looks_at_all(const Pod& preemptor) {
  const std::vector<TopologySpreadConstraint>& constraints = preemptor.topology_spread;
  return !preemptor.pod_affinity.empty() || !preemptor.pod_anti_affinity.empty() ||
         std::any_of(constraints.begin(), constraints.end(), [](const TopologySpreadConstraint& constraint) {
           return constraint.when_unsatisfiable == "DoNotSchedule";
         });
}

}  // namespace

std::size_t pods_looked_at(const Cluster& cluster, const Pod& preemptor) {
  struct OfNode {
    std::size_t pods = 0;
    std::size_t runs = 2;
  };
  std::unordered_map<std::string_view, OfNode> nodes;
  for (const Node& node : cluster.nodes) nodes[node.name];
  std::size_t elsewhere = 0;
  const bool all = looks_at_all(preemptor);
  for (const Pod& pod : cluster.pods) {
    const auto node = nodes.find(pod.node_name);
    if (node == nodes.end()) continue;
    node->second.pods += 1;
    node->second.runs += pod.priority < preemptor.priority ? 1 : 0;
    elsewhere += all || !pod.pod_anti_affinity.empty() ? 1 : 0;
  }
  std::size_t looks = 0;
  for (const auto& [name, node] : nodes) looks += node.runs * (1 + node.pods + elsewhere / k_looks_at_labels);
  return looks;
}

Engine engine_by_work(const Cluster& cluster, const std::vector<const Pod*>& preemptors) {
  std::size_t looks = 0;
  for (const Pod* preemptor : preemptors) {
    looks += pods_looked_at(cluster, *preemptor);
    if (looks > k_looks_most) return Engine::optimized;
  }
  return Engine::reference;
}

}  // namespace touchstone::oracle
