#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "optimized/store/budgets.hpp"
#include "optimized/store/changes.hpp"
#include "optimized/store/images.hpp"
#include "optimized/store/pod_class.hpp"
#include "optimized/store/pod_names.hpp"
#include "optimized/store/pod_table.hpp"
#include "optimized/store/zones.hpp"
#include "spec/releases/release.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/decision.hpp"

/// The data of a snapshot. A decision reads it; only class Snapshot writes it.
namespace touchstone::optimized {

enum NodeFlag : std::uint8_t {
  k_gone = 1,  ///< the node was removed; its number is not reused
  k_unschedulable = 2,
  k_has_nominated = 4,
};

/// A taint. Those of effect NoSchedule or NoExecute reject pods, those of effect PreferNoSchedule count for
/// scores. Clauses: PRE-TAINT-1, SCORE-TAINT-1.
struct TaintWords {
  Symbol key = 0;
  Symbol value = 0;
  Symbol effect = 0;

  auto operator<=>(const TaintWords&) const = default;
};

/// Properties of a node that a decision reads rarely.
struct NodeFacts {
  Symbol name = 0;
  std::vector<Label> labels;
  std::vector<Amount> allocatable;  ///< of resources other than cpu, memory and pods; sorted by resource
  std::vector<Amount> used;         ///< of the same resources, by the bound pods; sorted by resource
  std::vector<PodRow> nominated;    ///< pods nominated to the node, ordered by number
  std::uint32_t features = 0;       ///< features that the node declares, as bits of features_of()
  std::string condition;            ///< first condition that rejects pods up to v1.11, as TYPE=STATUS
};

/// The nodes in columns. A node's number is its position in the order of the cluster's list.
struct NodeTable {
  std::vector<Quantity> cpu;  ///< allocatable, like the next two columns
  std::vector<Quantity> memory;
  std::vector<Quantity> pods;
  std::vector<std::uint8_t> flags;    ///< bits of NodeFlag
  std::vector<std::uint32_t> taints;  ///< index in Tables::taint_lists: taints that reject pods
  std::vector<std::uint32_t> soft_taints;  ///< the same: taints that count for scores
  std::vector<std::uint32_t> zones;        ///< numbers of Zones
  /// What the bound pods count with for scores: their requests and PodClass::beyond_requests.
  std::vector<Quantity> scored_cpu;
  std::vector<Quantity> scored_memory;
  std::vector<NodeFacts> facts;

  std::size_t size() const { return flags.size(); }
  bool is_gone(NodeIndex node) const { return (flags[node] & k_gone) != 0; }
};

/// Whether a pod is bound to a node, nominated to one, or neither.
enum class PodPlacement : std::uint8_t { nowhere, bound, nominated };

/// A pod that is bound or nominated to a node that is not in the cluster. It counts once that node is added.
struct PodOnMissingNode {
  PodRow row;
  Symbol node_name = 0;
  PodPlacement where = PodPlacement::nowhere;
};

struct Tables {
  Release release;
  Symbols symbols;
  NodeTable nodes;
  std::size_t live_nodes = 0;
  std::map<Symbol, NodeIndex> node_by_name;
  std::vector<std::vector<TaintWords>> taint_lists;
  std::map<std::vector<TaintWords>, std::uint32_t> taint_list_numbers;
  Zones zones;
  Images images;
  /// Controllers whose pods should avoid a node, by node. Contains only nodes that name some.
  std::map<NodeIndex, std::vector<Controller>> avoided;

  PodTable pods;
  PodClasses classes;
  PodNames names;
  Column<PodPlacement> where;     ///< by pod number; nowhere also if its node is not in the cluster
  Column<std::uint32_t> node_of;  ///< by pod number; valid if the pod is bound or nominated
  std::map<std::uint32_t, PodOnMissingNode> homeless;
  /// Anti-affinity terms of pods that have finished, or are neither bound nor nominated. Stored up to v1.11
  /// only: there it matters whether the anti-affinity of any pod may concern the preemptor.
  std::map<std::uint32_t, std::vector<Term>> terms_of_others;
  std::size_t extreme_pods = 0;  ///< bound or nominated pods with the flag k_extreme

  /// By pod number: volumes for which is_counted() holds. Contains only pods that have some, on a node or
  /// not.
  std::map<std::uint32_t, std::vector<Volume>> volumes_of_pods;
  Storage storage;

  Budgets budgets;
  std::map<Symbol, std::vector<Label>> namespaces;  ///< by name: labels of the known namespaces
  /// Services and controllers by namespace, in the order of the cluster's list.
  std::map<std::string, std::vector<SelectingObject>, std::less<>> selecting;

  Changes changes;
};

/// The amount of a resource in a list that is sorted by resource; 0 if the list does not have it.
Quantity amount_of(const std::vector<Amount>& amounts, Symbol resource);

/// Which of the release's features are among these names: bit i stands for Release::node_features[i].
/// Clauses: PRE-FEATURES-1.
std::uint32_t features_of(const std::vector<std::string>& names, const Release& release);

/// Strict total order of pods by importance. Use it, not outranks(), to order the rows of a node. Clauses:
/// PRE-VICTIM-4, PRE-VICTIM-5.
bool is_more_important(const PodRow& a, const PodRow& b, const Tables& tables);

/// Whether a pod is more important than another one without regard to the order of the list. So two pods may
/// be equal.
bool outranks(const PodRow& a, const PodRow& b, const Tables& tables);

}  // namespace touchstone::optimized
