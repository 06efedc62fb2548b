#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "optimized/search/query.hpp"

namespace touchstone::optimized {

/// Which potential victims of a node violate a PDB, node after node. Clauses: PRE-PDB-1 to PRE-PDB-5.
class Violations {
 public:
  explicit Violations(const Query& query);

  /// Pods by their rows, each group in the order of importance.
  struct Groups {
    std::span<const std::uint32_t> violating;
    std::span<const std::uint32_t> others;
  };
  /// Tells the pods from `first` on apart; good until it is called again. Complexity: linear in them and in
  /// the PDBs that cover them; without PDBs, constant.
  Groups find(const PodsOfNode& pods, std::size_t first);

 private:
  void restore(const PodsOfNode& pods, std::size_t first);
  bool spend_all(std::uint32_t list);
  std::size_t spend(std::uint32_t number, std::size_t pods);

  const Query& query_;
  bool spends_ = false;  ///< PRE-PDB-4, PRE-PDB-5: budgets are consumed
  bool stops_ = false;   ///< PRE-PDB-4: at the first that is used up
  bool is_small_ = false;
  /// The only PDB of a list; k_none where none covers the pod, k_several where more do.
  std::vector<std::uint32_t> only_;
  std::vector<Quantity> allowed_;  ///< by PDB, and behind them for none
  std::vector<Quantity> left_;
  std::vector<std::uint32_t> rows_;  ///< 0, 1, 2 and so on
  std::vector<std::uint32_t> violating_;
  std::vector<std::uint32_t> others_;
};

}  // namespace touchstone::optimized
