#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "optimized/store/go_numbers.hpp"
#include "optimized/store/tables.hpp"

namespace touchstone::optimized {

/// Amounts of cpu and memory on some nodes, as floats: in columns, so that a compiler can make vector
/// operations of a loop over the nodes. The amounts are integers below 2^45, so that a float holds each, and
/// a hundred times each, exactly. No allocatable amount is 0.
struct LoadColumns {
  std::size_t count = 0;
  const double* cpu = nullptr;     ///< allocatable
  const double* memory = nullptr;  ///< allocatable
  const double* used_cpu = nullptr;
  const double* used_memory = nullptr;
  /// Bit i: an amount of node i is negative or too large, or an allocatable amount is 0. Then all its amounts
  /// in the columns are 1.
  std::uint64_t left_out = 0;
};

/// Amounts of cpu and memory on one node.
struct NodeLoads {
  Quantity cpu = 0;     ///< allocatable
  Quantity memory = 0;  ///< allocatable
  Quantity used_cpu = 0;
  Quantity used_memory = 0;
};

/// Whether all amounts whose bits are joined are from 0 to 2^45 - 1.
inline bool are_small_amounts(Quantity joined) { return joined >= 0 && joined < Quantity{1} << 45; }
/// Whether columns can have the amounts of a node. Where an allocatable amount is 0, the bits of 0 - 1 say
/// that the joined amounts are not small.
inline bool are_column_amounts(const NodeLoads& loads) {
  return are_small_amounts(go::difference(loads.cpu, 1) | go::difference(loads.memory, 1) | loads.cpu |
                           loads.memory | loads.used_cpu | loads.used_memory);
}

/// What most filters and scorers read of a node, by the places of the nodes in the order of a search.
/// Adjacent in memory, in words of 64 places.
class PlaceTable {
 public:
  static constexpr std::size_t k_places = 64;  ///< of a word

  /// Reads all nodes.
  void read_all(const Tables& tables, std::span<const NodeIndex> order);
  /// Reads one node again. Requires: read_all() with the same order.
  void read(const Tables& tables, NodeIndex node, std::size_t place);

  /// What is allocatable on a word of places, and what the bound pods request. `with_defaults`: what these
  /// count with for scores (SCORE-REQUESTS-1). Always 64 entries; those behind the last place are 1.
  LoadColumns columns(std::size_t word, bool with_defaults) const;
  /// The places of a word whose nodes are schedulable, have no taints that reject pods, no nominated pods,
  /// and room for one more pod.
  std::uint64_t plain(std::size_t word) const { return plain_[word]; }

  std::size_t bytes() const;

 private:
  enum Column { k_cpu, k_memory, k_used_cpu, k_used_memory, k_scored_cpu, k_scored_memory, k_columns };

  std::array<std::vector<double>, k_columns> columns_;
  std::vector<std::uint64_t> left_out_;  ///< by word, as in LoadColumns
  std::vector<std::uint64_t> plain_;     ///< by word
};

}  // namespace touchstone::optimized
