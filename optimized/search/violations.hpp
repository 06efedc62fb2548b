#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "optimized/search/query.hpp"

namespace touchstone::optimized {

/// Finds which potential victims violate a PDB, for one node after another. Clauses: PRE-PDB-1 to PRE-PDB-5.
class Violations {
 public:
  explicit Violations(const Query& query);

  /// Pods as rows. Each group has the most important pod first.
  struct Groups {
    std::span<const std::uint32_t> violating;
    std::span<const std::uint32_t> others;
  };
  /// Splits the pods from row `first` on into violating ones and others. The result is valid until the next
  /// call. Complexity: linear in these pods and the PDBs that cover them; constant without PDBs.
  Groups find(const PodsOfNode& pods, std::size_t first);

 private:
  void restore(const PodsOfNode& pods, std::size_t first);
  bool spend_all(std::uint32_t list);
  std::size_t spend(std::uint32_t number, std::size_t pods);

  const Query& query_;
  bool spends_ = false;  ///< PRE-PDB-4, PRE-PDB-5: budgets are consumed
  bool stops_ = false;   ///< PRE-PDB-4: stop at the first PDB that is used up
  bool is_small_ = false;
  /// By list: its only PDB; the number of PDBs if the list is empty; k_several if it has more than one.
  std::vector<std::uint32_t> only_;
  std::vector<Quantity> allowed_;  ///< by PDB; the last one is for pods without a PDB
  std::vector<Quantity> left_;
  std::vector<std::uint32_t> rows_;  ///< 0, 1, 2 and so on
  std::vector<std::uint32_t> violating_;
  std::vector<std::uint32_t> others_;
};

}  // namespace touchstone::optimized
