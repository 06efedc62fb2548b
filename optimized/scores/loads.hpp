#pragma once

#include <array>
#include <optional>
#include <span>
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

/// Two floats. A processor divides both in the time of one.
typedef double Pair __attribute__((vector_size(2 * sizeof(double))));

/// The loads of cpu and memory on a node. The amounts are integers from 0 to 2^46, so that floats hold them,
/// and a hundred of them, exactly. No allocatable amount is 0.
struct LoadPair {
  Pair allocatable;  ///< cpu, memory; the same in the next two members
  Pair without;
  Pair with;
};

/// Whether a container without a request counts with a default. Clauses: SCORE-REQUESTS-1, SCORE-BALANCED-3.
enum class Requests { with_defaults, real };

/// Reads the loads of cpu and memory in little time: it has the columns at hand.
class PairReader {
 public:
  /// `requested`: by the preemptor. With `with_defaults`, containers without requests count.
  PairReader(const Tables& tables, Pair requested, bool with_defaults);

  /// Returns false if an amount is not one of LoadPair.
  bool read(NodeIndex node, LoadPair& loads) const {
    const Quantity cpu = cpu_[node];
    const Quantity memory = memory_[node];
    const Quantity used_cpu = used_cpu_[node];
    const Quantity used_memory = used_memory_[node];
    // Where an allocatable amount is 0, the bits of 0 - 1 say that the joined amounts are not small.
    if (!are_small(go::difference(cpu, 1) | go::difference(memory, 1) | used_cpu | used_memory)) return false;
    loads.allocatable = Pair{static_cast<double>(cpu), static_cast<double>(memory)};
    loads.without = Pair{static_cast<double>(used_cpu), static_cast<double>(used_memory)};
    loads.with = loads.without + requested_;
    return true;
  }
  /// Whether all amounts whose bits are joined are from 0 to 2^45 - 1. Then the sum of two is one of
  /// LoadPair.
  static bool are_small(Quantity joined) { return joined >= 0 && joined < Quantity{1} << 45; }

 private:
  const Quantity* cpu_;
  const Quantity* memory_;
  const Quantity* used_cpu_;
  const Quantity* used_memory_;
  Pair requested_;
};

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

  /// The reader of cpu and memory alone. None if other resources count or come first, if an amount is not one
  /// of LoadPair, or if columns do not show what counts: the preemptor is in the cluster, or a node is bare.
  std::optional<PairReader> pair_reader() const;
  /// The weights of the resources that pair_reader() reads, if there is one.
  std::array<Quantity, 2> weights_of_pair() const {
    if (resources_.size() != 2) return {};
    return {resources_[0].weight, resources_[1].weight};
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
