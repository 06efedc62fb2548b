#include "optimized/violations.hpp"

#include <limits>

namespace touchstone::optimized {

namespace {

constexpr std::uint32_t k_several = std::numeric_limits<std::uint32_t>::max();

/// As many PDBs as are copied faster than those of 30 pods are looked up.
constexpr std::size_t k_small = 64;

}  // namespace

Violations::Violations(const Query& query) : query_(query) {
  const Budgets& budgets = query.tables.budgets;
  if (query.release.pdb_budget == PdbBudget::ignored) return;  // PRE-PDB-1
  spends_ = query.release.pdb_budget != PdbBudget::threshold;
  stops_ = query.release.pdb_budget == PdbBudget::consumed_until_violated;
  is_small_ = budgets.size() <= k_small;
  for (std::uint32_t i = 0; i < budgets.size(); ++i) allowed_.push_back(budgets[i].allowed);
  // A pod that no PDB covers spends of one that lasts.
  allowed_.push_back(std::numeric_limits<Quantity>::max());
  left_ = allowed_;
  for (std::uint32_t list = 0; list < budgets.lists(); ++list) {
    const std::vector<std::uint32_t>& numbers = budgets.list(list);
    only_.push_back(numbers.empty() ? budgets.size() : numbers.size() == 1 ? numbers[0] : k_several);
  }
}

void Violations::restore(const PodsOfNode& pods, std::size_t first) {
  if (is_small_) {
    std::copy(allowed_.begin(), allowed_.end(), left_.begin());
    return;
  }
  for (std::size_t i = first; i < pods.count; ++i) {
    for (const std::uint32_t number : query_.tables.budgets.list(pods.budgets[i]))
      left_[number] = allowed_[number];
  }
  left_.back() = allowed_.back();
}

/// Spends what a pod costs that several PDBs cover; returns whether it violates.
bool Violations::spend_all(std::uint32_t list) {
  bool violates = false;
  for (const std::uint32_t number : query_.tables.budgets.list(list)) {
    const bool is_used_up = left_[number] <= 0;
    violates = violates || is_used_up;
    if (is_used_up && stops_) break;  // PRE-PDB-4
    if (spends_) left_[number] -= 1;  // PRE-PDB-3, PRE-PDB-5
  }
  return violates;
}

std::size_t Violations::find(const PodsOfNode& pods, std::size_t first) {
  if (allowed_.size() <= 1) return 0;
  restore(pods, first);
  if (violating_.size() < pods.count) violating_.resize(pods.count);
  const Quantity spent = spends_ ? 1 : 0;
  std::size_t violators = 0;
  for (std::size_t i = first; i < pods.count; ++i) {
    const std::uint32_t only = only_[pods.budgets[i]];
    bool violates = false;
    if (only == k_several) {
      violates = spend_all(pods.budgets[i]);
    } else {
      // One PDB is used up whether or not a pod that violates it spends more of it.
      violates = left_[only] <= 0;
      left_[only] -= spent;
    }
    violating_[i] = violates ? 1 : 0;
    violators += violates ? 1u : 0u;
  }
  return violators;
}

}  // namespace touchstone::optimized
