#pragma once

#include <optional>
#include <string_view>

#include "optimized/store/tables.hpp"

namespace touchstone::optimized {

/// A cluster as one release sees it, in columns: what a release makes of a pod (its requests, its place among
/// the pods of its node, the PDBs that cover it) is found out once, when the pod comes. Nodes, pods and PDBs
/// have numbers in the order in which they came, which is the order of the cluster's lists; a number is never
/// used again. One writer at a time, and no reader beside it.
class Snapshot {
 public:
  /// An empty cluster.
  explicit Snapshot(const Release& release);
  /// The cluster; numbers are the indices of its lists. Complexity: linear in it, in PDBs for each class of
  /// pods alike.
  Snapshot(const Cluster& cluster, const Release& release);

  /// Adds a node at the end of the list; pods that named it before it was there are on it from now on.
  /// Requires: no node of that name. Complexity: linear in the pods whose node is not there.
  NodeIndex add_node(const Node& node);
  /// Changes all of a node but its name; its pods stay. Requires: there is a node of that name, which is not
  /// looked for again.
  void change_node(NodeIndex number, const Node& node);
  /// Takes a node away; its pods count again when a node of that name comes. Complexity: linear in its pods.
  void remove_node(NodeIndex number);
  /// The number of a node; none: there is no such node.
  std::optional<NodeIndex> find_node(std::string_view name) const;

  /// Adds a pod at the end of the list: bound, nominated, or neither. Complexity: linear in the pods of its
  /// node.
  PodIndex add_pod(const Pod& pod);
  /// Puts a pod in the place of one with the same name and UID: bound, nominated, changed, or done.
  void change_pod(PodIndex number, const Pod& pod);
  void remove_pod(PodIndex number);

  /// Adds a PDB at the end of the list. Complexity: linear in pods and in classes.
  std::uint32_t add_pdb(const PodDisruptionBudget& pdb);
  /// Changes a PDB where it stands. Complexity: constant where disruptionsAllowed alone is another, otherwise
  /// as above.
  void change_pdb(std::uint32_t number, const PodDisruptionBudget& pdb);
  void remove_pdb(std::uint32_t number);

  /// Changes the labels of a namespace; none: it is not known any more.
  void set_namespace(std::string_view name, const std::optional<Labels>& labels);

  /// Changes all that is known of claims, volumes and what is behind them. Complexity: linear in it.
  void set_storage(const Storage& storage) { tables_.storage = storage; }

  /// Gives back room that is kept for growth.
  void pack();
  /// What the columns take, but for what the standard library adds to it.
  std::size_t bytes() const;

  const Tables& tables() const { return tables_; }

 private:
  /// Where the pod says that it is, whether or not the node is there. PRE-INPUT-1, PRE-INPUT-2.
  static Homeless stated(const Pod& pod, Tables& tables);
  PodRow row_of(std::uint32_t number, const Pod& pod);
  void settle(std::uint32_t number, const Pod& pod);
  void keep_terms(std::uint32_t number, const Pod& pod);
  void place(const Homeless& pod);
  Homeless unplace(std::uint32_t number);
  void count(const PodRow& row, NodeIndex node, Whereabouts where, int by);
  void write_node(NodeIndex number, const Node& node);
  void cover(Symbol ns);
  void cover_pods_of(NodeIndex node, Symbol ns);

  Tables tables_;
};

}  // namespace touchstone::optimized
