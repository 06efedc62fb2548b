#include "oracle/explain/shown_decision.hpp"

#include <algorithm>
#include <map>

#include "optimized/search/decide.hpp"
#include "oracle/explain/explainer.hpp"
#include "oracle/protocol/engines.hpp"
#include "reference/preemption/preempt.hpp"

namespace touchstone::oracle {

namespace {

/// Fills the candidates in the order of the reference's list: those without PDB violations come first. On
/// each other node, the reference finds out why the node is not a candidate.
void put_candidates(const reference::Cycle& cycle, const reference::FirstPass& first_pass,
                    const std::vector<Candidate>& candidates, Decision& decision) {
  std::map<NodeIndex, Candidate> found;
  for (const Candidate& candidate : candidates) found[candidate.node] = candidate;
  for (const NodeIndex node : reference::potential_nodes(cycle, first_pass)) {
    if (!found.contains(node)) {
      const reference::DryRun dry_run = reference::select_victims(cycle, node, first_pass.state_lost);
      if (!dry_run.status.ok()) {
        decision.dry_run[node] = dry_run.status;
        continue;
      }
      found[node] = dry_run.candidate;
    }
    decision.candidates.push_back(found[node]);
  }
  std::stable_partition(decision.candidates.begin(), decision.candidates.end(),
                        [](const Candidate& candidate) { return candidate.pdb_violations == 0; });
}

/// The candidates that are explained one by one.
std::vector<NodeIndex> nodes_shown(const Question& question, const Release& release, const Scope& scope,
                                   const Decision& decision) {
  if (scope.node) return {*scope.node};
  std::vector<NodeIndex> nodes = best_first(question.cluster, release, decision);
  nodes.resize(std::min(nodes.size(), k_candidates_shown));
  return nodes;
}

}  // namespace

Decision shown_decision(const Question& question, const Release& release, const Scope& scope, Engine engine,
                        Trace& trace) {
  std::vector<Candidate> candidates;
  const bool has_extenders = !question.extenders.empty() || !release.extenders.empty();
  if (engine == Engine::optimized && !scope.all && !question.offset && !has_extenders) {
    optimized::Workers workers;
    const optimized::Snapshot snapshot(question.cluster, release);
    if (optimized_answer(snapshot, question, workers).outcome == Outcome::nominated)
      candidates = optimized::all_candidates(snapshot, question.pod, workers);
  }
  if (candidates.empty()) return reference::preempt(question, release, trace);

  const reference::Cycle cycle(question, release, trace);
  const reference::FirstPass first_pass = reference::filter_nodes(cycle);
  Decision decision;
  decision.filter = first_pass.status;
  decision.reason = reference::why_not_eligible(cycle, first_pass);
  put_candidates(cycle, first_pass, candidates, decision);
  CanonicalChoices choices;
  reference::conclude(cycle, choices, decision);
  decision.message = reference::message_of(cycle, first_pass, decision);
  for (const NodeIndex node : nodes_shown(question, release, scope, decision)) {
    const auto is_there = [node](const Candidate& candidate) { return candidate.node == node; };
    if (std::any_of(candidates.begin(), candidates.end(), is_there))
      reference::select_victims(cycle, node, first_pass.state_lost);
  }
  return decision;
}

}  // namespace touchstone::oracle
