#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kubernetes/text/json.hpp"
#include "spec/releases/release.hpp"

/// The entries of the lists `predicates` and `priorities` of a Policy.
namespace touchstone::kubernetes {

/// The first release that begins its messages about priorities with a small letter.
inline constexpr int k_small_letters_of_priorities = 20;

/// The argument of a predicate or of a priority; nothing if it has none. `what`: "predicate" or "priority".
/// `kinds`: the kinds of arguments, of which it must have one. Errors: throws InvalidInput
/// (refused-configuration). Clauses: POL-REFUSED-1, POL-REFUSED-2.
std::optional<Value> only_argument(const Value& entry, const std::string& what,
                                   std::initializer_list<std::string_view> kinds, const Release& release);

/// The weight of a priority. Errors: throws InvalidInput (refused-configuration). Clauses: POL-REFUSED-1.
Quantity weight_of_priority(const Value& entry, const Release& release);

/// Refuses a predicate or a priority that a release does not know. Errors: always throws InvalidInput
/// (refused-configuration); not-supported, if a feature gate is set that is not modelled.
[[noreturn]] void refuse_unknown_entry(const Value& entry, const std::string& what, const Release& release);

/// Sets the shape and the resources of a scorer that has the argument requestedToCapacityRatioArguments.
/// Errors: throws InvalidInput (refused-configuration); not-supported, for weights that are not modelled.
/// Clauses: POL-RATIO-1.
void read_ratio(const Value& entry, const Value& arguments, const Release& release, WeightedScorer& scorer);

}  // namespace touchstone::kubernetes
