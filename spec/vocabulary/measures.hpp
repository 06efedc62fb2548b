#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/vocabulary/quantity.hpp"

namespace touchstone {

/// What a number in a trace measures.
enum class Measure {
  // A filter, on one node.
  requested,    ///< by the preemptor, of one resource, in its unit; for PRE-FIT-1 in pods
  used,         ///< by the pods of the node
  allocatable,  ///< of the node
  port,         ///< the host port
  counted,      ///< matching pods in the domain of the node
  self,         ///< 1 if the constraint counts the preemptor too
  least,        ///< matching pods in the domain that has the fewest
  max_skew,
  wanted,    ///< volumes that the preemptor needs attached in addition
  attached,  ///< volumes of the same driver or kind on the node
  of_pods,   ///< those of `attached` that pods of the node use
  limit,     ///< of volumes on the node
  // A score, on one node.
  size,      ///< of an image, times the share of the nodes that have it
  weight,    ///< of a term, or of a scorer
  score,     ///< of a part, or normalised; of the host its total
  weighted,  ///< the score times the weight of the scorer
  // The search and the dry run.
  number,  ///< of nodes, or of the first node that is visited
  quota,
  visited,
  left,  ///< disruptions that the budget has left
  removed,
  victims,
  pdb_violations,
  // The choice.
  first_priority,
  priority_sum,
  earliest_start,
  admissible,
};

/// A measure and its name in traces and answers.
struct MeasureName {
  Measure measure;
  std::string_view name;
};
inline constexpr std::array<MeasureName, 27> k_measures = {{
    {Measure::requested, "requested"},
    {Measure::used, "used"},
    {Measure::allocatable, "allocatable"},
    {Measure::port, "port"},
    {Measure::counted, "counted"},
    {Measure::self, "self"},
    {Measure::least, "least"},
    {Measure::max_skew, "maxSkew"},
    {Measure::wanted, "wanted"},
    {Measure::attached, "attached"},
    {Measure::of_pods, "of pods"},
    {Measure::limit, "limit"},
    {Measure::size, "size"},
    {Measure::weight, "weight"},
    {Measure::score, "score"},
    {Measure::weighted, "weighted"},
    {Measure::number, "number"},
    {Measure::quota, "quota"},
    {Measure::visited, "visited"},
    {Measure::left, "left"},
    {Measure::removed, "removed"},
    {Measure::victims, "victims"},
    {Measure::pdb_violations, "PDB violations"},
    {Measure::first_priority, "first victim's priority"},
    {Measure::priority_sum, "sum of priorities"},
    {Measure::earliest_start, "earliest start"},
    {Measure::admissible, "admissible"},
}};

constexpr bool has_a_name_for_each_measure() {
  for (std::size_t i = 0; i < k_measures.size(); ++i) {
    if (static_cast<std::size_t>(k_measures[i].measure) != i) return false;
  }
  return k_measures.size() == static_cast<std::size_t>(Measure::admissible) + 1;
}
static_assert(has_a_name_for_each_measure());

constexpr std::string_view name_of(Measure measure) {
  return k_measures[static_cast<std::size_t>(measure)].name;
}

/// Numbers that a filter or another step of the decision compared.
using Values = std::vector<std::pair<Measure, Quantity>>;

/// Requires: the values have this measure.
inline Quantity value_of(const Values& values, Measure measure) {
  const auto found = std::find_if(values.begin(), values.end(),
                                  [measure](const auto& value) { return value.first == measure; });
  assert(found != values.end());
  return found->second;
}

}  // namespace touchstone
