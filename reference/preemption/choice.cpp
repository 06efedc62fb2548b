#include <algorithm>

#include "reference/preemption/preempt.hpp"

/// The choice among the candidates.
namespace touchstone::reference {

namespace {

/// PRE-NODE-3: added to each priority. The result is never negative, so more victims never look cheaper.
constexpr Quantity k_priority_offset = 2147483648;

/// The first criterion in which two candidates differ; PRE-NODE-6 if they differ in none.
std::string_view deciding_clause(const Rank& a, const Rank& b) {
  if (a.pdb_violations != b.pdb_violations) return "PRE-NODE-1";
  if (a.first_priority != b.first_priority) return "PRE-NODE-2";
  if (a.priority_sum != b.priority_sum) return "PRE-NODE-3";
  if (a.victims != b.victims) return "PRE-NODE-4";
  return a.earliest_start != b.earliest_start ? "PRE-NODE-5" : "PRE-NODE-6";
}

/// Records in the trace the values of each candidate, and the criterion by which it lost. For the best
/// candidates, records the last criterion that was needed.
void trace_ladder(const Cycle& cycle, const std::vector<Candidate>& candidates,
                  const std::vector<std::size_t>& best) {
  const Candidate& first = candidates[best.front()];
  const Rank best_rank = rank_of(cycle.cluster, first, cycle.release);
  const auto fell_at = [&](const Candidate& candidate) -> std::string_view {
    if (first.victims.empty() && !candidate.victims.empty()) return "PRE-VICTIM-8";
    return deciding_clause(rank_of(cycle.cluster, candidate, cycle.release), best_rank);
  };
  std::string_view decided;
  for (const Candidate& candidate : candidates) {
    if (&candidate != &first) decided = std::max(decided, fell_at(candidate));
  }
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const Candidate& candidate = candidates[i];
    const Rank rank = rank_of(cycle.cluster, candidate, cycle.release);
    const bool is_best = std::find(best.begin(), best.end(), i) != best.end();
    const std::string_view clause = is_best ? decided : fell_at(candidate);
    Values values = {{Measure::pdb_violations, rank.pdb_violations},
                     {Measure::first_priority, rank.first_priority},
                     {Measure::priority_sum, rank.priority_sum},
                     {Measure::victims, rank.victims}};
    if (rank.earliest_start) values.emplace_back(Measure::earliest_start, *rank.earliest_start);
    cycle.trace.add(
        {Stage::choice, clause, is_best, is_best ? "best" : "falls", candidate.node, {}, std::move(values)});
  }
}

}  // namespace

Rank rank_of(const Cluster& cluster, const Candidate& candidate, const Release& release) {
  Rank rank;
  rank.pdb_violations = candidate.pdb_violations;                  // PRE-NODE-1
  rank.victims = static_cast<Quantity>(candidate.victims.size());  // PRE-NODE-4
  if (candidate.victims.empty()) return rank;
  rank.first_priority = cluster.pods[candidate.victims.front()].priority;  // PRE-NODE-2

  Quantity highest = rank.first_priority;
  for (const PodIndex i : candidate.victims) {
    const Quantity priority = cluster.pods[i].priority;
    rank.priority_sum += priority + k_priority_offset;  // PRE-NODE-3
    if (priority > highest) highest = priority;
  }
  if (!release.choice_by_start_time) return rank;
  for (const PodIndex i : candidate.victims) {  // PRE-NODE-5
    const Pod& victim = cluster.pods[i];
    if (victim.priority != highest || !victim.start_time_ns) continue;
    if (!rank.earliest_start || *victim.start_time_ns < *rank.earliest_start)
      rank.earliest_start = victim.start_time_ns;
  }
  return rank;
}

bool beats(const Rank& a, const Rank& b) {
  if (a.pdb_violations != b.pdb_violations) return a.pdb_violations < b.pdb_violations;
  if (a.first_priority != b.first_priority) return a.first_priority < b.first_priority;
  if (a.priority_sum != b.priority_sum) return a.priority_sum < b.priority_sum;
  if (a.victims != b.victims) return a.victims < b.victims;
  if (!b.earliest_start) return false;
  return !a.earliest_start || *a.earliest_start > *b.earliest_start;
}

std::vector<std::size_t> best_candidates(const Cycle& cycle, const std::vector<Candidate>& candidates) {
  const auto is_empty = [](const Candidate& candidate) { return candidate.victims.empty(); };
  const bool some_empty = std::any_of(candidates.begin(), candidates.end(), is_empty);
  if (candidates.size() == 1) return {0};
  if (some_empty && cycle.release.no_victims_left != NoVictimsLeft::wins) return {};  // PRE-VICTIM-8

  std::vector<std::size_t> best;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (some_empty && !is_empty(candidates[i])) continue;  // PRE-VICTIM-8: an empty victim list wins at once
    const Rank rank = rank_of(cycle.cluster, candidates[i], cycle.release);
    if (best.empty()) {
      best = {i};
      continue;
    }
    const Rank best_rank = rank_of(cycle.cluster, candidates[best.front()], cycle.release);
    if (beats(best_rank, rank)) continue;
    if (beats(rank, best_rank)) best.clear();
    best.push_back(i);
  }
  if (cycle.trace.enabled()) trace_ladder(cycle, candidates, best);
  return best;
}

}  // namespace touchstone::reference
