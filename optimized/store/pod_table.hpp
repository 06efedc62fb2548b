#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "optimized/store/rows.hpp"
#include "spec/vocabulary/decision.hpp"
#include "spec/vocabulary/quantity.hpp"
#include "spec/releases/release.hpp"

namespace touchstone::optimized {

/// Start of a pod that has not started: later than any. At the end of time a pod may start, too, so a flag
/// tells them apart.
inline constexpr Quantity k_unstarted = std::numeric_limits<Quantity>::max();

/// What a pod's row says besides.
enum PodFlag : std::uint8_t {
  k_terminating = 1,
  k_being_preempted = 2,  ///< PRE-ELIGIBLE-4
  k_extreme = 4,          ///< its cpu, memory or priority is
  k_has_not_started = 8,
};

/// An amount of cpu or memory, or a priority, that the arithmetic of columns and the lemmas of pruning do not
/// bear. Below 2^44, which is 16 TiB, 2^17 pods of a node do not add up to what stands for no limit
/// (room.cpp); what is negative makes room when it comes. Priorities of Kubernetes have 32 bits, and count as
/// 0 or more after an offset.
constexpr bool is_extreme_amount(Quantity amount) { return amount < 0 || amount >= Quantity{1} << 44; }
constexpr bool is_extreme_priority(Quantity priority) {
  return priority < std::numeric_limits<std::int32_t>::min() ||
         priority > std::numeric_limits<std::int32_t>::max();
}

/// What is known of a pod on a node, or nominated to one, without looking at its object again.
struct PodRow {
  Quantity cpu = 0;
  Quantity memory = 0;
  Quantity start = k_unstarted;
  Quantity priority = 0;
  std::uint32_t pod = 0;        ///< its number; lower ones come first in the cluster's list
  std::uint32_t pod_class = 0;  ///< what it has in common with its like
  std::uint32_t budgets = 0;    ///< the list of PDBs that cover it; 0: none
  std::uint8_t flags = 0;       ///< of PodFlag

  bool is_unstarted() const { return (flags & k_has_not_started) != 0; }
};

/// The pods of one node, the most important first, in columns of `count` cells; and the levels of their
/// priorities, the highest first. `before` of a level is what all pods of higher levels come to.
struct PodsOfNode {
  std::size_t count = 0;
  Quantity used_cpu = 0;  ///< by all of them
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
  const std::uint32_t* level_first = nullptr;  ///< the first of its pods
  const Quantity* cpu_before = nullptr;
  const Quantity* memory_before = nullptr;
  const Quantity* cpu_most = nullptr;  ///< what one pod of this level, or of one behind it, has at most
  const Quantity* memory_most = nullptr;

  /// The first pod of lower priority than this: it and all behind it are potential victims. PRE-VICTIM-1.
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
  /// One node more, without pods.
  void add_node();

  /// Puts a pod where its importance says; `is_more_important` is a strict total order of rows. Complexity:
  /// linear in the node's pods.
  template <typename Order>
  void insert(NodeIndex node, const PodRow& row, const Order& is_more_important) {
    std::size_t at = count(node);
    while (at > 0 && is_more_important(row, row_at(node, at - 1))) --at;
    insert_at(node, at, row);
  }

  /// Takes a pod away and returns its row. Requires: it is there. Complexity: linear in the node's pods.
  PodRow take(NodeIndex node, std::uint32_t pod);

  std::size_t count(NodeIndex node) const { return rows_.count(node); }
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

  /// Requires: at < count(node).
  void set_budgets(NodeIndex node, std::size_t at, std::uint32_t budgets) {
    rows_.cells<k_budgets>(node)[at] = budgets;
  }

  /// Calls `visit` with each column that a bound is found by, of all nodes.
  template <typename F>
  void for_each_bound_column(const F& visit) const {
    visit(std::span(used_cpu_));
    visit(std::span(used_memory_));
    visit(levels_.template column<k_level_priority>());
    visit(levels_.template column<k_level_first>());
    visit(levels_.template column<k_cpu_before>());
    visit(levels_.template column<k_memory_before>());
  }

  /// Gives back room kept for growth.
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
