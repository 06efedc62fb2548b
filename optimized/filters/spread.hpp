#pragma once

#include <memory>
#include <vector>

#include "optimized/filters/constraints.hpp"
#include "optimized/filters/topology.hpp"
#include "optimized/search/query.hpp"

namespace touchstone::optimized {

/// PodTopologySpread. Counts the pods of each domain, once for a query, for each DoNotSchedule constraint of
/// the preemptor. A dry run stores separately what its node's pods change. So a pod is added or removed in
/// constant time, and dry runs do not affect each other. Clauses: PRE-SPREAD-1 to PRE-SPREAD-7.
class Spread {
 public:
  /// Null if the preemptor has no such constraint, or the release does not have the filter. Complexity:
  /// linear in nodes and pods, and in constraints for each class of pods.
  static std::unique_ptr<const Spread> made_for(const Query& query, Workers& workers);

  /// For each constraint: the pods that it selects and that were added to the node, minus those removed from
  /// it.
  using Changes = std::vector<Quantity>;
  const Changes& unchanged() const { return unchanged_; }

  enum class Move { is_taken_away, is_put_back, is_nominated };
  void apply(std::uint32_t pod_class, Move move, Changes& changes) const;
  /// Whether pods of this class change a count.
  bool concerns(std::uint32_t pod_class) const { return !concerned_[pod_class].empty(); }
  /// Whether removing some bound pod of the node changes a count.
  bool has_counted_pods(NodeIndex node) const { return moves_[node] != 0; }

  /// The filter's code for a node with these changes, which are unchanged() or results of apply().
  Code code_of(NodeIndex node, const Changes& changes) const;

  /// PRE-SPREAD-6: whether the scheduler crashes when these pods are added to the node or removed from it.
  bool crashes(NodeIndex node, const std::vector<std::uint32_t>& pod_classes) const;

 private:
  struct Domain {
    Quantity pods = 0;
    bool is_there = false;
  };
  struct Constraint {
    Topology topology;
    Quantity max_skew = 0;
    Quantity wanted_domains = 0;  ///< minDomains, 1 if absent; 0: the release ignores it
    bool selects_preemptor = false;
    bool counts_none_at_first = false;  ///< PRE-SPREAD-4: an empty selector
    SpreadOver over;
    std::vector<std::uint32_t> together;  ///< PRE-SPREAD-5: constraints counted together, with itself

    // The count before the dry run.
    std::vector<Domain> domains;
    Quantity domains_there = 0;
    std::uint32_t least_domain = k_no_domain;
    Quantity least = 0;          ///< smallest count of all domains
    Quantity least_but_one = 0;  ///< smallest count of all domains but least_domain
  };

  Spread(const Query& query, std::vector<TopologySpreadConstraint> hard)
      : query_(query), hard_(std::move(hard)) {}

  void read_constraints();
  void read_classes();
  void count_pods_of(NodeIndex node, Quantity* counted);
  void count_node(NodeIndex node, const Quantity* counted);
  void count_excluded_node(NodeIndex node, const Quantity* counted);
  void find_least(Constraint& constraint) const;
  bool has_all_keys(NodeIndex node) const;
  Quantity change_of(const Constraint& constraint, NodeIndex node, const Changes& changes) const;
  Quantity least_with(const Constraint& constraint, std::uint32_t domain, Quantity pods) const;

  const Query& query_;
  std::vector<TopologySpreadConstraint> hard_;
  std::vector<Constraint> constraints_;
  Changes unchanged_;
  std::vector<std::vector<std::uint32_t>> concerned_;  ///< by class: the constraints that select it
  std::vector<std::uint8_t> moves_;                    ///< by node; see has_counted_pods()
};

}  // namespace touchstone::optimized
