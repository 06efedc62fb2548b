#include "optimized/store/budgets.hpp"

#include <algorithm>

namespace touchstone::optimized {

namespace {

bool is_same(const std::optional<LabelSelector>& a, const std::optional<LabelSelector>& b) {
  if (a.has_value() != b.has_value()) return false;
  const auto same = [](const Requirement& x, const Requirement& y) {
    return x.key == y.key && x.op == y.op && x.values == y.values;
  };
  return !a || (a->match_labels == b->match_labels &&
                std::equal(a->match_expressions.begin(), a->match_expressions.end(),
                           b->match_expressions.begin(), b->match_expressions.end(), same));
}

}  // namespace

bool Budget::selects(const PodClass& pods, const Release& release, const Symbols& symbols) const {
  if (is_gone || ns != pods.ns || !selector) return false;
  // PRE-PDB-7: before v1.38 an empty selector, or a pod without labels, never matches.
  if (!release.pdb_empty_selector_matches_all && (pods.labels.empty() || selector->is_empty())) return false;
  return selector->matches(pods.labels, symbols);
}

std::uint32_t Budgets::add(const PodDisruptionBudget& pdb, const Release& release, Symbols& symbols) {
  budgets_.emplace_back();
  change(size() - 1, pdb, release, symbols);
  return size() - 1;
}

bool Budgets::change(std::uint32_t number, const PodDisruptionBudget& pdb, const Release& release,
                     Symbols& symbols) {
  const Numbering numbering = [&symbols](const std::string& text) { return symbols.add(text); };
  Budget budget{symbols.add(pdb.ns), pdb.selector, std::nullopt, pdb.disruptions_allowed, {}, false};
  if (pdb.selector) budget.selector = Selector::of_labels(*pdb.selector, numbering);
  if (release.pdb_disrupted_pods_exempt)  // PRE-PDB-6
    budget.disrupted.insert(pdb.disrupted_pods.begin(), pdb.disrupted_pods.end());
  const bool covers_as_before =
      is_same(budgets_[number].stated, pdb.selector) && budgets_[number].disrupted == budget.disrupted;
  budgets_[number] = std::move(budget);
  return !covers_as_before;
}

std::vector<std::uint32_t> Budgets::selecting(const PodClass& pods, const Release& release,
                                              const Symbols& symbols) const {
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < size(); ++i) {
    if (budgets_[i].selects(pods, release, symbols)) numbers.push_back(i);
  }
  return numbers;
}

std::uint32_t Budgets::list_for(const PodClass& pods, std::string_view name) {
  if (pods.budgets.empty()) return 0;
  std::vector<std::uint32_t> list = pods.budgets;
  std::erase_if(list, [&](std::uint32_t number) { return budgets_[number].disrupted.contains(name); });
  const auto [place, is_new] = numbers_.emplace(list, static_cast<std::uint32_t>(lists_.size()));
  if (is_new) lists_.push_back(std::move(list));
  return place->second;
}

}  // namespace touchstone::optimized
