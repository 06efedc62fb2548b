#include "optimized/search/dry_run.hpp"

#include <algorithm>
#include <tuple>

namespace touchstone::optimized {

bool is_plain(const Query& query, NodeIndex node) {
  return query.others.empty() && query.ports.empty() && !query.is_extreme && !query.reaches_into(node);
}

std::string error_of_dry_run(const Query& query, NodeIndex node) {
  const PodsOfNode pods = query.pods_of(node);
  const std::vector<PodRow> nominated = query.counted_nominated(node);
  FullFit fit(query, node, pods, nominated);
  fit.take_all_from(pods.level_below(query.priority));
  return fit.error();
}

DryRunResult DryRun::run(NodeIndex node, const Rank* to_beat) {
  victims_.clear();
  rank_ = {};
  node_ = node;
  const PodsOfNode pods = query_.pods_of(node);
  const std::size_t level = pods.level_below(query_.priority);
  // PRE-VICTIM-2
  if (level == pods.levels && query_.release.no_potential_victims == NoPotentialVictims::rejected)
    return DryRunResult::none;
  const std::vector<PodRow> nominated = query_.counted_nominated(node);
  if (is_plain(query_, node)) {
    ResourceFit fit(query_, node, pods, nominated);
    return search(fit, pods, level, to_beat);
  }
  if (TopologyFit::suits(query_, nominated)) {
    TopologyFit fit(query_, node, pods, changes_);
    return search(fit, pods, level, to_beat);
  }
  FullFit fit(query_, node, pods, nominated);
  return search(fit, pods, level, to_beat);
}

template <typename NodeFit>
DryRunResult DryRun::search(NodeFit& fit, const PodsOfNode& pods, std::size_t level, const Rank* to_beat) {
  const std::size_t first = level == pods.levels ? pods.count : pods.level_first[level];
  fit.take_all_from(level);                                                      // PRE-VICTIM-1
  if (!fit.fits()) return fit.errs() ? DryRunResult::errs : DryRunResult::none;  // PRE-VICTIM-3
  if (query_.late_rejections(node_) != 0) return DryRunResult::none;             // PRE-VICTIM-3
  const Violations::Groups groups = violations_.find(pods, first);
  has_both_groups_ = !groups.violating.empty() && !groups.others.empty();
  // PRE-VICTIM-6
  const std::size_t back = groups.violating.empty() ? fit.put_levels_back(level) - first : 0;
  if (!reprieve(fit, pods, groups.violating, true, to_beat) ||
      !reprieve(fit, pods, groups.others.subspan(back), false, to_beat))
    return DryRunResult::beaten;
  if (victims_.empty()) return DryRunResult::no_victims;
  if (query_.release.choice_by_start_time) add_start(pods);
  return DryRunResult::candidate;
}

/// Reprieves a group pod by pod. Returns false once the node is known to rank behind `to_beat`.
///
/// Reads the priority of a victim from its level: a level has many pods, and its cells are in the cache
/// already.
template <typename NodeFit>
bool DryRun::reprieve(NodeFit& fit, const PodsOfNode& pods, Order order, bool is_violating,
                      const Rank* to_beat) {
  std::size_t level = 0;
  for (std::size_t at = fit.put_back_from(0, order); at < order.size();
       at = fit.put_back_from(at + 1, order)) {
    while (level + 1 < pods.levels && pods.level_first[level + 1] <= order[at]) ++level;
    add_victim(order[at], pods.level_priority[level], is_violating);
    if (to_beat != nullptr && is_beaten_by(*to_beat)) return false;
  }
  return true;
}

void DryRun::add_victim(std::uint32_t pod, Quantity priority, bool is_violating) {
  const bool is_first = victims_.empty();
  const bool is_most_important = is_first || pod < most_important_;
  if (is_most_important) most_important_ = pod;
  if (is_first || (is_most_important && query_.release.victims_sorted_again)) rank_.first_priority = priority;
  if (is_violating) rank_.pdb_violations += 1;  // PRE-PDB-8
  rank_.priority_sum += priority + k_priority_offset;
  rank_.victims += 1;
  victims_.push_back(pod);
}

/// Whether the node is known to rank behind `best`.
///
/// Lemma (victims only add up): more victims never lower the number of violations, the priority of the first
/// victim, the sum of priorities, or the number of victims. An offset makes every priority count as 0 or more
/// in the sum. The first victim stays the first; where victims are sorted again, only one of higher priority
/// replaces it. So if the victims found so far rank behind `best`, the final victims do too.
bool DryRun::is_beaten_by(const Rank& best) const {
  return std::tie(best.pdb_violations, best.first_priority, best.priority_sum, best.victims) <
         std::tie(rank_.pdb_violations, rank_.first_priority, rank_.priority_sum, rank_.victims);
}

/// Adds the start time to the rank. Clauses: PRE-NODE-5.
///
/// Lemma (first row): rows are ordered by importance, so the victim with the lowest row has the highest
/// priority of all victims. Every release that chooses by start time (from v1.15) also orders importance by
/// it. So this victim started no later than any other victim of its priority. If it has not started, none of
/// them has.
void DryRun::add_start(const PodsOfNode& pods) {
  if ((pods.flags[most_important_] & k_has_not_started) != 0) return;
  rank_.has_started = 1;
  rank_.earliest_start = ~pods.start[most_important_];
}

std::vector<PodIndex> DryRun::victims() const {
  std::vector<std::uint32_t> rows = victims_;
  const PodsOfNode pods = query_.pods_of(node_);
  const auto row = [&pods](std::uint32_t i) {
    PodRow of;
    of.priority = pods.priority[i];
    of.start = pods.start[i];
    of.pod = pods.pod[i];
    of.flags = pods.flags[i];
    return of;
  };
  const Tables& tables = query_.tables;
  if (tables.release.victims_sorted_again && has_both_groups_) {
    std::stable_sort(rows.begin(), rows.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return outranks(row(a), row(b), tables); });
    // PRE-VICTIM-5: each sort reverses the unstarted pods, or puts them in the order of the cluster's list.
    for (auto from = rows.begin(); from != rows.end();) {
      const auto ends = [&](std::uint32_t i) {
        return !row(i).is_unstarted() || outranks(row(*from), row(i), tables);
      };
      const auto to = std::find_if(from, rows.end(), ends);
      if (tables.release.unstarted_order == UnstartedOrder::reversed) {
        std::reverse(from, to);
      } else {
        std::sort(from, to, [&](std::uint32_t a, std::uint32_t b) { return pods.pod[a] < pods.pod[b]; });
      }
      from = to == from ? from + 1 : to;
    }
  }
  std::vector<PodIndex> victims;
  for (const std::uint32_t i : rows) victims.push_back(pods.pod[i]);
  return victims;
}

}  // namespace touchstone::optimized
