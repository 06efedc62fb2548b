#pragma once

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "reference/filters/requests.hpp"
#include "spec/releases/release.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/decision.hpp"
#include "spec/vocabulary/trace.hpp"

namespace touchstone::reference {

/// A pod in the state of a node.
struct PodOnNode {
  PodIndex pod;
  const Pod* object;
  bool put_back = false;  ///< it was removed and added back
};

/// The scheduler's state of a node: the pods on it, and the host ports in use. Used ports are a set, as in
/// every release, so removing one of two pods that hold a port frees the port (PRE-PORTS-2). Everything else
/// is computed from the pods.
struct NodeState {
  using Port = HostPort;

  NodeIndex index = 0;
  const Node* node = nullptr;
  std::vector<PodOnNode> pods;
  std::set<Port> used_ports;

  void add(const PodOnNode& pod, const Release& release);
  void put_back(const PodOnNode& pod, const Release& release);  ///< adds a removed pod back
  void remove(const PodOnNode& pod, const Release& release);    ///< requires: the pod is on the node
};

/// A pod with required anti-affinity, and the node that it is on.
struct PodWithTerms {
  NodeIndex node;
  PodOnNode pod;
};

/// One scheduling attempt: the question, and the cluster as the scheduler sees it before any eviction.
/// Clauses: PRE-INPUT-1 to PRE-INPUT-3.
struct Cycle {
  Cycle(const Question& question, const Release& release, Trace& trace);

  const Cluster& cluster;
  const Pod& pod;
  const Release& release;
  Trace& trace;
  std::vector<NodeState> nodes;                   ///< in the order of cluster.nodes
  std::vector<std::vector<PodOnNode>> nominated;  ///< for each node, the pods nominated to it
  std::vector<PodWithTerms> with_anti_affinity;   ///< the pods on nodes that have required anti-affinity
  std::optional<NodeIndex> nominated_node;        ///< the node that the preemptor is nominated to
  ResourceList requested;                         ///< requests of the preemptor
  std::vector<ResourceList> requests;             ///< requests of each pod of the cluster, on its node
  const std::vector<Extender>& extenders;         ///< of the question, or else of the configuration
  std::size_t known_nodes = 0;                    ///< the number of nodes in the scheduler's cache
  std::set<NodeIndex> bare;  ///< EXT-RECORD-1: nodes of which scorers see no pods and no images
};

/// Whether a pod has ended (phase Succeeded or Failed). Such a pod uses nothing of its node. Clauses:
/// PRE-INPUT-1.
bool is_finished(const Pod& pod);

/// Calls `change(pod, -1)` for each pod of `before` that is not in `now`, then `change(pod, 1)` for each pod
/// of `now` that is not in `before`. It serves counts that a release updates pod by pod instead of computing
/// them from scratch.
template <typename Change>
void for_each_change(const std::vector<PodOnNode>& before, const std::vector<PodOnNode>& now, Change change) {
  const auto has = [](const std::vector<PodOnNode>& pods, const PodOnNode& pod) {
    return std::any_of(pods.begin(), pods.end(),
                       [&pod](const PodOnNode& other) { return other.pod == pod.pod; });
  };
  for (const PodOnNode& pod : before) {
    if (!has(now, pod)) change(pod, -1);
  }
  for (const PodOnNode& pod : now) {
    if (!has(before, pod)) change(pod, 1);
  }
}

/// A text of the release with the first occurrence of the placeholder `word`, such as "$node", replaced by
/// `value`.
std::string filled_in(std::string_view text, std::string_view word, const std::string& value);

}  // namespace touchstone::reference
