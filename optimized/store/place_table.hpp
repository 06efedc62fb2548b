#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "optimized/store/tables.hpp"

namespace touchstone::optimized {

/// Amounts of cpu and memory on some nodes, as floats: in columns, so that a compiler can make vector
/// operations of a loop over the nodes. The amounts are integers from 0 to 2^45, so that floats hold them,
/// and a hundred of them, exactly. No allocatable amount is 0.
struct LoadColumns {
  std::size_t count = 0;
  const double* cpu = nullptr;     ///< allocatable
  const double* memory = nullptr;  ///< allocatable
  const double* used_cpu = nullptr;
  const double* used_memory = nullptr;
};

/// Whether all amounts whose bits are joined are from 0 to 2^45 - 1.
inline bool are_small_amounts(Quantity joined) { return joined >= 0 && joined < Quantity{1} << 45; }

/// What most filters and scorers read of a node, by the places of the nodes in the order of a search.
/// Adjacent in memory, in words of 64 places.
class PlaceTable {
 public:
  static constexpr std::size_t k_places = 64;  ///< of a word

  /// Reads all nodes.
  void read_all(const Tables& tables, std::span<const NodeIndex> order);
  /// Reads one node again. Requires: read_all() with the same order.
  void read(const Tables& tables, NodeIndex node, std::size_t place);

  /// Whether all amounts of a word are those of LoadColumns.
  bool are_small(std::size_t word) const { return large_[word] == 0; }
  /// What is allocatable on a word of places, and requested by the bound pods. `with_defaults`: what these
  /// count with for scores. Columns go on behind the last place. Requires: are_small().
  LoadColumns columns(std::size_t word, bool with_defaults) const;
  /// The places of a word whose nodes are schedulable, have no taints that reject pods, no nominated pods,
  /// and room for one more pod.
  std::uint64_t plain(std::size_t word) const { return plain_[word]; }

  std::size_t bytes() const;

 private:
  enum Column { k_cpu, k_memory, k_used_cpu, k_used_memory, k_scored_cpu, k_scored_memory, k_columns };

  std::array<std::vector<double>, k_columns> columns_;
  std::vector<std::uint64_t> large_;  ///< by word: the places with an amount that is not one of LoadColumns
  std::vector<std::uint64_t> plain_;
};

}  // namespace touchstone::optimized
