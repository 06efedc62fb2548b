#pragma once

#include <optional>
#include <tuple>
#include <vector>

#include "optimized/query.hpp"
#include "optimized/room.hpp"

namespace touchstone::optimized {

/// How a candidate stands in the criteria of PRE-NODE-1 to PRE-NODE-5, written so that the lesser one wins.
struct Key {
  Quantity pdb_violations = 0;
  Quantity first_priority = 0;
  Quantity priority_sum = 0;
  Quantity victims = 0;
  Quantity earliest_start = 0;  ///< negated; of an unstarted pod -k_unstarted; 0 where it decides nothing

  auto operator<=>(const Key&) const = default;
};

/// What the search for victims on one node comes to.
enum class DryRunResult { none, candidate, nobody_has_to_go };

/// The search for victims on one node after the other; one object a thread. Clauses: PRE-VICTIM-1 to
/// PRE-VICTIM-8, PRE-PDB-1 to PRE-PDB-8.
class DryRun {
 public:
  explicit DryRun(const Query& query);

  /// Who has to go from a node. Ensures: with `candidate`, or nobody_has_to_go, key() and victims() tell how
  /// it stands. Complexity: linear in the pods of lower priority and the PDBs that cover them, beside what
  /// affinity and spread look at.
  DryRunResult run(NodeIndex node);

  Key key() const;
  /// The victims in the release's order, by number. Requires: run() found a candidate, and it was the last
  /// one asked. Clauses: PRE-VICTIM-7.
  std::vector<PodIndex> victims() const;

 private:
  template <typename Room>
  DryRunResult search(Room& room, std::size_t level);
  template <typename Room>
  void reprieve(Room& room, std::size_t pod, std::vector<std::uint32_t>& victims);
  bool find_violating(std::size_t first);
  bool may_violate(std::size_t first) const;
  bool violates(std::uint32_t list);
  bool are_sorted_again() const { return query_.release.victims_sorted_again && has_both_groups_; }

  const Query& query_;
  PodsOfNode pods_;
  std::vector<Quantity> least_allowed_;  ///< by list of PDBs
  std::vector<Quantity> left_;           ///< by PDB
  std::vector<bool> violating_;          ///< by pod of the node
  std::vector<std::uint32_t> violating_victims_;
  std::vector<std::uint32_t> other_victims_;
  bool has_both_groups_ = false;
};

/// Whether nothing but cpu, memory and the number of pods can reject the preemptor on a node that the filters
/// that do not look at pods let it have.
bool is_plain(const Query& query, NodeIndex node);

}  // namespace touchstone::optimized
