#pragma once

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "reference/filters/requests.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/decision.hpp"
#include "spec/releases/release.hpp"
#include "spec/vocabulary/trace.hpp"

namespace touchstone::reference {

/// A pod as a node's account keeps it.
struct PodOnNode {
  PodIndex pod;
  const Pod* object;
  bool put_back = false;  ///< it was taken away and came back
};

/// A node as the scheduler accounts for it: the pods on it, and the host ports in use. Ports are a set, as in
/// every release, so taking one of two holders away frees the port (PRE-PORTS-2); all else is recomputed from
/// the pods.
struct NodeState {
  using Port = std::tuple<std::string, Quantity, std::string>;  ///< protocol, port, address

  NodeIndex index = 0;
  const Node* node = nullptr;
  std::vector<PodOnNode> pods;
  std::set<Port> used_ports;

  void add(const PodOnNode& pod, const Release& release);
  void put_back(const PodOnNode& pod, const Release& release);  ///< one that was taken away
  void remove(const PodOnNode& pod, const Release& release);
};

/// A pod that has required anti-affinity, and the node that it is on.
struct PodWithTerms {
  NodeIndex node;
  PodOnNode pod;
};

/// One scheduling attempt: the question, and what the cluster looks like to it. Clauses: PRE-INPUT-1 to
/// PRE-INPUT-3.
struct Cycle {
  Cycle(const Question& question, const Release& release, Trace& trace);

  const Cluster& cluster;
  const Pod& pod;
  const Release& release;
  Trace& trace;
  std::vector<NodeState> nodes;                   ///< in the order of cluster.nodes
  std::vector<std::vector<PodOnNode>> nominated;  ///< per node
  std::vector<PodWithTerms> with_anti_affinity;   ///< the pods on nodes that have required anti-affinity
  std::optional<NodeIndex> nominated_node;        ///< of the preemptor itself
  ResourceList requested;                         ///< by the preemptor
  std::vector<ResourceList> requests;             ///< what each pod of the cluster takes of its node
};

/// A pod that has ended takes nothing of its node. Clauses: PRE-INPUT-1.
bool is_finished(const Pod& pod);

/// How a node's pods differ from what they were: `change(pod, -1)` for each that has gone, then
/// `change(pod, 1)` for each that has come. Accounts that a release does not take afresh go by this.
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

/// A text of the release with `word`, such as "$node", replaced by what it stands for.
std::string filled_in(std::string_view text, std::string_view word, const std::string& value);

}  // namespace touchstone::reference
