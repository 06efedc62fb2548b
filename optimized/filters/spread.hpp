#pragma once

#include <memory>
#include <vector>

#include "optimized/search/query.hpp"
#include "optimized/filters/topology.hpp"

namespace touchstone::optimized {

/// PodTopologySpread: how many pods each DoNotSchedule constraint of the preemptor counts in each domain,
/// counted once a question. A dry run keeps what its node's pods add to that, so that a pod comes or goes in
/// constant time and no other dry run notices. Clauses: PRE-SPREAD-1 to PRE-SPREAD-7.
class Spread {
 public:
  /// Null where the preemptor has no such constraint, or the release no such filter. Complexity: linear in
  /// nodes and pods, in constraints for each class of pods.
  static std::unique_ptr<const Spread> made_for(const Query& query, Workers& workers);

  /// How many pods more one node's domain counts by what came to the node and went, by constraint.
  using Changes = std::vector<Quantity>;
  const Changes& unchanged() const { return unchanged_; }

  enum class Move { is_taken_away, is_put_back, is_nominated };
  void apply(std::uint32_t pod_class, Move move, Changes& changes) const;
  /// Whether pods of a class change a count.
  bool concerns(std::uint32_t pod_class) const { return !concerned_[pod_class].empty(); }
  /// Whether some bound pod of the node changes a count when it goes.
  bool is_moved_on(NodeIndex node) const { return moves_[node] != 0; }

  /// What the filter says of a node with these changes, which are sums of apply().
  Code code_of(NodeIndex node, const Changes& changes) const;

  /// PRE-SPREAD-6: whether the scheduler crashes when these pods come to the node, or go from it.
  bool crashes(NodeIndex node, const std::vector<std::uint32_t>& pod_classes) const;

 private:
  struct Domain {
    Quantity pods = 0;
    bool is_there = false;
  };
  struct Constraint {
    Topology topology;
    Quantity max_skew = 0;
    Quantity wanted_domains = 0;  ///< minDomains, or 1; 0: not looked at
    bool selects_preemptor = false;
    bool counts_none_at_first = false;  ///< PRE-SPREAD-4: an empty selector
    bool any_affinity = false;          ///< PRE-SPREAD-3
    bool any_taints = false;
    std::vector<std::uint32_t> together;  ///< PRE-SPREAD-5: whose pods are counted, itself included

    // The first account.
    std::vector<Domain> domains;
    Quantity domains_there = 0;
    std::uint32_t least_domain = k_no_domain;
    Quantity least = 0;          ///< of all domains
    Quantity least_but_one = 0;  ///< of all but least_domain
  };

  explicit Spread(const Query& query) : query_(query) {}

  void read_constraints();
  void read_classes();
  void count_pods_of(NodeIndex node, Quantity* counted);
  void count_node(NodeIndex node, const Quantity* counted);
  void count_excluded_node(NodeIndex node, const Quantity* counted);
  void find_least(Constraint& constraint) const;
  bool includes(const Constraint& constraint, NodeIndex node) const;
  bool has_all_keys(NodeIndex node) const;
  Quantity least_with(const Constraint& constraint, std::uint32_t domain, Quantity pods) const;

  /// What a pod of a class adds to what a constraint counts. PRE-SPREAD-5
  struct Weight {
    std::uint32_t constraint = 0;
    Quantity pods = 0;
  };

  const Query& query_;
  std::vector<Constraint> constraints_;
  Changes unchanged_;
  std::vector<std::vector<std::uint32_t>> concerned_;  ///< by class of pods: the constraints that concern it
  std::vector<std::vector<Weight>> weights_;           ///< by class of pods
  std::vector<std::uint8_t> moves_;                    ///< by node
};

}  // namespace touchstone::optimized
