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

Violations::Groups Violations::find(const PodsOfNode& pods, std::size_t first) {
  while (rows_.size() < pods.count) rows_.push_back(static_cast<std::uint32_t>(rows_.size()));
  const std::span<const std::uint32_t> all(rows_.data() + first, pods.count - first);
  if (allowed_.size() <= 1) return {{}, all};
  restore(pods, first);
  if (violating_.size() < rows_.size()) {
    violating_.resize(rows_.size());
    others_.resize(rows_.size());
  }
  const Quantity spent = spends_ ? 1 : 0;
  std::size_t violating = 0;
  std::size_t others = 0;
  for (const std::uint32_t row : all) {
    const std::uint32_t only = only_[pods.budgets[row]];
    bool violates = false;
    if (only == k_several) {
      violates = spend_all(pods.budgets[row]);
    } else {
      // One PDB is used up whether or not a pod that violates it spends more of it.
      violates = left_[only] <= 0;
      left_[only] -= spent;
    }
    // Which of the two no processor can predict, so both are written.
    violating_[violating] = row;
    others_[others] = row;
    violating += violates ? 1u : 0u;
    others += violates ? 0u : 1u;
  }
  return {{violating_.data(), violating}, {others_.data(), others}};
}

}  // namespace touchstone::optimized
