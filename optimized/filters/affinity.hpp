#pragma once

#include <memory>
#include <vector>

#include "optimized/search/query.hpp"
#include "optimized/filters/topology.hpp"

namespace touchstone::optimized {

/// InterPodAffinity: how many pods that matter are in each domain, counted once a question. A dry run keeps
/// what its node's pods add to that, so that a pod comes or goes in constant time and no other dry run
/// notices. Clauses: PRE-AFFINITY-1 to PRE-AFFINITY-9.
class Affinity {
 public:
  /// Null where the filter rejects no node, whichever pods come and go. Complexity: linear in nodes and pods,
  /// in terms for each class of pods.
  static std::unique_ptr<const Affinity> made_for(const Query& query, Workers& workers);

  /// What the pods of one node have changed, by counter.
  using Changes = std::vector<Quantity>;
  const Changes& unchanged() const { return unchanged_; }

  /// How a pod comes or goes. Where the release keeps its account wrong, they are not each other's opposite.
  enum class Move { is_taken_away, is_put_back, is_taken_again, is_nominated };
  void apply(std::uint32_t pod_class, Move move, Changes& changes) const;

  /// Whether pods of a class change a count.
  bool concerns(std::uint32_t pod_class) const { return !weights_[pod_class].empty(); }
  /// Whether some bound pod of the node changes a count when it goes.
  bool is_moved_on(NodeIndex node) const { return moves_[node] != 0; }

  /// What the filter says of a node with these changes, which are sums of apply().
  Code code_of(NodeIndex node, const Changes& changes) const;

 private:
  /// What is counted: pods of some classes by domain.
  using Counter = DomainCounts;

  /// What a pod of a class adds to a counter.
  struct Weight {
    std::uint32_t counter = 0;
    Quantity at_first = 0;   ///< on its node when the attempt begins
    Quantity taken = 0;      ///< subtracted when it is taken away
    Quantity returned = 0;   ///< added when it is put back, subtracted when it is taken again
    Quantity nominated = 0;  ///< added when it is a nominated pod that counts
  };

  /// A term of the preemptor's affinity, or all of them where they are asked together. PRE-AFFINITY-2.
  struct Wanted {
    std::uint32_t near = 0;      ///< counter of the pods in the node's domain
    std::uint32_t anywhere = 0;  ///< counter of those that keep the preemptor from being the first
    bool means_preemptor = false;
  };

  explicit Affinity(const Query& query) : query_(query), weights_(query.tables.classes.size()) {}

  bool looks_at(const Term& term, Symbol owner_ns, bool is_own, Symbol ns) const;
  bool means(const Term& term, const PodClass& pods) const;
  bool means_preemptor(const Term& term, Symbol owner_ns, bool is_own) const;
  std::uint32_t add_counter(Topology topology);
  void add_weight(std::uint32_t pod_class, const Weight& weight);
  void want_each_alone(const std::vector<Term>& terms);
  void want_on_one_node(const std::vector<Term>& terms);
  void want_together(const std::vector<Term>& terms);
  void forbid(const std::vector<Term>& terms);
  void be_forbidden();
  void count_pods(Workers& workers);
  Quantity count(std::uint32_t counter, NodeIndex node, const Changes& changes) const;
  bool is_unmet(NodeIndex node, const Changes& changes) const;

  const Query& query_;
  std::vector<Counter> counters_;
  std::vector<std::vector<Weight>> weights_;  ///< by class
  Changes unchanged_;
  std::vector<std::uint8_t> moves_;        ///< by node
  std::vector<Wanted> wanted_;             ///< all must be met
  bool wants_together_ = false;            ///< PRE-AFFINITY-3: one pod that is first serves all
  std::vector<std::uint32_t> forbidden_;   ///< counters of pods that the preemptor's terms forbid
  std::vector<std::uint32_t> forbidding_;  ///< counters of pods whose terms forbid the preemptor
};

}  // namespace touchstone::optimized
