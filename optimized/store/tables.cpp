#include "optimized/store/tables.hpp"

#include <algorithm>

namespace touchstone::optimized {

Quantity amount_of(const std::vector<Amount>& amounts, Symbol resource) {
  const auto place =
      std::lower_bound(amounts.begin(), amounts.end(), resource,
                       [](const Amount& each, Symbol wanted) { return each.resource < wanted; });
  return place != amounts.end() && place->resource == resource ? place->amount : 0;
}

std::uint32_t features_of(const std::vector<std::string>& names, const Release& release) {
  std::uint32_t features = 0;
  for (std::size_t i = 0; i < release.node_features.size(); ++i) {
    if (std::find(names.begin(), names.end(), release.node_features[i]) != names.end())
      features |= std::uint32_t{1} << i;
  }
  return features;
}

bool outranks(const PodRow& a, const PodRow& b, const Tables& tables) {
  const Release& release = tables.release;
  if (a.priority != b.priority) return a.priority > b.priority;
  if (!release.importance_by_start_time) return false;
  if (a.start != b.start) return a.start < b.start;
  if (a.is_unstarted() != b.is_unstarted()) return b.is_unstarted();
  return release.importance_by_uid && tables.names.uid(a.pod) < tables.names.uid(b.pod);
}

bool is_more_important(const PodRow& a, const PodRow& b, const Tables& tables) {
  if (outranks(a, b, tables)) return true;
  if (outranks(b, a, tables)) return false;
  // PRE-VICTIM-5
  const bool is_reversed = a.is_unstarted() && tables.release.unstarted_order == UnstartedOrder::reversed;
  return is_reversed ? a.pod > b.pod : a.pod < b.pod;
}

}  // namespace touchstone::optimized
