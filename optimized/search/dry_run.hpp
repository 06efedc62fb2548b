#pragma once

#include <string>
#include <vector>

#include "optimized/search/rank.hpp"
#include "optimized/search/query.hpp"
#include "optimized/filters/topology_fit.hpp"
#include "optimized/search/violations.hpp"

namespace touchstone::optimized {

/// What the search for victims on one node comes to.
enum class DryRunResult {
  none,
  candidate,
  errs,  ///< a filter errs once all potential victims are gone
  nobody_has_to_go,
  beaten,  ///< it may be a candidate, and loses to the key it was held against
};

/// The search for victims on one node after the other; one object a thread. Clauses: PRE-VICTIM-1 to
/// PRE-VICTIM-8, PRE-PDB-1 to PRE-PDB-8.
class alignas(64) DryRun {
 public:
  explicit DryRun(const Query& query) : query_(query), violations_(query) {
    // As much as a cache line, which no other thread should write to.
    constexpr std::size_t k_cells_least = 8;
    reached_.affinity.reserve(k_cells_least);
    reached_.spread.reserve(k_cells_least);
  }

  /// Who has to go from a node. Requires: bound_of() finds hope for it. `to_beat` may be null; a node that
  /// loses to it may be given up early. Ensures: with `candidate` or nobody_has_to_go, key() tells how it
  /// stands. Complexity: linear in the pods of lower priority and the PDBs that cover them.
  DryRunResult run(NodeIndex node, const Rank* to_beat);

  const Rank& rank() const { return rank_; }
  /// The victims in the release's order, by number. Requires: the last run() found a candidate. Clauses:
  /// PRE-VICTIM-7.
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
  Reached reached_;
  NodeIndex node_ = 0;
  Rank rank_;                             ///< of the victims so far; their start comes last
  std::uint32_t most_important_ = 0;    ///< the victim with the lowest row, if there is a victim
  std::vector<std::uint32_t> victims_;  ///< by their rows
  bool has_both_groups_ = false;
};

/// What the filter says on which a dry run came to `errs`, in the release's symbols.
std::string error_of_dry_run(const Query& query, NodeIndex node);

/// Whether the pods of a node can change nothing of what rejects the preemptor but cpu, memory and the number
/// of pods, and all numbers and filters are as columns and lemmas want them.
bool is_plain(const Query& query, NodeIndex node);

}  // namespace touchstone::optimized
