#include "optimized/bound.hpp"

#include "optimized/dry_run.hpp"
#include "optimized/room.hpp"

namespace touchstone::optimized {

Bound bound_of(const Query& query, NodeIndex node) {
  if (query.static_rejections(node) != 0) return k_hopeless;
  // Lemma (nothing moves): where no pod of the node changes what affinity, spread and volumes count, and none
  // is nominated there, what they say of the node as it is they say throughout its dry run.
  if (is_plain(query, node) && !query.reach_rejections(node).none()) return k_hopeless;
  const PodsOfNode pods = query.pods_of(node);
  const std::size_t level = pods.level_below(query.priority);
  if (level == pods.levels && query.release.no_potential_victims == NoPotentialVictims::rejected)
    return k_hopeless;  // PRE-VICTIM-2
  if (query.is_extreme) return k_no_bound;
  const Slack empty = empty_slack(query, node, promised_of(query.counted_nominated(node)));
  if (!slack_before(pods, level, query, node, empty).fits()) return k_hopeless;
  const std::size_t stay = levels_that_stay(pods, level, query, node, empty);
  return stay == pods.levels ? k_no_bound : pods.level_priority[stay];
}

}  // namespace touchstone::optimized
