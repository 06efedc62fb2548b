#include "reference/preemption/preempt.hpp"

/// The search: which potential nodes are visited, and which candidates are kept.
namespace touchstone::reference {

Quantity candidate_quota(Quantity potential_nodes, const ProfileRules& profile) {
  // PRE-SEARCH-2, CYC-PROFILE-3. Upstream computes this in 32 bits. No question has so many nodes that it
  // overflows there.
  Quantity quota = potential_nodes * profile.candidate_percentage / 100;
  if (quota < profile.candidates_least) quota = profile.candidates_least;
  if (quota > potential_nodes) quota = potential_nodes;
  return quota;
}

Quantity candidate_quota(Quantity potential_nodes) { return candidate_quota(potential_nodes, {}); }

std::vector<Candidate> find_candidates(const Cycle& cycle, const Question& question,
                                       const std::vector<NodeIndex>& potential, const FirstPass& first_pass,
                                       std::map<NodeIndex, Status>& statuses) {
  const std::size_t count = potential.size();
  // PRE-SEARCH-1: without an offset, and in releases that do not sample, all potential nodes are visited and
  // all candidates are kept.
  const bool sampled = cycle.release.candidate_sampling && question.offset;
  std::size_t start = 0;
  std::size_t quota = count;
  if (sampled) {
    const Quantity wanted =
        question.quota ? *question.quota : candidate_quota(static_cast<Quantity>(count), cycle.release);
    quota = static_cast<std::size_t>(wanted);
    start = static_cast<std::size_t>(*question.offset) % count;
    const Quantity first = static_cast<Quantity>(start);
    cycle.trace.add({Stage::search, "PRE-SEARCH-2", true, "sampled", {}, {}, {{Measure::quota, wanted}}});
    cycle.trace.add(
        {Stage::search, "PRE-SEARCH-3", true, "starts", potential[start], {}, {{Measure::number, first}}});
  }

  std::vector<Candidate> unviolating;
  std::vector<Candidate> violating;
  for (std::size_t i = 0; i < count; ++i) {
    const NodeIndex node = potential[(start + i) % count];  // PRE-SEARCH-3
    const DryRun dry_run = select_victims(cycle, node, first_pass.state_lost);
    if (!dry_run.status.ok()) {
      statuses[node] = dry_run.status;
      continue;
    }
    // PRE-SEARCH-5: a candidate is lost if its list is full.
    std::vector<Candidate>& list = dry_run.candidate.pdb_violations == 0 ? unviolating : violating;
    if (list.size() < quota) {
      list.push_back(dry_run.candidate);
    } else {
      cycle.trace.add({Stage::search, "PRE-SEARCH-5", false, "lost", node});
    }
    // PRE-SEARCH-4
    if (sampled && !unviolating.empty() && unviolating.size() + violating.size() >= quota) {
      const Quantity visited = static_cast<Quantity>(i + 1);
      cycle.trace.add({Stage::search, "PRE-SEARCH-4", true, "ends", node, {}, {{Measure::visited, visited}}});
      break;
    }
  }
  unviolating.insert(unviolating.end(), violating.begin(), violating.end());
  return unviolating;
}

}  // namespace touchstone::reference
