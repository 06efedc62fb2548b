#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "proofs/certificates/obligations.hpp"
#include "reference/preemption/cycle.hpp"

namespace touchstone::proofs {

/// For each potential victim of a node, whether it stays.
using Stays = std::vector<z3::expr>;

/// One condition that must be met for the preemptor to fit.
struct Need {
  std::string clause;
  std::string what;  ///< the resource, or the reason of the filter
  z3::expr is_met;
};

/// The values of a candidate in the criteria (PRE-NODE-1 to PRE-NODE-5).
struct KeyTerms {
  z3::expr pdb_violations;
  z3::expr first_priority;
  z3::expr priority_sum;
  z3::expr victims;
  z3::expr earliest_start;
};

/// The clauses for one node, as formulas over which potential victims stay. Requires: the cycle and the
/// obligations outlive this object.
class NodeClauses {
 public:
  NodeClauses(const reference::Cycle& cycle, NodeIndex node, Obligations& obligations);

  /// The potential victims (PRE-VICTIM-1), in the order of the node's list.
  const std::vector<reference::PodOnNode>& potential_victims() const { return lower_; }
  NodeIndex index() const { return node_; }

  Stays all(bool stay) const;
  /// Every potential victim stays except these. Requires: `victims` are potential victims.
  Stays all_but(const std::vector<PodIndex>& victims) const;
  /// New variables, one for each potential victim: "n1: default/a stays". Requires: a new `state` in each
  /// call.
  Stays declare(const std::string& state) const;

  /// The conditions under which the preemptor fits beside the pods that stay (PRE-FIT-1, PRE-FIT-2,
  /// PRE-PORTS-1, PRE-NOMINATED-1, and the filters that look at no pod).
  std::vector<Need> needs(const Stays& stays) const;
  /// PRE-VICTIM-3: whether all needs() are met.
  z3::expr has_room(const Stays& stays) const;
  /// PRE-VICTIM-2, PRE-VICTIM-3: whether there are potential victims, and the preemptor fits without them.
  z3::expr is_candidate() const;

  /// PRE-PDB-1 to PRE-PDB-5: the formulas that define which pods violate a PDB.
  const std::vector<z3::expr>& accounts() const { return accounts_; }
  /// PRE-PDB-8: how many victims violate a PDB.
  z3::expr pdb_violations(const Stays& stays) const;

  /// PRE-VICTIM-6: a pod stays exactly if the preemptor fits beside it and the pods tried earlier that stay.
  z3::expr are_reprieved(const Stays& stays) const;
  /// Whether set `a` is greater: the first pod, in the order of reprieve, on which the sets differ stays in
  /// `a`.
  z3::expr is_greater(const Stays& a, const Stays& b) const;
  /// PRE-VICTIM-7: whether victim `a` is listed before victim `b`.
  z3::expr is_listed_before(std::size_t a, std::size_t b) const;

  KeyTerms keys(const Stays& stays) const;

 private:
  z3::expr importance(std::size_t a, std::size_t b) const;  ///< PRE-VICTIM-4, PRE-VICTIM-5
  const z3::expr& is_more_important(std::size_t a, std::size_t b) const { return more_important_[a][b]; }
  /// PRE-VICTIM-6
  const z3::expr& is_tried_before(std::size_t a, std::size_t b) const { return tried_before_[a][b]; }
  z3::expr fits(const Stays& stays, const std::string& resource, bool with_nominated) const;
  z3::expr has_space(const Stays& stays, bool with_nominated) const;
  z3::expr has_free_ports(const Stays& stays) const;
  std::vector<z3::expr> pods_with(const Stays& stays, bool with_nominated) const;

  void put_in_order();
  void account_for_pdbs();
  z3::expr left_of(std::size_t pdb, std::size_t before) const;
  z3::expr spends(std::size_t victim, std::size_t pdb) const;

  z3::expr first_priority(const Stays& stays) const;
  z3::expr earliest_start(const Stays& stays) const;
  /// The value that belongs to the formula that holds; `otherwise` if none holds. Requires: formulas that
  /// hold at the same time have equal values.
  z3::expr value_where(const std::vector<z3::expr>& formulas, const std::vector<z3::expr>& values,
                       z3::expr otherwise) const;
  /// For each potential victim: whether it is evicted and comes before all other evicted pods.
  template <typename Before>
  std::vector<z3::expr> first_to_go(const Stays& stays, Before before) const;

  const reference::Cycle& cycle_;
  NodeIndex node_;
  Obligations& obligations_;
  std::vector<reference::PodOnNode> lower_;      ///< the potential victims
  std::vector<reference::PodOnNode> others_;     ///< the other pods on the node
  std::vector<reference::PodOnNode> nominated_;  ///< PRE-NOMINATED-1, PRE-NOMINATED-2
  Status fixed_;                                 ///< status of the filters that look at no pod
  std::vector<std::vector<bool>> covered_;       ///< by potential victim and PDB: PRE-PDB-2
  std::vector<std::vector<z3::expr>> spends_;    ///< by potential victim and PDB: PRE-PDB-4
  std::vector<z3::expr> violates_;               ///< by potential victim
  std::vector<z3::expr> accounts_;
  // For each pair of potential victims. Simplified, because most formulas contain them.
  std::vector<std::vector<z3::expr>> more_important_;
  std::vector<std::vector<z3::expr>> tried_before_;
};

/// The clauses of the release's criteria, in their order.
std::vector<std::string_view> criteria(const Release& release);

/// Whether candidate `a` equals `b` in all criteria before this one, and is better in this one.
z3::expr is_better(const KeyTerms& a, const KeyTerms& b, std::string_view criterion);

}  // namespace touchstone::proofs
