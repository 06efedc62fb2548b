#pragma once

#include <string_view>
#include <vector>

#include "optimized/search/query.hpp"

/// Topology spread constraints, as the filter and the scorer read them.
namespace touchstone::optimized {

/// The constraints of the preemptor with this whenUnsatisfiable: its own ones or, if it has none of any kind,
/// the default ones with the selector of its Services and controllers. Clauses: PRE-SPREAD-1, SCORE-SPREAD-1,
/// SCORE-SPREAD-2.
std::vector<TopologySpreadConstraint> constraints_of(const Query& query, std::string_view when_unsatisfiable);

/// The pods that a constraint selects in the preemptor's namespace. Clauses: PRE-SPREAD-2.
struct Selected {
  Selector selector = Selector::nothing();  ///< that of the constraint, if it has one
  std::vector<Label> added;                 ///< labels that matchLabelKeys adds

  bool holds(LabelSpan labels, const Symbols& symbols) const;
  /// Whether the selector requires nothing, and no label is added.
  bool is_everything() const { return selector.is_empty() && added.empty(); }
};
Selected selected_by(const TopologySpreadConstraint& constraint, const Query& query);

/// Over which nodes a constraint spreads. Clauses: PRE-SPREAD-3.
struct SpreadOver {
  bool any_affinity = false;  ///< nodeAffinityPolicy Ignore
  bool any_taints = false;

  bool includes(NodeIndex node, const Query& query) const {
    return (any_affinity || query.allows_by_affinity(node)) && (any_taints || query.tolerates_taints(node));
  }
};
SpreadOver spread_over(const TopologySpreadConstraint& constraint, const Release& release);

/// The numbers of the constraints that count together with constraint number `which`, ascending. Clauses:
/// PRE-SPREAD-5, SCORE-SPREAD-4.
std::vector<std::uint32_t> counted_together(const std::vector<TopologySpreadConstraint>& constraints,
                                            std::size_t which, const Release& release);

}  // namespace touchstone::optimized
