#pragma once

#include <array>
#include <vector>

#include "optimized/search/query.hpp"
#include "optimized/store/go_numbers.hpp"
#include "spec/vocabulary/scorers.hpp"

namespace touchstone::optimized {

/// How much of a resource of a node the pods request.
struct Load {
  Quantity weight = 1;
  Quantity allocatable = 0;
  Quantity without = 0;  ///< by the pods on the node
  Quantity with = 0;     ///< by these and the preemptor
};

/// Whether a container without a request counts with a default. Clauses: SCORE-REQUESTS-1, SCORE-BALANCED-3.
enum class Requests { with_defaults, real };

/// Reads the loads of nodes for the resources that a scorer looks at. Clauses: SCORE-STRATEGY-1, CYC-SEES-1.
class Loads {
 public:
  Loads(const Query& query, const std::vector<ScoredResource>& resources, const ResourceList& own,
        Requests requests);

  /// The most loads that a node can have.
  std::size_t most() const { return resources_.size(); }
  /// Whether the preemptor requests none of the resources.
  bool requests_none() const;

  /// Writes the loads of a node, one for each resource that counts there, and returns how many. Requires:
  /// room for most(). Complexity: linear in the resources; logarithmic in those of the node unless cpu and
  /// memory alone are read.
  std::size_t read(NodeIndex node, Load* loads) const;

  /// Whether the resources are cpu and memory, in this order, the preemptor is not in the cluster, and no
  /// node is bare. Then pair() reads them, in less time.
  bool is_pair() const;
  /// The loads of cpu and memory, also of one that the node lacks. Requires: is_pair().
  std::array<Load, 2> pair(NodeIndex node) const {
    const NodeTable& nodes = query_.tables.nodes;
    const PodTable& pods = query_.tables.pods;
    const Quantity cpu = go::sum(pods.used_cpu(node), with_defaults_ ? nodes.cpu_beyond[node] : 0);
    const Quantity memory = go::sum(pods.used_memory(node), with_defaults_ ? nodes.memory_beyond[node] : 0);
    return {Load{resources_[0].weight, nodes.cpu[node], cpu, go::sum(cpu, resources_[0].requested)},
            Load{resources_[1].weight, nodes.memory[node], memory, go::sum(memory, resources_[1].requested)}};
  }

 private:
  enum class Kind { cpu, memory, other };
  struct Resource {
    Kind kind = Kind::other;
    Symbol name = 0;
    Quantity weight = 1;
    Quantity requested = 0;  ///< by the preemptor
  };

  const Query& query_;
  bool with_defaults_;
  std::vector<Resource> resources_;  ///< those that the release does not leave out for this preemptor
  std::vector<Quantity> requested_;  ///< by the preemptor, of all resources
};

}  // namespace touchstone::optimized
