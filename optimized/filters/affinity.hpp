#pragma once

#include <memory>
#include <vector>

#include "optimized/filters/topology.hpp"
#include "optimized/search/query.hpp"

namespace touchstone::optimized {

/// InterPodAffinity. Counts the pods that matter in each domain, once for a query. A dry run stores
/// separately what its node's pods change. So a pod is added or removed in constant time, and dry runs do not
/// affect each other. Clauses: PRE-AFFINITY-1 to PRE-AFFINITY-9.
class Affinity {
 public:
  /// Null if the filter rejects no node, whatever pods are added and removed. Complexity: linear in nodes and
  /// pods, and in terms for each class of pods.
  static std::unique_ptr<const Affinity> made_for(const Query& query, Workers& workers);

  /// What pods of one node that were added or removed have changed, by counter.
  using Changes = std::vector<Quantity>;
  const Changes& unchanged() const { return unchanged_; }

  /// How a pod is added or removed. In releases that keep wrong counts, a reprieve does not undo the removal.
  enum class Move { is_taken_away, is_put_back, is_taken_again, is_nominated };
  void apply(std::uint32_t pod_class, Move move, Changes& changes) const;

  /// Whether pods of this class change a counter.
  bool concerns(std::uint32_t pod_class) const { return !weights_[pod_class].empty(); }
  /// Whether removing some bound pod of the node changes a counter.
  bool has_counted_pods(NodeIndex node) const { return moves_[node] != 0; }

  /// The filter's code for a node with these changes, which are unchanged() or results of apply().
  Code code_of(NodeIndex node, const Changes& changes) const;

 private:
  /// Counts pods of some classes by domain.
  using Counter = DomainCounts;

  /// What one pod of a class adds to a counter.
  struct Weight {
    std::uint32_t counter = 0;
    Quantity at_first = 0;   ///< in the count before the dry run
    Quantity taken = 0;      ///< subtracted when the pod is removed
    Quantity returned = 0;   ///< added when it is reprieved, subtracted when it is removed again
    Quantity nominated = 0;  ///< added if it is a nominated pod that counts
  };

  /// One affinity term of the preemptor, or all of them where they are evaluated together. PRE-AFFINITY-2.
  struct Wanted {
    std::uint32_t near = 0;      ///< counter of the matching pods in the node's domain
    std::uint32_t anywhere = 0;  ///< counter of matching pods anywhere; at 0 the preemptor may be first
    bool means_preemptor = false;
  };

  explicit Affinity(const Query& query) : query_(query), weights_(query.tables.classes.size()) {}

  bool means(const Term& term, const PodClass& pods) const;
  bool means_preemptor(const Term& term, Symbol owner_ns, bool is_own) const;
  std::uint32_t add_counter(Topology topology);
  void add_weight(std::uint32_t pod_class, const Weight& weight);
  void want_each_alone(const std::vector<Term>& terms);
  void want_on_one_node(const std::vector<Term>& terms);
  void want_together(const std::vector<Term>& terms);
  void forbid(const std::vector<Term>& terms);
  void count_forbidding_pods();
  void count_pods(Workers& workers);
  Quantity count(std::uint32_t counter, NodeIndex node, const Changes& changes) const;
  bool is_unmet(NodeIndex node, const Changes& changes) const;

  const Query& query_;
  std::vector<Counter> counters_;
  std::vector<std::vector<Weight>> weights_;  ///< by class
  Changes unchanged_;
  std::vector<std::uint8_t> moves_;        ///< by node; see has_counted_pods()
  std::vector<Wanted> wanted_;             ///< all must be satisfied
  bool wants_together_ = false;            ///< PRE-AFFINITY-3: the terms are evaluated together
  std::vector<std::uint32_t> forbidden_;   ///< counters of pods that the preemptor's terms forbid
  std::vector<std::uint32_t> forbidding_;  ///< counters of pods whose terms forbid the preemptor
};

}  // namespace touchstone::optimized
