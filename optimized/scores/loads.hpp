#pragma once

#include <array>
#include <span>
#include <vector>

#include "optimized/search/query.hpp"
#include "optimized/store/place_table.hpp"
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

/// Room for the columns of up to 64 nodes.
using LoadRoom = std::array<std::array<double, PlaceTable::k_places>, 4>;

/// Reads the loads of nodes for the resources that a scorer looks at. Clauses: SCORE-STRATEGY-1, CYC-SEES-1.
class Loads {
 public:
  Loads(const Query& query, const std::vector<ScoredResource>& resources, const ResourceList& own,
        Requests requests);

  /// The most loads that a node can have.
  std::size_t most() const { return resources_.size(); }
  /// Whether the preemptor requests none of the resources.
  bool requests_none() const;

  /// The loads of a node, one for each resource that counts there, written to `room`. Complexity: linear in
  /// the resources; logarithmic in those of the node unless cpu and memory alone are read.
  std::span<const Load> read(NodeIndex node, std::vector<Load>& room) const;

  /// Whether columns of cpu and memory show what counts: no other resource counts, the amounts that the
  /// preemptor requests and the weights are small, the preemptor is not in the cluster, and the nodes are not
  /// bare.
  bool are_columns() const { return are_columns_; }
  /// The columns of some nodes, written to `room`, or of a word of places. Requires: are_columns(); at most
  /// 64 nodes.
  LoadColumns columns(std::span<const NodeIndex> nodes, LoadRoom& room) const;
  LoadColumns columns(const PlaceTable& table, std::size_t word) const {
    return table.columns(word, with_defaults_);
  }
  /// What the preemptor requests, and the weights. Requires: are_columns().
  double own_cpu() const { return static_cast<double>(resources_[0].requested); }
  double own_memory() const { return static_cast<double>(resources_[1].requested); }
  std::int32_t cpu_weight() const { return static_cast<std::int32_t>(resources_[0].weight); }
  std::int32_t memory_weight() const { return static_cast<std::int32_t>(resources_[1].weight); }

 private:
  enum class Kind { cpu, memory, other };
  struct Resource {
    Kind kind = Kind::other;
    Symbol name = 0;
    Quantity weight = 1;
    Quantity requested = 0;  ///< by the preemptor
  };

  bool find_columns() const;

  const Query& query_;
  bool with_defaults_;
  std::vector<Resource> resources_;  ///< those that the release does not leave out for this preemptor
  std::vector<Quantity> requested_;  ///< by the preemptor, of all resources
  bool are_columns_ = false;
};

}  // namespace touchstone::optimized
