#include "optimized/search/bound.hpp"

#include <algorithm>

#include "optimized/filters/volumes.hpp"
#include "optimized/search/dry_run.hpp"

namespace touchstone::optimized {

namespace {

/// The least number of pods that free enough, if each frees at most `most`. Ensures: not more than the number
/// that is really needed; 0 if nothing is lacking. Requires: `most` is positive if something is lacking.
Quantity at_least(Quantity slack, Quantity most) {
  if (slack >= 0) return 0;
  return (-slack - 1) / most + 1;
}

/// The bound of a node where some pod of level `level` or a higher level has to be a victim: the preemptor
/// does not fit with all pods, but with those of the levels before `level`. So those from `level` on request
/// what is lacking, and removing all of them is enough. Lemma (key).
Bound bound_from(const PodsOfNode& pods, std::size_t level, const Slack& full, const Release& release) {
  const Quantity victims = std::max(
      {at_least(full.cpu, pods.cpu_most[level]), at_least(full.memory, pods.memory_most[level]), -full.pods});
  Bound bound;
  bound.first_priority = pods.level_priority[level];
  bound.priority_sum = victims * (pods.level_priority[pods.levels - 1] + k_priority_offset);
  bound.victims = victims;
  if (!release.choice_by_start_time) return bound;
  const std::size_t first = pods.count - static_cast<std::size_t>(victims);
  if ((pods.flags[first] & k_has_not_started) != 0) return bound;
  bound.has_started = 1;
  bound.earliest_start = ~pods.start[first];
  return bound;
}

}  // namespace

UnchangedNode::UnchangedNode(const Query& query, NodeIndex number)
    : node(number),
      pods(query.pods_of(number)),
      nominated(query.counted_nominated(number)),
      static_rejections(query.static_rejections(number)),
      is_plain(optimized::is_plain(query, number)),
      simple_filters_suffice(is_plain || TopologyFit::suits(query, nominated)),
      empty(query.is_extreme ? Slack{} : empty_slack(query, number, promised_of(nominated))),
      full(query.is_extreme ? Slack{} : slack_before(pods, pods.levels, empty)) {
  if (simple_filters_suffice) reach = query.reach_rejections(number);
}

Bound bound_of(const Query& query, const UnchangedNode& as_is) {
  // A filter before a late rejection may return an error in the dry run. So may one that runs before
  // NodeResourcesFit.
  const bool may_err = query.volumes && query.volumes->may_err();
  const bool is_rejected_late = as_is.static_rejections != 0 && query.are_late(as_is.static_rejections);
  if (is_rejected_late && may_err) return k_no_bound;
  if (as_is.static_rejections != 0) return k_hopeless;
  // Lemma (nothing moves): suppose that no pod of the node changes what affinity, spread and volumes count,
  // and that no pod is nominated to the node. Then these filters return the same throughout the dry run as on
  // the unchanged node.
  if (as_is.is_plain && !as_is.reach.none()) return k_hopeless;
  const PodsOfNode& pods = as_is.pods;
  const std::size_t level = pods.level_below(query.priority);
  if (level == pods.levels && query.release.no_potential_victims == NoPotentialVictims::rejected)
    return k_hopeless;  // PRE-VICTIM-2
  if (query.is_extreme) return k_no_bound;
  if (!slack_before(pods, level, as_is.empty).fits()) return may_err ? k_no_bound : k_hopeless;
  const std::size_t stay = levels_that_stay(pods, level, as_is.empty);
  if (stay == pods.levels) return k_no_bound;
  return bound_from(pods, stay, as_is.full, query.release);
}

}  // namespace touchstone::optimized
