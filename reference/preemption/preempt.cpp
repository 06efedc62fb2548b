#include "reference/preemption/preempt.hpp"

#include <algorithm>
#include <array>

#include "reference/extenders/extenders.hpp"
#include "reference/filters/filters.hpp"
#include "spec/vocabulary/errors.hpp"

namespace touchstone::reference {

namespace {

/// PRE-OUTCOME-1: the pods that lose their nomination: those of lower priority nominated to the chosen node.
/// Some releases clear no nomination if every victim is terminating already.
std::vector<PodIndex> cleared_nominations(const Cycle& cycle, const Candidate& chosen) {
  std::vector<PodIndex> cleared;
  if (!cycle.release.clears_lower_nominations) return cleared;
  const bool all_terminating =
      std::all_of(chosen.victims.begin(), chosen.victims.end(),
                  [&cycle](PodIndex victim) { return cycle.cluster.pods[victim].terminating; });
  if (cycle.release.terminating_victims_clear_nothing && all_terminating) return cleared;
  for (const PodOnNode& other : cycle.nominated[chosen.node]) {
    if (other.object->priority < cycle.pod.priority) cleared.push_back(other.pod);
  }
  return cleared;
}

/// PRE-OUTCOME-5: the errors of the nodes whose dry run is an error. Empty: no dry run is an error.
std::string errors_of(const std::map<NodeIndex, Status>& statuses) {
  std::vector<std::string> errors;
  for (const auto& [node, status] : statuses) {
    if (status.code == Code::error) errors.push_back(status.reasons[0]);
  }
  return listed_errors(errors);
}

/// EXT-UNKNOWN-3: the release chooses among the candidates without victims, at random.
bool any_without_victims(const std::vector<Candidate>& candidates) {
  return std::any_of(candidates.begin(), candidates.end(),
                     [](const Candidate& each) { return each.victims.empty(); });
}

/// Finds the outcome from the result of the first pass: eligibility, potential nodes, search and choice.
void find_outcome(const Cycle& cycle, const Question& question, const FirstPass& first_pass, Choices& choices,
                  Decision& decision) {
  const Release& release = cycle.release;
  const auto end = [&](Outcome outcome, std::string_view clause, bool clears) {
    decision.outcome = outcome;
    decision.nomination = clears ? Nomination::cleared : Nomination::kept;
    cycle.trace.add({Stage::outcome, clause, false, clears ? "nomination cleared" : "nomination kept"});
  };

  decision.reason = first_pass.error;
  if (!first_pass.error.empty()) return end(Outcome::error, "PRE-OUTCOME-4", release.attempt_error_clears);
  if (!first_pass.feasible.empty()) {
    decision.outcome = Outcome::fits;
    return;
  }

  if (!release.preempts) return end(Outcome::none, "CYC-PROFILE-1", false);

  // PRE-ELIGIBLE-1 to PRE-ELIGIBLE-4
  decision.reason = why_not_eligible(cycle, first_pass);
  if (!decision.reason.empty()) return end(Outcome::ineligible, "PRE-OUTCOME-4", false);

  // PRE-POTENTIAL-2
  const std::vector<NodeIndex> potential = potential_nodes(cycle, first_pass);
  if (potential.empty() && claims_plugin_errs(first_pass, release))
    return end(Outcome::none, "PRE-PREFILTER-6", false);
  if (potential.empty()) return end(Outcome::none, "PRE-OUTCOME-2", release.no_potential_node_clears);

  for (const NodeIndex node : potential) {
    if (!spread_account_crashes(cycle, cycle.nodes[node], potential_victims(cycle, node))) continue;
    decision.reason = "a potential victim is in no domain that is counted: the scheduler crashes";
    return end(Outcome::error, "PRE-SPREAD-6", false);
  }

  decision.candidates = find_candidates(cycle, question, potential, first_pass, decision.dry_run);
  if (decision.candidates.empty()) {
    decision.reason = errors_of(decision.dry_run);
    if (release.node_error_fails_attempt && !decision.reason.empty())
      return end(Outcome::error, "PRE-OUTCOME-5", false);
    decision.reason.clear();
    return end(Outcome::none, "PRE-OUTCOME-3", release.no_candidate_clears);
  }
  if (!cycle.extenders.empty()) {  // EXT-PREEMPT-1
    ExtendedPreemption left = preempt_by_extenders(cycle, decision.candidates);
    decision.candidates = std::move(left.candidates);
    if (left.unanswered) return await(std::move(*left.unanswered), decision);
    if (!left.errors.empty()) {
      decision.reason = left.errors.front();
      decision.other_reasons.assign(left.errors.begin() + 1, left.errors.end());
      return end(Outcome::error, "EXT-ERROR-1", false);
    }
    if (left.has_unknown_node && any_without_victims(decision.candidates)) {
      decision = {};
      decision.outcome = Outcome::skipped;
      decision.reason = "extenders: a random choice between a node and one that does not exist";
      return;
    }
    if (left.has_unknown_node) return end(Outcome::none, "EXT-UNKNOWN-3", false);
    if (decision.candidates.empty()) {
      decision.reason = "no candidate node for preemption";  // PRE-MESSAGE-4
      return end(Outcome::none, "EXT-PREEMPT-2", false);
    }
  }
  conclude(cycle, choices, decision);
}

}  // namespace

bool claims_plugin_errs(const FirstPass& first_pass, const Release& release) {
  const std::vector<Filter>& after = release.prefilters_after_claims;
  return release.prefilter_rejection_errs && !first_pass.rejection.empty() &&
         std::find(after.begin(), after.end(), first_pass.rejected_by) == after.end();
}

void await(ExtenderCall call, Decision& decision) {
  decision = {};
  decision.outcome = Outcome::skipped;
  constexpr std::array<const char*, 3> k_verbs = {"filterVerb", "prioritizeVerb", "preemptVerb"};
  decision.reason = "extenders: the answer of extender " + std::to_string(call.extender) + " to its " +
                    k_verbs[static_cast<std::size_t>(call.verb)] + " is not known";
  decision.unanswered = std::move(call);
}

void conclude(const Cycle& cycle, Choices& choices, Decision& decision) {
  // PRE-NODE-1 to PRE-NODE-6
  decision.admissible = best_candidates(cycle, decision.candidates);
  if (decision.admissible.empty()) {  // PRE-VICTIM-8
    decision.outcome = Outcome::error;
    decision.reason = "a candidate without victims crashes the choice";
    decision.nomination = Nomination::kept;
    cycle.trace.add({Stage::outcome, "PRE-VICTIM-8", false, decision.reason});
    return;
  }
  std::sort(decision.admissible.begin(), decision.admissible.end(), [&](std::size_t a, std::size_t b) {
    return decision.candidates[a].node < decision.candidates[b].node;
  });
  decision.chosen = decision.admissible[choices.pick(decision.admissible.size(), "PRE-NODE-6")];

  // PRE-OUTCOME-1
  const Candidate& chosen = decision.candidates[decision.chosen];
  decision.outcome = Outcome::nominated;
  decision.nomination = Nomination::set;
  decision.clears = cleared_nominations(cycle, chosen);
  const Quantity ways = static_cast<Quantity>(decision.admissible.size());
  cycle.trace.add(
      {Stage::outcome, "PRE-OUTCOME-1", true, "nominated", chosen.node, {}, {{Measure::admissible, ways}}});
  for (const PodIndex pod : decision.clears)
    cycle.trace.add({Stage::outcome, "PRE-OUTCOME-1", false, "loses its nomination", chosen.node, pod});
}

Decision decide(const Cycle& cycle, const Question& question, const FirstPass& first_pass, Choices& choices) {
  Decision decision;
  decision.filter = first_pass.status;
  if (cycle.release.unknown_nodes_have_statuses) decision.unknown_filter = first_pass.unknown_status;
  for (const NodeIndex node : first_pass.feasible) {
    if (node < cycle.nodes.size()) decision.feasible.push_back(node);  // EXT-UNKNOWN-2
  }
  find_outcome(cycle, question, first_pass, choices, decision);
  if (!decision.unanswered) decision.message = message_of(cycle, first_pass, decision);
  return decision;
}

Decision preempt(const Question& question, const Release& release, Choices& choices, Trace& trace) {
  const Cycle cycle(question, release, trace);
  Decision decision;
  decision.reason = not_modelled(cycle);
  if (!decision.reason.empty()) {
    decision.outcome = Outcome::skipped;
    return decision;
  }
  // PRE-CYCLE-1, PRE-CYCLE-2, EXT-FILTER-1
  FoundNodes found = find_nodes(cycle, filter_nodes(cycle), std::nullopt);
  if (found.unanswered) {
    await(std::move(*found.unanswered), decision);
    return decision;
  }
  return decide(cycle, question, found.first_pass, choices);
}

Decision preempt(const Question& question, const Release& release, Trace& trace) {
  CanonicalChoices choices;
  return preempt(question, release, choices, trace);
}

Decision preempt(const Question& question, const Release& release) {
  Trace trace = Trace::none();
  return preempt(question, release, trace);
}

}  // namespace touchstone::reference
