#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "optimized/search/workers.hpp"
#include "optimized/store/tables.hpp"

namespace touchstone::optimized {

class Affinity;
class Spread;
class Volumes;

/// A term of the preemptor's node affinity with its texts as symbols. Clauses: PRE-NODEAFFINITY-2,
/// PRE-NODEAFFINITY-4.
struct NodeTerm {
  struct Name {
    bool wants_it = false;  ///< true: In, false: NotIn
    Symbol name = k_unknown_symbol;
  };
  bool can_hold = true;  ///< its fields are valid, and those of other names hold
  Selector expressions;
  std::vector<Name> names;
};
NodeTerm node_term_of(const NodeSelectorTerm& term, const Numbering& number);

constexpr std::uint32_t bit(Filter filter) { return std::uint32_t{1} << static_cast<unsigned>(filter); }

/// The filters that reject a node, by the code that they return. Bit i stands for the i-th filter of enum
/// Filter.
struct Rejections {
  std::uint32_t unschedulable = 0;
  std::uint32_t unresolvable = 0;
  std::uint32_t errors = 0;  ///< filters that return an error

  bool none() const { return (unschedulable | unresolvable | errors) == 0; }
  void add(const Rejections& more) {
    unschedulable |= more.unschedulable;
    unresolvable |= more.unresolvable;
    errors |= more.errors;
  }
  void add(Filter filter, Code code) {
    if (code == Code::unschedulable) unschedulable |= bit(filter);
    if (code == Code::unschedulable_and_unresolvable) unresolvable |= bit(filter);
    if (code == Code::error) errors |= bit(filter);
  }
};

/// The requests of the nominated pods that count against the preemptor. Clauses: PRE-NOMINATED-1,
/// PRE-NOMINATED-2.
struct Promised {
  Quantity cpu = 0;
  Quantity memory = 0;
  Quantity pods = 0;
};

/// The pods of a node that the preemptor itself is bound to, without the preemptor. Clauses: PRE-INPUT-3.
struct WithoutSelf {
  NodeIndex node = 0;
  PodTable pods;             ///< of this node alone, as node 0
  std::vector<Amount> used;  ///< of resources other than cpu and memory
  CpuAndMemory scored;       ///< see Query::scored_requests()
};

/// A query: one preemptor against one snapshot. The preemptor's texts are converted to symbols once.
class Query {
  // Declared first, since numbering() writes them while later members are initialized. Under a lock, since
  // the filters of volumes call numbering() on every thread.
  std::mutex own_words_mutex_;
  std::map<std::string, Symbol> own_symbols_;

 public:
  /// `own_extenders`: those of the question; null or empty: those of the configuration count.
  Query(const Tables& tables, const Pod& pod, Workers& workers,
        const std::vector<Extender>* own_extenders = nullptr);
  ~Query();

  const Tables& tables;
  const Release& release;
  const Pod& pod;
  const std::vector<Extender>& extenders;
  /// Returns the number of a text: that of the snapshot, or a new one of this query, which no object of the
  /// snapshot has.
  const Numbering numbering;
  const Symbol ns;
  const std::vector<Label> labels;
  Quantity priority = 0;
  /// Whether a request of the preemptor, or a number of a pod in the cluster, is outside the range that
  /// column sums and lemmas require (k_extreme). Then every pod is examined and no node is pruned.
  bool is_extreme = false;
  std::optional<NodeIndex> nominated_node;
  /// Whether scorers see no pods and no images of the feasible nodes. Clauses: EXT-RECORD-1.
  bool nodes_are_bare = false;

  // PRE-FIT-1 to PRE-FIT-5; none is checked without the filter (CYC-PROFILE-1)
  bool checks_pods = false;
  bool checks_cpu = false;
  bool checks_memory = false;
  Quantity cpu = 0;
  Quantity memory = 0;
  std::vector<Amount> others;  ///< requests of other resources that are checked

  std::vector<HostPort> ports;
  /// By pod class: its ports that conflict with a port of the preemptor. Empty if the preemptor requests no
  /// port.
  std::vector<std::vector<HostPort>> conflicting_ports;

  PodsOfNode pods_of(NodeIndex node) const {
    const WithoutSelf* without = without_self(node);
    return without == nullptr ? tables.pods.of(node) : without->pods.of(0);
  }
  Quantity used(NodeIndex node, Symbol resource) const;
  /// The requests of the pods on a node.
  CpuAndMemory used_by_pods(NodeIndex node) const {
    const WithoutSelf* without = without_self(node);
    const PodTable& pods = without == nullptr ? tables.pods : without->pods;
    const NodeIndex row = without == nullptr ? node : 0;
    return {pods.used_cpu(row), pods.used_memory(row)};
  }
  /// What the pods of a node count with for scores. Clauses: SCORE-REQUESTS-1.
  CpuAndMemory scored_requests(NodeIndex node) const {
    const WithoutSelf* without = without_self(node);
    if (without != nullptr) return without->scored;
    return {tables.nodes.scored_cpu[node], tables.nodes.scored_memory[node]};
  }
  /// Whether the preemptor itself is on a node, or nominated to one.
  bool is_in_cluster() const { return !selves_.empty(); }
  /// The pods nominated to a node that count against the preemptor; empty if the release counts none.
  std::vector<PodRow> counted_nominated(NodeIndex node) const {
    return release.nominated_pods_count && has_nominated(node) ? counted_of(node) : std::vector<PodRow>{};
  }
  bool has_nominated(NodeIndex node) const { return (tables.nodes.flags[node] & k_has_nominated) != 0; }
  bool is_self(std::uint32_t number) const;

