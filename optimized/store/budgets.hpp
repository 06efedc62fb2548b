#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "optimized/store/pod_class.hpp"

namespace touchstone::optimized {

/// A PodDisruptionBudget, its selector converted. Clauses: PRE-PDB-2, PRE-PDB-6, PRE-PDB-7.
struct Budget {
  Symbol ns = 0;
  std::optional<LabelSelector> stated;  ///< as the object has it
  std::optional<Selector> selector;
  Quantity allowed = 0;
  std::set<std::string, std::less<>> disrupted;  ///< names; empty where the release does not look at them
  bool is_gone = false;

  /// Whether the selector matches the pods of a class, whatever their names.
  bool selects(const PodClass& pods, const Release& release, const Symbols& symbols) const;
};

/// The PDBs of a snapshot in their list order, and the lists of them that cover some pod, each list once.
/// A number stands for a list; 0 is the empty one.
class Budgets {
 public:
  Budgets() : lists_(1) { numbers_[{}] = 0; }

  /// Adds a PDB at the end of the list. Returns its number.
  std::uint32_t add(const PodDisruptionBudget& pdb, const Release& release, Symbols& symbols);
  /// Changes a PDB where it stands. Returns whether other pods may be covered now. Requires: it is there.
  bool change(std::uint32_t number, const PodDisruptionBudget& pdb, const Release& release, Symbols& symbols);
  void remove(std::uint32_t number) { budgets_[number].is_gone = true; }

  const Budget& operator[](std::uint32_t number) const { return budgets_[number]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(budgets_.size()); }

  /// The numbers of the PDBs that select a class, ascending. Complexity: linear in PDBs.
  std::vector<std::uint32_t> selecting(const PodClass& pods, const Release& release,
                                       const Symbols& symbols) const;
  /// The list that covers one pod of a class: all that select it but those that exempt its name.
  std::uint32_t list_for(const PodClass& pods, std::string_view name);

  std::uint32_t lists() const { return static_cast<std::uint32_t>(lists_.size()); }
  /// The PDBs of a list, ascending.
  const std::vector<std::uint32_t>& list(std::uint32_t number) const { return lists_[number]; }

 private:
  std::vector<Budget> budgets_;
  std::vector<std::vector<std::uint32_t>> lists_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> numbers_;
};

}  // namespace touchstone::optimized
