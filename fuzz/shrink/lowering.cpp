#include "fuzz/shrink/lowering.hpp"

#include <cassert>
#include <nlohmann/json.hpp>

namespace touchstone::fuzz {

Lowering::Lowering(Search& search) : search_(search), amounts_(amounts_of(search.question())) {}

bool Lowering::set(const Indices& indices, const std::vector<Quantity>& values) {
  assert(indices.size() == values.size());
  Json other = search_.question();
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const Amount& amount = amounts_[indices[i]];
    at(other, amount.path) = written(amount, values[i]);
  }
  if (!search_.take(std::move(other))) return false;
  // Only values changed, so every path is still valid.
  for (std::size_t i = 0; i < indices.size(); ++i) amounts_[indices[i]].value = values[i];
  return true;
}

std::vector<Quantity> Lowering::values(const Indices& indices) const {
  std::vector<Quantity> values;
  values.reserve(indices.size());
  for (const std::size_t i : indices) values.push_back(amounts_[i].value);
  return values;
}

std::vector<Lowering::Indices> Lowering::groups() const {
  std::vector<Indices> groups;
  std::map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < amounts_.size(); ++i) {
    const auto [group, is_new] = known.emplace(amounts_[i].group, groups.size());
    if (is_new) groups.emplace_back();
    groups[group->second].push_back(i);
  }
  return groups;
}

std::vector<Lowering::Indices> Lowering::units(const Indices& group) const {
  std::map<Quantity, Indices> equal;
  for (const std::size_t i : group) equal[amounts_[i].value].push_back(i);
  std::vector<Indices> units;
  for (const auto& [value, indices] : equal) {
    if (indices.size() > 1) units.push_back(indices);
  }
  for (const std::size_t i : group) units.push_back({i});
  return units;
}

}  // namespace touchstone::fuzz