  std::unique_ptr<const Affinity> affinity;  ///< null: it rejects no node
  std::unique_ptr<const Spread> spread;      ///< null: it rejects no node
  std::unique_ptr<const Volumes> volumes;    ///< null: the preemptor has none that a filter looks at
  /// Whether adding or removing a pod of this class changes what affinity or spread counts. Requires:
  /// affinity or spread is not null.
  bool is_reached(std::uint32_t pod_class) const { return reached_classes_[pod_class] != 0; }
  /// Whether the results of affinity, spread and volumes for a node may change with its pods.
  bool reaches_into(NodeIndex node) const;
  /// Whether affinity, spread or volumes may reject a node.
  bool has_reach() const { return affinity || spread || volumes; }
  /// The rejections of a node with its pods unchanged, by affinity, spread and volumes. Requires: no
  /// nominated pod counts there.
  Rejections reach_rejections(NodeIndex node) const;

  /// The filters that reject a node whatever pods are on it, one bit each. Clauses: PRE-UNSCHEDULABLE-1,
  /// PRE-NODENAME-1, PRE-TAINT-1, PRE-NODEAFFINITY-1 to PRE-NODEAFFINITY-4, PRE-FIT-5, PRE-FEATURES-1.
  std::uint32_t static_rejections(NodeIndex node) const {
    return needs_facts_ ? column_rejections(node) | fact_rejections(node) : column_rejections(node);
  }
  /// Those of them that NodeFacts does not decide.
  std::uint32_t column_rejections(NodeIndex node) const {
    const bool is_unschedulable = (tables.nodes.flags[node] & k_unschedulable) != 0;
    const std::uint32_t rejections = taint_rejections_[tables.nodes.taints[node]];
    // The release may lack a filter.
    return (is_unschedulable ? rejections | unschedulable_rejections_ : rejections) & filters_;
  }
  /// The other ones.
  std::uint32_t fact_rejections(NodeIndex node) const;
  /// Whether there can be others. There are for few pods.
  bool needs_facts() const { return needs_facts_; }
  /// Those of them that run after every filter that may err: an error before them counts.
  std::uint32_t late_rejections(NodeIndex node) const {
    return late_ == 0 ? 0 : static_rejections(node) & late_;
  }
  /// Whether none of these static rejections runs before a filter that may err.
  bool are_late(std::uint32_t rejections) const { return (rejections & ~late_) == 0; }
  bool allows_by_affinity(NodeIndex node) const;
  /// Whether the terms that the configuration adds allow a node. Clauses: CYC-PROFILE-2.
  bool allows_by_configuration(NodeIndex node) const;
  /// Whether the node lacks a feature that the preemptor needs. Clauses: PRE-FEATURES-1.
  bool lacks_features(NodeIndex node) const {
    return (wanted_features_ & ~tables.nodes.facts[node].features) != 0;
  }
  bool tolerates_taints(NodeIndex node) const { return taint_rejections_[tables.nodes.taints[node]] == 0; }
  bool tolerates(const TaintWords& taint) const;
  bool holds(const NodeTerm& term, const NodeFacts& facts) const;

  /// Whether the release has this filter.
  bool has_filter(Filter filter) const { return (filters_ & bit(filter)) != 0; }
  /// Whether the PreFilter of a filter runs. Clauses: CYC-PROFILE-1.
  bool has_prefilter(Filter filter) const;
  /// The code of the first group of filters in which one rejects. Requires: no filter in a group of several
  /// returns an error, which holds in every release. Clauses: PRE-FILTER-1, PRE-FILTER-2.
  Code code_of(const Rejections& rejections) const;
  /// The one of these filters (one bit each) that the release runs first. Requires: the release has one of
  /// them.
  Filter first_of(std::uint32_t filters) const;

 private:
  void read_requests();
  void read_ports();
  void read_taints();
  void read_node_affinity();
  std::vector<NodeTerm> node_terms_of(const std::vector<NodeSelectorTerm>& terms);
  std::vector<std::string> ignored_resources() const;
  bool is_ignored(std::string_view resource) const;
  void leave_self_out();
  std::vector<PodRow> counted_of(NodeIndex node) const;
  const WithoutSelf* without_self(NodeIndex node) const {
    for (const WithoutSelf& without : without_self_) {
      if (without.node == node) return &without;
    }
    return nullptr;
  }

  Symbol number_of(const std::string& text);

  std::vector<std::uint32_t> groups_;  ///< the filters of each group, as bits
  std::uint32_t filters_ = 0;          ///< all filters of the release
  std::uint32_t late_ = 0;             ///< static filters that run after the last filter on volumes
  std::uint32_t unschedulable_rejections_ = 0;  ///< the static rejections of a node that is unschedulable
  bool has_rejected_sidecar_ = false;
  bool needs_facts_ = false;
  std::vector<std::uint8_t> reached_classes_;  ///< by class; empty where affinity and spread are null
  std::vector<std::uint32_t> taint_rejections_;  ///< static rejections, by index in Tables::taint_lists
  std::optional<Symbol> node_name_;
  std::uint32_t wanted_features_ = 0;  ///< that the node must declare, as bits of features_of()
  std::vector<Label> node_selector_;
  std::optional<std::vector<NodeTerm>> node_terms_;
  std::optional<std::vector<NodeTerm>> added_terms_;  ///< CYC-PROFILE-2
  std::vector<std::uint32_t> selves_;
  std::vector<WithoutSelf> without_self_;
};

}  // namespace touchstone::optimized
