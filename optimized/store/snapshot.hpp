#pragma once

#include <optional>
#include <string_view>

#include "optimized/store/tables.hpp"

namespace touchstone::optimized {

/// A cluster in columns, as one release sees it. What the release derives from a pod (its requests, its
/// position among the pods of its node, the PDBs that cover it) is computed once, when the pod is added.
/// Nodes, pods and PDBs are numbered in the order in which they are added, which is the order of the
/// cluster's lists. A number is never reused. Requires: one writer at a time, and no reader while it writes.
class Snapshot {
 public:
  /// An empty cluster.
  explicit Snapshot(const Release& release);
  /// The given cluster. Numbers are the indices of its lists. Complexity: linear in the cluster, and in PDBs
  /// for each class of pods.
  Snapshot(const Cluster& cluster, const Release& release);

  /// Adds a node at the end of the list. Pods that named this node before now count on it. Requires: no node
  /// has that name. Complexity: linear in the pods whose node is missing, quadratic in those that name this
  /// node.
  NodeIndex add_node(const Node& node);
  /// Replaces everything of a node except its name. Its pods stay. Requires: `number` is the node of that
  /// name.
  void change_node(NodeIndex number, const Node& node);
  /// Removes a node. Its pods count again when a node of that name is added. Complexity: quadratic in its
  /// pods.
  void remove_node(NodeIndex number);
  /// The number of the node with this name; none: there is no such node.
  std::optional<NodeIndex> find_node(std::string_view name) const;

  /// Adds a pod at the end of the list, whether it is bound, nominated, or neither. Complexity: linear in the
  /// pods of its node.
  PodIndex add_pod(const Pod& pod);
  /// Replaces a pod by one with the same name and UID, which may be bound, nominated, changed, or finished.
  void change_pod(PodIndex number, const Pod& pod);
  void remove_pod(PodIndex number);

  /// Adds a PDB at the end of the list. Complexity: linear in pods and classes, and in PDBs for each class of
  /// the namespace.
  std::uint32_t add_pdb(const PodDisruptionBudget& pdb);
  /// Replaces a PDB, which keeps its position. Complexity: constant if only disruptionsAllowed changes,
  /// otherwise as for add_pdb().
  void change_pdb(std::uint32_t number, const PodDisruptionBudget& pdb);
  void remove_pdb(std::uint32_t number);

  /// Replaces the labels of a namespace. None: the namespace is not known any more.
  void set_namespace(std::string_view name, const std::optional<Labels>& labels);

  /// Replaces all claims, volumes and other storage objects. Complexity: linear in the storage objects.
  void set_storage(const Storage& storage);
  /// Replaces all Services, ReplicationControllers, ReplicaSets and StatefulSets. Complexity: linear in them.
  void set_selecting(const std::vector<SelectingObject>& objects);

  /// Frees memory that is reserved for growth.
  void pack();
  /// An estimate of the memory that the tables of pods and nodes take, in bytes.
  std::size_t bytes() const;

  const Tables& tables() const { return tables_; }

 private:
  /// Where the pod's object says that it is, whether or not the cluster has that node. Clauses: PRE-INPUT-1,
  /// PRE-INPUT-2.
  static PodOnMissingNode stated(const Pod& pod, Tables& tables);
  PodRow row_of(std::uint32_t number, const Pod& pod);
  /// Stores the pod's volumes and its row: on its node, or in Tables::homeless if the node is missing.
  void store_pod(std::uint32_t number, const Pod& pod);
  /// Stores the anti-affinity terms of a pod that is neither bound nor nominated (Tables::terms_of_others).
  void keep_terms(std::uint32_t number, const Pod& pod);
  /// Adds a pod to its node. Requires: the cluster has the node.
  void place(const PodOnMissingNode& pod);
  /// Removes a pod from its node and returns it. Requires: it is bound or nominated to a node of the
  /// cluster.
  PodOnMissingNode unplace(std::uint32_t number);
  /// Adds a pod to the counts of its node and class, or subtracts it. `by` is 1 or -1.
  void count(const PodRow& row, NodeIndex node, PodPlacement where, int by);
  void write_node(NodeIndex number, const Node& node);
  void write_labels(NodeIndex number, const Labels& labels);
  /// Recomputes which PDBs cover the pods of a namespace.
  void cover(Symbol ns);
  void cover_pods_of(NodeIndex node, Symbol ns);

  Tables tables_;
};

}  // namespace touchstone::optimized
