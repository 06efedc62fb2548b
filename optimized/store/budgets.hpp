#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "optimized/store/pod_class.hpp"

namespace touchstone::optimized {

/// A PodDisruptionBudget with a converted selector. Clauses: PRE-PDB-2, PRE-PDB-6, PRE-PDB-7.
struct Budget {
  Symbol ns = 0;
  std::optional<LabelSelector> stated;  ///< as written in the object
  std::optional<Selector> selector;
  Quantity allowed = 0;
  std::set<std::string, std::less<>> disrupted;  ///< pod names; empty if the release ignores disruptedPods
  bool is_gone = false;

  /// Whether the PDB selects pods of this class. Does not look at disruptedPods.
  bool selects(const PodClass& pods, const Release& release, const Symbols& symbols) const;
};

/// The PDBs of a snapshot in list order. Each pod has a list of the PDBs that cover it. Equal lists are
/// stored once and have one number; the empty list has number 0.
class Budgets {
 public:
  Budgets() : lists_(1) { numbers_[{}] = 0; }

  /// Adds a PDB at the end. Returns its number.
  std::uint32_t add(const PodDisruptionBudget& pdb, const Release& release, Symbols& symbols);
  /// Replaces a PDB, which keeps its position. Returns true if the set of covered pods may have changed.
  /// Requires: the PDB exists.
  bool change(std::uint32_t number, const PodDisruptionBudget& pdb, const Release& release, Symbols& symbols);
  void remove(std::uint32_t number) { budgets_[number].is_gone = true; }

  const Budget& operator[](std::uint32_t number) const { return budgets_[number]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(budgets_.size()); }

  /// The numbers of the PDBs that select a class, ascending. Complexity: linear in the PDBs.
  std::vector<std::uint32_t> selecting(const PodClass& pods, const Release& release,
                                       const Symbols& symbols) const;
  /// The number of the list of PDBs that cover a pod: those that select its class and do not exempt its name.
  std::uint32_t list_for(const PodClass& pods, std::string_view name);

  std::uint32_t lists() const { return static_cast<std::uint32_t>(lists_.size()); }
  /// The numbers of the PDBs in a list, ascending.
  const std::vector<std::uint32_t>& list(std::uint32_t number) const { return lists_[number]; }

 private:
  std::vector<Budget> budgets_;
  std::vector<std::vector<std::uint32_t>> lists_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> numbers_;
};

}  // namespace touchstone::optimized
