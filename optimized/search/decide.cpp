#include "optimized/search/decide.hpp"

#include <algorithm>
#include <limits>

#include "optimized/filters/not_handled.hpp"
#include "optimized/filters/spread.hpp"
#include "optimized/search/dry_run.hpp"
#include "optimized/search/extenders.hpp"
#include "optimized/search/first_pass.hpp"
#include "optimized/search/search.hpp"

namespace touchstone::optimized {

namespace {

/// PRE-OUTCOME-1
std::vector<PodIndex> cleared_nominations(const Query& query, const Answer& answer) {
  std::vector<PodIndex> cleared;
  const Tables& tables = query.tables;
  if (!query.release.clears_lower_nominations) return cleared;
  const PodsOfNode pods = query.pods_of(answer.node);
  const auto is_terminating = [&pods](PodIndex victim) {
    const std::size_t row =
        static_cast<std::size_t>(std::find(pods.pod, pods.pod + pods.count, victim) - pods.pod);
    return (pods.flags[row] & k_terminating) != 0;
  };
  const bool all_terminating = std::all_of(answer.victims.begin(), answer.victims.end(), is_terminating);
  if (query.release.terminating_victims_clear_nothing && all_terminating) return cleared;
  for (const PodRow& row : tables.nodes.facts[answer.node].nominated) {
    if (row.priority < query.priority && !query.is_self(row.pod)) cleared.push_back(row.pod);
  }
  return cleared;
}

/// PRE-SPREAD-6
bool crashes_by_victims(const Query& query, NodeIndex node) {
  const PodsOfNode pods = query.pods_of(node);
  const std::size_t first = pods.first_below(query.priority);
  return query.spread->crashes(node, {pods.pod_class + first, pods.pod_class + pods.count});
}

void end(Outcome outcome, bool clears, Answer& answer) {
  answer.outcome = outcome;
  answer.nomination = clears ? Nomination::cleared : Nomination::kept;
}

/// The victims on these nodes.
std::vector<Candidate> candidates_on(const Query& query, const std::vector<NodeIndex>& nodes) {
  std::vector<Candidate> candidates;
  DryRun dry_run(query);
  for (const NodeIndex node : nodes) {
    dry_run.run(node, nullptr);
    candidates.push_back({node, dry_run.victims(), dry_run.rank().pdb_violations});
  }
  return candidates;
}

/// PRE-VICTIM-8
void crash(Answer& answer) {
  answer.reason = "a candidate without victims crashes the choice";
  end(Outcome::error, false, answer);
}

/// PRE-OUTCOME-1
void nominate(const Query& query, Candidate chosen, Answer& answer) {
  answer.outcome = Outcome::nominated;
  answer.nomination = Nomination::set;
  answer.node = chosen.node;
  answer.victims = std::move(chosen.victims);
  answer.pdb_violations = chosen.pdb_violations;
  answer.clears = cleared_nominations(query, answer);
}

/// EXT-PREEMPT-1, EXT-PREEMPT-2, EXT-ERROR-1, PRE-NODE-6, PRE-VICTIM-8: the choice among the candidates that
/// extenders leave of those on these nodes.
void conclude_with_extenders(const Query& query, const std::vector<NodeIndex>& nodes, Choices& choices,
                             Answer& answer) {
  ExtendedCandidates left = ask_about_victims(query, candidates_on(query, nodes));
  if (!left.not_handled.empty()) {
    answer.outcome = Outcome::skipped;
    answer.reason = std::move(left.not_handled);
    return;
  }
  if (!left.error.empty()) {
    answer.reason = std::move(left.error);
    return end(Outcome::error, false, answer);
  }
  if (left.candidates.empty()) {
    answer.reason = "no candidate node for preemption";
    return end(Outcome::none, false, answer);
  }
  answer.extended = best_of(query, left.candidates);
  if (answer.extended.empty()) return crash(answer);
  for (const Candidate& candidate : answer.extended) answer.admissible.push_back(candidate.node);
  nominate(query, answer.extended[choices.pick(answer.extended.size(), "PRE-NODE-6")], answer);
}

/// PRE-NODE-6, PRE-OUTCOME-1, PRE-OUTCOME-3, PRE-OUTCOME-5, PRE-VICTIM-8
void conclude(const Query& query, SearchResult result, Choices& choices, Answer& answer) {
  const Release& release = query.release;
  answer.dry_runs = result.dry_runs;
  if (!result.has_candidate) {
    const bool fails = release.node_error_fails_attempt && !result.error.empty();
    if (fails) answer.reason = result.error;
    return fails ? end(Outcome::error, false, answer)
                 : end(Outcome::none, release.no_candidate_clears, answer);
  }
  if (!query.extenders.empty()) return conclude_with_extenders(query, result.candidates, choices, answer);
  answer.admissible = std::move(result.best);
  const NodeIndex node = answer.admissible[choices.pick(answer.admissible.size(), "PRE-NODE-6")];
  nominate(query, candidates_on(query, {node}).front(), answer);
}

/// The first pass, with the answers of extenders. Where there are none, it is the whole first pass.
ExtendedNodes feasible_nodes(const Query& query, Workers& workers) {
  const auto search = [&query](const FirstPass& first_pass, NominatedNode nominated) {
    const bool is_tried_first = nominated == NominatedNode::first && query.release.nominated_node_first &&
                                query.nominated_node &&
                                first_pass.codes[*query.nominated_node] == NodeCode::fits;
    return FoundNodes{is_tried_first ? std::vector<NodeIndex>{*query.nominated_node} : first_pass.feasible};
  };
  const auto again = [&] { return filter_nodes(query, workers, NominatedNode::like_others); };
  return find_nodes(query, filter_nodes(query, workers), search, again);
}

}  // namespace

Answer decide(const Snapshot& snapshot, const Pod& preemptor, const Options& options, Workers& workers,
              Choices& choices) {
  Answer answer;
  const Query query(snapshot.tables(), preemptor, workers, options.extenders);
  answer.reason = not_handled(query);
  ExtendedNodes found;
  if (answer.reason.empty()) {
    found = feasible_nodes(query, workers);
    answer.reason = std::move(found.not_handled);
  }
  if (answer.reason.empty()) return decide(query, std::move(found.first_pass), options, workers, choices);
  answer.outcome = Outcome::skipped;
  return answer;
}

Answer decide(const Query& query, FirstPass first_pass, const Options& options, Workers& workers,
              Choices& choices) {
  Answer answer;
  const Release& release = query.release;
  answer.reason = first_pass.error;
  if (!answer.reason.empty()) {  // PRE-OUTCOME-4
    end(Outcome::error, release.attempt_error_clears, answer);
    return answer;
  }
  if (!first_pass.feasible.empty()) {  // PRE-CYCLE-1
    answer.outcome = Outcome::fits;
    answer.feasible = std::move(first_pass.feasible);
    return answer;
  }
  if (!release.preempts) {  // CYC-PROFILE-1
    end(Outcome::none, false, answer);
    return answer;
  }
  answer.reason = why_not_eligible(query, first_pass);
  if (!answer.reason.empty()) {
    end(Outcome::ineligible, false, answer);
    return answer;
  }
  const std::vector<NodeIndex> potential = potential_nodes(first_pass);
  if (potential.empty()) {  // PRE-POTENTIAL-2, PRE-PREFILTER-6, PRE-OUTCOME-2
    const std::vector<Filter>& after_claims = release.prefilters_after_claims;
    const bool is_lost =
        release.prefilter_rejection_errs && first_pass.rejected_by &&
        std::find(after_claims.begin(), after_claims.end(), *first_pass.rejected_by) == after_claims.end();
    end(Outcome::none, !is_lost && release.no_potential_node_clears, answer);
    return answer;
  }
  if (query.spread && std::any_of(potential.begin(), potential.end(),
                                  [&query](NodeIndex node) { return crashes_by_victims(query, node); })) {
    answer.reason = "a potential victim is in no domain that is counted: the scheduler crashes";
    end(Outcome::error, false, answer);
    return answer;
  }
  conclude(query, search_nodes(query, first_pass, potential, options, workers), choices, answer);
  return answer;
}

Answer decide(const Snapshot& snapshot, const Pod& preemptor, const Options& options, Workers& workers) {
  CanonicalChoices choices;
  return decide(snapshot, preemptor, options, workers, choices);
}

std::vector<Candidate> all_candidates(const Snapshot& snapshot, const Pod& preemptor, Workers& workers) {
  std::vector<Candidate> candidates;
  const Query query(snapshot.tables(), preemptor, workers);
  const FirstPass first_pass = filter_nodes(query, workers);
  DryRun dry_run(query);
  for (const NodeIndex node : potential_nodes(first_pass)) {
    if (first_pass.bounds[node] == k_hopeless) continue;
    if (dry_run.run(node, nullptr) == DryRunResult::candidate)
      candidates.push_back({node, dry_run.victims(), dry_run.rank().pdb_violations});
  }
  return candidates;
}

std::vector<Candidate> best_candidates(const Snapshot& snapshot, const Pod& preemptor, const Answer& answer) {
  if (answer.admissible.empty() || !answer.extended.empty()) return answer.extended;
  Workers workers(1);
  return candidates_on(Query(snapshot.tables(), preemptor, workers), answer.admissible);
}

}  // namespace touchstone::optimized
