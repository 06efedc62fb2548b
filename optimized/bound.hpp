#pragma once

#include <cstdint>
#include <limits>

#include "optimized/query.hpp"

namespace touchstone::optimized {

/// The lowest priority that the most important victim of a node can have; two values stand for more.
using Bound = std::int64_t;
inline constexpr Bound k_hopeless = std::numeric_limits<Bound>::max();  ///< it is no candidate
inline constexpr Bound k_no_bound = std::numeric_limits<Bound>::min();  ///< nobody may have to go

/// A bound found without looking at any pod.
///
/// Lemma (bound): let all pods of priority q or higher stay; if the preemptor then lacks cpu, memory or a
/// place among the pods, some pod of priority q or higher is a victim. For the pods that stay in the end
/// leave the preemptor enough of each, and fewer pods never take more of it, since no request is negative. So
/// the most important victim has at least the highest such q, and where that is the preemptor's own priority,
/// or a filter that does not look at pods rejects, the node is no candidate (PRE-VICTIM-3). Whatever else
/// rejects the preemptor can only add to that.
/// Complexity: linear in the levels of priority on the node, beside what the filters cost that do not look at
/// pods.
Bound bound_of(const Query& query, NodeIndex node);

}  // namespace touchstone::optimized
