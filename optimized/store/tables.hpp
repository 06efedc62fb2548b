#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "optimized/store/budgets.hpp"
#include "optimized/store/pod_class.hpp"
#include "optimized/store/pod_names.hpp"
#include "optimized/store/pod_table.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/decision.hpp"
#include "spec/releases/release.hpp"

/// What a snapshot is made of. A decision reads it; class Snapshot alone writes it.
namespace touchstone::optimized {

enum NodeFlag : std::uint8_t {
  k_gone = 1,  ///< the node was removed; its number stays free
  k_unschedulable = 2,
  k_has_nominated = 4,
};

/// A taint of effect NoSchedule or NoExecute; the others reject nobody. Clauses: PRE-TAINT-1.
struct TaintWords {
  Symbol key = 0;
  Symbol value = 0;
  Symbol effect = 0;

  auto operator<=>(const TaintWords&) const = default;
};

/// What is seldom looked at of a node.
struct NodeFacts {
  Symbol name = 0;
  std::vector<Label> labels;
  std::vector<Amount> allocatable;  ///< of resources other than cpu, memory and pods; sorted by resource
  std::vector<Amount> used;         ///< of these by the bound pods; sorted by resource
  std::vector<PodRow> nominated;    ///< pods nominated to it, by number
  std::uint32_t features = 0;       ///< that it declares, as features_of() has them
  std::string condition;            ///< one that rejects pods up to v1.11, as TYPE=STATUS
};

/// Nodes by number: the order of the cluster's list.
struct NodeTable {
  std::vector<Quantity> cpu;  ///< allocatable, as the two that follow
  std::vector<Quantity> memory;
  std::vector<Quantity> pods;
  std::vector<std::uint8_t> flags;    ///< of NodeFlag
  std::vector<std::uint32_t> taints;  ///< number of a list in Tables::taint_lists
  std::vector<NodeFacts> facts;

  std::size_t size() const { return flags.size(); }
  bool is_gone(NodeIndex node) const { return (flags[node] & k_gone) != 0; }
};

/// Where a pod is.
enum class Whereabouts : std::uint8_t { nowhere, bound, nominated };

/// A pod on a node that is not there, or nominated to one: it counts when the node comes.
struct Homeless {
  PodRow row;
  Symbol node_name = 0;
  Whereabouts where = Whereabouts::nowhere;
};

struct Tables {
  Release release;
  Symbols symbols;
  NodeTable nodes;
  std::size_t live_nodes = 0;
  std::map<Symbol, NodeIndex> node_by_name;
  std::vector<std::vector<TaintWords>> taint_lists;
  std::map<std::vector<TaintWords>, std::uint32_t> taint_list_numbers;

  PodTable pods;
  PodClasses classes;
  PodNames names;
  Column<Whereabouts> where;      ///< by number of the pod
  Column<std::uint32_t> node_of;  ///< the same; meaningful where it is bound or nominated
  std::map<std::uint32_t, Homeless> homeless;
  /// Up to v1.11, where it matters whether anybody's anti-affinity may concern the preemptor: that of pods
  /// which have ended, or are neither bound nor nominated.
  std::map<std::uint32_t, std::vector<Term>> terms_of_others;
  std::size_t extreme_pods = 0;  ///< on nodes or nominated; see k_extreme

  /// By number; only of pods with some, wherever they are.
  std::map<std::uint32_t, std::vector<Volume>> volumes_of_pods;
  Storage storage;

  Budgets budgets;
  std::map<Symbol, std::vector<Label>> namespaces;  ///< labels of those that are known
};

/// The amount of a resource in a sorted list, 0 where it is not in it.
Quantity amount_of(const std::vector<Amount>& amounts, Symbol resource);

/// Which of the features that the release knows are among these names, one bit each. Clauses: PRE-FEATURES-1.
std::uint32_t features_of(const std::vector<std::string>& names, const Release& release);

/// Whether a pod is more important than another one, and it alone is right for a node's rows. A strict total
/// order. Clauses: PRE-VICTIM-4, PRE-VICTIM-5.
bool is_more_important(const PodRow& a, const PodRow& b, const Tables& tables);

/// The same but for what only the order of a list decides.
bool outranks(const PodRow& a, const PodRow& b, const Tables& tables);

}  // namespace touchstone::optimized
