#pragma once

#include <limits>
#include <vector>

#include "optimized/search/rank.hpp"
#include "optimized/search/query.hpp"
#include "optimized/filters/resource_fit.hpp"

namespace touchstone::optimized {

/// A key that no candidate on a node beats, found without looking at its pods one by one. Two keys stand for
/// more: no candidate has them, and they come before and behind all others.
using Bound = Rank;
inline constexpr Bound k_no_bound = {-1, 0, 0, 0, 0, 0};  ///< nobody may have to go
inline constexpr Bound k_hopeless = {std::numeric_limits<Quantity>::max(), 0, 0, 0, 0, 0};  ///< no candidate

/// A node as it is, looked at once: what the first pass and the bound are both found by.
struct NodeAsIs {
  NodeAsIs(const Query& query, NodeIndex number);

  NodeIndex node;
  PodsOfNode pods;
  std::vector<PodRow> nominated;    ///< those that count
  std::uint32_t static_rejections;  ///< whatever runs there
  bool is_plain;                    ///< see is_plain()
  bool reach_is_known;  ///< nothing but a plain room's limits, affinity, spread and volumes rejects
  Rejections reach;     ///< where that is so: by affinity, spread and volumes
  // Where no number is extreme:
  Slack empty;  ///< without any bound pod
  Slack full;   ///< with all of them
};

/// The bound of a node.
///
/// Lemma (bound): let all pods of priority q or higher stay; if the preemptor then lacks cpu, memory or a
/// place among the pods, some pod of priority q or higher is a victim. For the pods that stay in the end
/// leave the preemptor enough of each, and fewer pods never take more of it, since no request is negative. So
/// the most important victim has at least the highest such q, and where that is the preemptor's own priority,
/// or a filter that does not look at pods rejects, the node is no candidate (PRE-VICTIM-3). Whatever else
/// rejects the preemptor can only add to that.
///
/// Lemma (key): of candidates that violate no PDB the first victim is the most important one, so its priority
/// is at least q. If it is q, all victims are of priority q or lower. Then there are at least as many as make
/// up for what lacks with every pod in place, if each freed as much as the largest of those does; each adds
/// at least the lowest priority of the node to the sum; and of the victims of priority q, which are all of
/// them if no pod has a lower one, and otherwise at least one, the earliest started no later than the last
/// but so many of that priority, since pods of one priority stand in the order of their start. So the key of
/// a candidate without violations is not below the bound, which has none; that of any other is above it.
///
/// Complexity: linear in the levels of priority on the node, beside what the filters cost that do not look at
/// pods.
Bound bound_of(const Query& query, const NodeAsIs& as_is);

}  // namespace touchstone::optimized
