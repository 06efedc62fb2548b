#pragma once

#include <string>
#include <vector>

#include "optimized/filters/topology_fit.hpp"
#include "optimized/search/query.hpp"
#include "optimized/search/rank.hpp"
#include "optimized/search/violations.hpp"

namespace touchstone::optimized {

/// Result of the search for victims on one node.
enum class DryRunResult {
  none,
  candidate,
  errs,  ///< a filter returns an error after all potential victims were removed
  no_victims,
  beaten,  ///< may be a candidate, but ranks behind `to_beat`
};

/// Searches for victims on one node after another. Each thread needs its own object. Clauses: PRE-VICTIM-1 to
/// PRE-VICTIM-8, PRE-PDB-1 to PRE-PDB-8.
class alignas(64) DryRun {
 public:
  explicit DryRun(const Query& query) : query_(query), violations_(query) {
    // Each vector reserves a whole cache line, so that no other thread writes to the same line.
    constexpr std::size_t k_cells_least = 8;
    changes_.affinity.reserve(k_cells_least);
    changes_.spread.reserve(k_cells_least);
  }

  /// Searches for victims on a node. Requires: the bound of the node is not k_hopeless. `to_beat` may be
  /// null. If it is not, the search may stop as soon as the node ranks behind it. Ensures: with `candidate`
  /// or `no_victims`, rank() is the node's rank. Complexity: linear in the pods of lower priority and
  /// the PDBs that cover them.
  DryRunResult run(NodeIndex node, const Rank* to_beat);

  const Rank& rank() const { return rank_; }
  /// The victims as pod numbers, in the release's order. Requires: the last run() returned `candidate`.
  /// Clauses: PRE-VICTIM-7.
  std::vector<PodIndex> victims() const;

 private:
  template <typename NodeFit>
  DryRunResult search(NodeFit& fit, const PodsOfNode& pods, std::size_t level, const Rank* to_beat);
  template <typename NodeFit>
  bool reprieve(NodeFit& fit, const PodsOfNode& pods, Order order, bool is_violating, const Rank* to_beat);
  void add_victim(std::uint32_t pod, Quantity priority, bool is_violating);
  bool is_beaten_by(const Rank& best) const;
  void add_start(const PodsOfNode& pods);

  const Query& query_;
  Violations violations_;
  TopologyChanges changes_;
  NodeIndex node_ = 0;
  Rank rank_;                           ///< of the victims so far; start times are added last
  std::uint32_t most_important_ = 0;    ///< the lowest row of a victim, if there is a victim
  std::vector<std::uint32_t> victims_;  ///< as rows
  bool has_both_groups_ = false;
};

/// The message of the filter that made a dry run return `errs`, in the release's words.
std::string error_of_dry_run(const Query& query, NodeIndex node);

/// Whether a node's pods affect the preemptor only by their cpu, their memory and their number, and no number
/// is extreme. On such a node column sums and the pruning lemmas are correct.
bool is_plain(const Query& query, NodeIndex node);

}  // namespace touchstone::optimized
