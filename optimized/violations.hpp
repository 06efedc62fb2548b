#pragma once

#include <cstdint>
#include <vector>

#include "optimized/query.hpp"

namespace touchstone::optimized {

/// Which potential victims of a node violate a PDB, node after node. Clauses: PRE-PDB-1 to PRE-PDB-5.
class Violations {
 public:
  explicit Violations(const Query& query);

  /// Looks at the pods from `first` on; returns how many violate. Complexity: linear in them and in the PDBs
  /// that cover them; without PDBs, constant.
  std::size_t find(const PodsOfNode& pods, std::size_t first);

  /// By pod of the node, 1 or 0. Requires: find() returned more than 0; not before its `first`.
  const std::uint8_t* flags() const { return violating_.data(); }

 private:
  void restore(const PodsOfNode& pods, std::size_t first);
  bool spend_all(std::uint32_t list);

  const Query& query_;
  bool spends_ = false;  ///< PRE-PDB-4, PRE-PDB-5: budgets are consumed
  bool stops_ = false;   ///< PRE-PDB-4: at the first that is used up
  bool is_small_ = false;
  /// The only PDB of a list; k_none where none covers the pod, k_several where more do.
  std::vector<std::uint32_t> only_;
  std::vector<Quantity> allowed_;  ///< by PDB, and behind them for none
  std::vector<Quantity> left_;
  std::vector<std::uint8_t> violating_;
};

}  // namespace touchstone::optimized
