#include "optimized/search/violations.hpp"

#include <limits>

namespace touchstone::optimized {

namespace {

constexpr std::uint32_t k_several = std::numeric_limits<std::uint32_t>::max();

/// Up to this number of PDBs, copying all budgets is faster than looking up those of 30 pods.
constexpr std::size_t k_small = 64;

/// The end of the run of adjacent pods, from `row` on, that the same PDBs cover.
std::size_t end_of_run(const PodsOfNode& pods, std::size_t row) {
  const std::uint32_t list = pods.budgets[row];
  while (row < pods.count && pods.budgets[row] == list) ++row;
  return row;
}

void write_rows(std::uint32_t* to, std::size_t first, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<std::uint32_t>(first + i);
}

}  // namespace

Violations::Violations(const Query& query) : query_(query) {
  const Budgets& budgets = query.tables.budgets;
  if (query.release.pdb_budget == PdbBudget::ignored) return;  // PRE-PDB-1
  spends_ = query.release.pdb_budget != PdbBudget::threshold;
  stops_ = query.release.pdb_budget == PdbBudget::consumed_until_violated;
  is_small_ = budgets.size() <= k_small;
  for (std::uint32_t i = 0; i < budgets.size(); ++i) allowed_.push_back(budgets[i].allowed);
  // A pod without a PDB consumes a budget that is never used up.
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
}

/// Consumes the budgets of a pod that several PDBs cover. Returns whether the pod violates one of them.
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

/// Consumes the budget of a run of pods that one PDB covers. Returns how many pods, from the first on, do not
/// violate it. Clauses: PRE-PDB-3, PRE-PDB-5. With a single PDB it does not matter whether a violating pod
/// consumes more of it.
std::size_t Violations::spend(std::uint32_t number, std::size_t pods) {
  Quantity& left = left_[number];
  if (!spends_) return left > 0 ? pods : 0;
  std::size_t allowed = 0;
  while (allowed < pods && left > static_cast<Quantity>(allowed)) ++allowed;
  left -= static_cast<Quantity>(pods);
  return allowed;
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
  std::size_t violating = 0;
  std::size_t others = 0;
  for (std::size_t row = first; row < pods.count;) {
    const std::uint32_t list = pods.budgets[row];
    const std::uint32_t only = only_[list];
    const std::size_t end = only == k_several ? row + 1 : end_of_run(pods, row);
    // The first pods of a run under one PDB do not violate it, as many as it still allows.
    const std::size_t allowed = only == k_several ? (spend_all(list) ? 0u : 1u) : spend(only, end - row);
    // Writes the whole run to both groups and then keeps each group's share. A branch on the group of each
    // pod would be unpredictable.
    const std::size_t pods_of_run = end - row;
    write_rows(&others_[others], row, pods_of_run);
    write_rows(&violating_[violating], row + allowed, pods_of_run);
    others += allowed;
    violating += pods_of_run - allowed;
    row = end;
  }
  return {{violating_.data(), violating}, {others_.data(), others}};
}

}  // namespace touchstone::optimized
