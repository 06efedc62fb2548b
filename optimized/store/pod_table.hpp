#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "optimized/store/rows.hpp"
#include "spec/releases/release.hpp"
#include "spec/vocabulary/decision.hpp"
#include "spec/vocabulary/quantity.hpp"

namespace touchstone::optimized {

/// Start time of a pod that has not started: later than every other. A started pod may have this largest
/// value too; the flag k_has_not_started distinguishes them.
inline constexpr Quantity k_unstarted = std::numeric_limits<Quantity>::max();

/// Flags of a pod's row.
enum PodFlag : std::uint8_t {
  k_terminating = 1,
  k_being_preempted = 2,  ///< PRE-ELIGIBLE-4
  k_extreme = 4,          ///< its cpu or memory (is_extreme_amount) or its priority is extreme
  k_has_not_started = 8,
};

/// Whether an amount of cpu or memory is outside the range in which column sums and the pruning lemmas are
/// correct. Amounts below 2^44 (16 TiB of memory) add up to less than k_endless (resource_fit.cpp) over 2^17
/// pods of a node. A pod with a negative request frees capacity when it is added.
constexpr bool is_extreme_amount(Quantity amount) { return amount < 0 || amount >= Quantity{1} << 44; }
/// Whether a priority has more than 32 bits, which Kubernetes does not allow. With k_priority_offset
/// (rank.hpp) every other priority counts as 0 or more.
constexpr bool is_extreme_priority(Quantity priority) {
  return priority < std::numeric_limits<std::int32_t>::min() ||
         priority > std::numeric_limits<std::int32_t>::max();
}

/// What a decision reads of a pod that is on a node or nominated to one.
struct PodRow {
  Quantity cpu = 0;
  Quantity memory = 0;
  Quantity start = k_unstarted;
  Quantity priority = 0;
  std::uint32_t pod = 0;        ///< its number; lower numbers come first in the cluster's list
  std::uint32_t pod_class = 0;  ///< the number of its PodClass
  std::uint32_t budgets = 0;    ///< number of the list of PDBs that cover it; 0: none
  std::uint8_t flags = 0;       ///< bits of PodFlag

  bool is_unstarted() const { return (flags & k_has_not_started) != 0; }
};

/// The pods of one node, the most important first, in columns of `count` cells. Pods of equal priority form a
/// level; the level with the highest priority is first. cpu_before and memory_before are the sums over all
/// higher levels.
struct PodsOfNode {
  std::size_t count = 0;
  Quantity used_cpu = 0;  ///< sum over all pods
  Quantity used_memory = 0;
  const Quantity* cpu = nullptr;
  const Quantity* memory = nullptr;
  const Quantity* start = nullptr;
  const Quantity* priority = nullptr;
  const std::uint32_t* pod = nullptr;
  const std::uint32_t* pod_class = nullptr;
  const std::uint32_t* budgets = nullptr;
  const std::uint8_t* flags = nullptr;

  std::size_t levels = 0;
  const Quantity* level_priority = nullptr;
  const std::uint32_t* level_first = nullptr;  ///< row of the first pod of the level
  const Quantity* cpu_before = nullptr;
  const Quantity* memory_before = nullptr;
  const Quantity* cpu_most = nullptr;  ///< largest request of one pod in this or a lower level
  const Quantity* memory_most = nullptr;

  /// The row of the first pod with a lower priority than the preemptor. This pod and all after it are the
  /// potential victims. Clauses: PRE-VICTIM-1.
  std::size_t first_below(Quantity priority_of_preemptor) const {
    const std::size_t level = level_below(priority_of_preemptor);
    return level == levels ? count : level_first[level];
  }
  std::size_t level_below(Quantity priority_of_preemptor) const {
    std::size_t level = 0;
    while (level < levels && level_priority[level] >= priority_of_preemptor) ++level;
    return level;
  }
};

/// The bound pods of all nodes, in columns. Clauses: PRE-INPUT-1, PRE-VICTIM-4, PRE-VICTIM-5.
class PodTable {
 public:
  /// Adds a node without pods.
  void add_node();

  /// Inserts a pod at its place by importance. `is_more_important` is a strict total order of rows.
  /// Complexity: linear in the node's pods.
  template <typename Order>
  void insert(NodeIndex node, const PodRow& row, const Order& is_more_important) {
    std::size_t at = count(node);
    while (at > 0 && is_more_important(row, row_at(node, at - 1))) --at;
    insert_at(node, at, row);
  }

  /// Removes a pod and returns its row. Requires: the pod is on the node. Complexity: linear in the node's
  /// pods.
  PodRow take(NodeIndex node, std::uint32_t pod);

  std::size_t count(NodeIndex node) const { return rows_.count(node); }
  Quantity used_cpu(NodeIndex node) const { return used_cpu_[node]; }
  Quantity used_memory(NodeIndex node) const { return used_memory_[node]; }
  /// The requests of all pods of a node, by node.
  std::span<const Quantity> used_cpu() const { return used_cpu_; }
  std::span<const Quantity> used_memory() const { return used_memory_; }
  PodRow row_at(NodeIndex node, std::size_t at) const;
  PodsOfNode of(NodeIndex node) const {
    return {rows_.count(node),
            used_cpu_[node],
            used_memory_[node],
            rows_.cells<k_cpu>(node),
            rows_.cells<k_memory>(node),
            rows_.cells<k_start>(node),
            rows_.cells<k_priority>(node),
            rows_.cells<k_pod>(node),
            rows_.cells<k_class>(node),
            rows_.cells<k_budgets>(node),
            rows_.cells<k_flags>(node),
            levels_.count(node),
            levels_.cells<k_level_priority>(node),
            levels_.cells<k_level_first>(node),
            levels_.cells<k_cpu_before>(node),
            levels_.cells<k_memory_before>(node),
            levels_.cells<k_cpu_most>(node),
            levels_.cells<k_memory_most>(node)};
  }

  /// Sets the list of PDBs of row `at`. Requires: at < count(node).
  void set_budgets(NodeIndex node, std::size_t at, std::uint32_t budgets) {
    rows_.cells<k_budgets>(node)[at] = budgets;
  }

  /// Calls `visit` with each column from which bounds are computed, over all nodes.
  template <typename F>
  void for_each_bound_column(const F& visit) const {
    visit(std::span(used_cpu_));
    visit(std::span(used_memory_));
    visit(levels_.template column<k_level_priority>());
    visit(levels_.template column<k_level_first>());
    visit(levels_.template column<k_cpu_before>());
    visit(levels_.template column<k_memory_before>());
  }

  /// Frees memory that is reserved for growth.
  void pack();
  std::size_t bytes() const;

 private:
  enum Column { k_cpu, k_memory, k_start, k_priority, k_pod, k_class, k_budgets, k_flags };
  enum LevelColumn {
    k_level_priority,
    k_level_first,
    k_cpu_before,
    k_memory_before,
    k_cpu_most,
    k_memory_most
  };

  void insert_at(NodeIndex node, std::size_t at, const PodRow& row);
  void find_levels(NodeIndex node);

  Rows<Quantity, Quantity, Quantity, Quantity, std::uint32_t, std::uint32_t, std::uint32_t, std::uint8_t>
      rows_;
  Rows<Quantity, std::uint32_t, Quantity, Quantity, Quantity, Quantity> levels_;
  std::vector<Quantity> used_cpu_;
  std::vector<Quantity> used_memory_;
};

}  // namespace touchstone::optimized
