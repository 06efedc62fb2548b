#include "reference/cycle/schedule.hpp"

#include <algorithm>
#include <array>

#include "reference/cycle/host.hpp"
#include "reference/cycle/node_search.hpp"
#include "reference/extenders/extenders.hpp"
#include "reference/preemption/preempt.hpp"
#include "reference/scores/go_numbers.hpp"
#include "reference/scores/policy_scores.hpp"
#include "reference/scores/scores.hpp"
#include "reference/volumes/volumes.hpp"

namespace touchstone::reference {

namespace {

/// Whether the release scores the nodes that the search found.
bool is_scored(const Cycle& cycle, const Nodes& nodes) {
  if (cycle.release.one_node_is_scored) return true;  // CYC-ONE-1
  return nodes.size() > 1;
}

/// SCORE-SET-1: the columns of the scorers that are not skipped, multiplied by their weights.
std::vector<ScoreColumn> columns_of(const Cycle& cycle, const Nodes& nodes) {
  std::vector<ScoreColumn> columns;
  for (const WeightedScorer& scorer : cycle.release.scorers) {
    const Scores scores = run_weighted(scorer, cycle, nodes);
    if (!scores) continue;
    ScoreColumn& column = columns.emplace_back(ScoreColumn{scorer, {}});
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const Quantity score = (*scores)[i];
      column.scores.push_back(go_product(score, scorer.weight));
      cycle.trace.add({Stage::score,
                       "SCORE-SET-1",
                       true,
                       std::string(scorer.name),
                       nodes[i],
                       {},
                       {{Measure::score, score},
                        {Measure::weight, scorer.weight},
                        {Measure::weighted, column.scores.back()}}});
    }
  }
  return columns;
}

/// SCORE-SET-2: whether a score is below 0. Only amounts near the limits of 64 bits bring one there, when a
/// product wraps. The broken zones of v1.8 (SCORE-SELECTOR-3) are known, and left out.
bool out_of_range(const std::vector<ScoreColumn>& columns, const Release& release) {
  return std::any_of(columns.begin(), columns.end(), [&release](const ScoreColumn& column) {
    if (column.scorer.scorer == Scorer::selector_spread && release.zones_without_pods_break) return false;
    return std::any_of(column.scores.begin(), column.scores.end(), [](Quantity score) { return score < 0; });
  });
}

/// SCORE-CAPACITY-1: whether a choice that the scheduler makes at random, among several volumes or capacity
/// objects, could change a score.
bool storage_is_unclear(const Cycle& cycle, const Nodes& nodes) {
  return cycle.release.storage_is_scored && std::any_of(nodes.begin(), nodes.end(), [&cycle](NodeIndex node) {
           return !storage_use_is_clear(cycle, cycle.nodes[node]);
         });
}

/// CYC-TOTAL-1, EXT-SCORE-1: the total of each node. `of_extenders`: what extenders add.
std::vector<Quantity> totals_of(const Cycle& cycle, const Nodes& nodes,
                                const std::vector<ScoreColumn>& columns,
                                const std::vector<Quantity>& of_extenders) {
  if (cycle.release.scorers.empty() && cycle.extenders.empty()) return std::vector<Quantity>(nodes.size(), 1);
  std::vector<Quantity> totals = of_extenders;
  for (const ScoreColumn& column : columns) {
    for (std::size_t i = 0; i < nodes.size(); ++i) totals[i] = go_sum(totals[i], column.scores[i]);
  }
  return totals;
}

/// A placement that is not modelled.
Placement skipped(const std::string& reason) {
  Placement placement;
  placement.decision.outcome = Outcome::skipped;
  placement.decision.reason = reason;
  return placement;
}

/// The name of the choice among the best nodes, in the order of enum HostChoice.
constexpr std::array<std::string_view, 4> k_host_clauses = {"CYC-HOST-1", "CYC-HOST-2", "CYC-HOST-3",
                                                            "CYC-HOST-4"};

/// The clause that decides which node is the host. `of_ties`: the clause of the choice among best nodes.
std::string_view host_clause(const Cycle& cycle, const Placement& placement, std::string_view of_ties) {
  if (!placement.totals.empty())
    return best_nodes(placement.feasible, placement.totals).size() == 1 ? "CYC-TOTAL-1" : of_ties;
  return cycle.release.nominated_node_first && cycle.nominated_node == placement.host ? "CYC-NOMINATED-1"
                                                                                      : "CYC-ONE-1";
}

/// CYC-PROFILE-1: the error of a PreScore, or of the first scorer that lacks what its PreScore stores. Empty:
/// there is none.
std::string score_error(const Release& release) {
  if (!release.prescore_error.empty()) return release.prescore_error;
  if (release.scorers_without_state.empty()) return "";
  const auto errs = [&release](const WeightedScorer& scorer) {
    const std::vector<Scorer>& without_state = release.scorers_without_state;
    return std::find(without_state.begin(), without_state.end(), scorer.scorer) != without_state.end();
  };
  return error_without_prescore(*std::find_if(release.scorers.begin(), release.scorers.end(), errs));
}

/// A cycle that ends because of an error. PRE-OUTCOME-4.
Placement failed(const std::string& error, const Release& release) {
  Placement placement;
  placement.decision.outcome = Outcome::error;
  placement.decision.reason = error;
  placement.decision.message = error;
  placement.decision.nomination = release.attempt_error_clears ? Nomination::cleared : Nomination::kept;
  return placement;
}

/// The reason for which a cycle that finds feasible nodes is not modelled. Empty: it is. The search may end
/// before it visits the node on which a filter errs.
std::string not_modelled_search(const FirstPass& first_pass, const Question& question,
                                const Release& release) {
  const auto nodes = static_cast<Quantity>(question.cluster.nodes.size());
  const bool ends_early = nodes_to_find(nodes, release) < nodes;
  if (question.start && ends_early && !first_pass.error.empty()) return "start: a filter errs on a node";
  return "";
}

/// The cluster with the nodes that only extenders know. EXT-UNKNOWN-2.
Question with_unknown_nodes(const Cycle& cycle, Question question) {
  for (const std::string& name : unknown_nodes(cycle)) question.cluster.nodes.emplace_back().name = name;
  return question;
}

/// CYC-HOST-4: the best nodes from v1.35 on. `order_is_known`: whether the order of the search is.
Nodes best_of_heap(const Nodes& feasible, const std::vector<Quantity>& totals, const ExtendedScores& extended,
                   bool order_is_known) {
  const Nodes best = best_nodes(feasible, totals);
  Nodes drawn;
  std::copy_if(best.begin(), best.end(), std::back_inserter(drawn),
               [&extended](NodeIndex node) { return extended.with_entry.contains(node); });
  if (!drawn.empty()) return drawn;
  return order_is_known ? Nodes{heap_root(feasible, totals)} : best;
}

/// EXT-UNKNOWN-2, up to v1.16: each priority errs on each node that does not exist. InterPodAffinityPriority
/// looks at none. Those that spread pods read the labels of the node, and the scheduler crashes.
Placement failed_on_unknown_nodes(const Release& release, std::size_t unknown_nodes) {
  std::vector<std::string> errors;
  for (const WeightedScorer& each : release.scorers) {
    if (each.scorer == Scorer::inter_pod_affinity) continue;
    if (each.scorer == Scorer::selector_spread || each.scorer == Scorer::service_spread ||
        each.scorer == Scorer::service_anti_affinity) {
      Placement crash = failed("a score of a node that does not exist: the scheduler crashes", release);
      crash.decision.message.clear();
      return crash;
    }
    errors.insert(errors.end(), unknown_nodes, "node not found");
  }
  if (errors.empty()) return {};
  std::string text = errors.front();
  if (release.equal_errors_are_listed && errors.size() > 1) {
    for (std::size_t i = 1; i < errors.size(); ++i) text += ", " + errors[i];
    text = "[" + text + "]";
  }
  return failed(text, release);
}

/// EXT-UNKNOWN-2: the error of the first scorer that runs, about the first node that does not exist.
Placement failed_on_unknown_node(const Cycle& cycle, const Nodes& feasible, NodeIndex unknown) {
  const std::vector<WeightedScorer>& scorers = cycle.release.scorers;
  const auto first = std::find_if(scorers.begin(), scorers.end(), [&](const WeightedScorer& each) {
    return run_weighted(each, cycle, feasible).has_value();
  });
  if (first == scorers.end()) return {};
  const bool is_affinity = first->scorer == Scorer::inter_pod_affinity;
  const std::string name = node_name_at(cycle, unknown);
  std::string text = filled_in(cycle.release.text_unknown_scored_node, "$pod", cycle.pod.name);
  text = filled_in(text, "$plugin", first->name);
  text = filled_in(text, "$getting", is_affinity ? "failed to get" : "getting");
  return failed(filled_in(filled_in(text, "$node", name), "$node", name), cycle.release);
}

/// EXT-UNKNOWN-2: how scorers fail on nodes that do not exist. The outcome is not error if they do not.
Placement fail_on_unknown_nodes(const Cycle& cycle, const Nodes& feasible) {
  Nodes unknown;
  std::copy_if(feasible.begin(), feasible.end(), std::back_inserter(unknown),
               [&cycle](NodeIndex node) { return node >= cycle.known_nodes; });
  if (unknown.empty()) return {};
  switch (cycle.release.unknown_node_object) {
    case UnknownNodeObject::each_scorer_errs:
      return failed_on_unknown_nodes(cycle.release, unknown.size());
    case UnknownNodeObject::errs:
      return failed_on_unknown_node(cycle, feasible, unknown.front());
    default:
      return {};
  }
}

/// Scores the feasible nodes and finds the best. Requires: the search found more than one, or the release
/// scores one. `cycle`: as scorers see the cluster.
void score(const Cycle& cycle, const Nodes& feasible, bool order_is_known, Placement& placement) {
  const Release& release = cycle.release;
  if (const std::string error = score_error(release); !error.empty()) {
    placement = failed(error, release);
    return;
  }
  if (Placement on_unknown = fail_on_unknown_nodes(cycle, feasible);
      on_unknown.decision.outcome == Outcome::error) {
    placement = std::move(on_unknown);
    return;
  }
  if (storage_is_unclear(cycle, feasible)) {
    placement = skipped("VolumeBinding: a random choice of a volume or of a capacity decides a score");
    return;
  }
  if (service_is_unclear(cycle)) {  // POL-APART-1
    placement = skipped("ServiceAntiAffinity: a random choice among Services decides a score");
    return;
  }
  std::vector<ScoreColumn> columns = columns_of(cycle, feasible);
  if (out_of_range(columns, release)) {
    placement = skipped("scores: an amount is so large that a score leaves its range");
    return;
  }
  ExtendedScores extended = score_by_extenders(cycle, feasible);
  if (extended.unanswered) {
    placement = {};
    await(std::move(*extended.unanswered), placement.decision);
    return;
  }
  placement.totals = totals_of(cycle, feasible, columns, extended.scores);
  placement.scores = std::move(columns);
  placement.best = release.host_choice == HostChoice::heap_root
                       ? best_of_heap(feasible, placement.totals, extended, order_is_known)
                       : best_nodes(feasible, placement.totals);
  if (!cycle.extenders.empty()) placement.extender_scores = std::move(extended.scores);
}

}  // namespace

Placement schedule(const Question& question, const Release& release, Choices& choices, Trace& trace) {
  Cycle cycle(question, release, trace);
  if (const std::string reason = not_modelled(cycle); !reason.empty()) return skipped(reason);
  FirstPass first_pass = filter_nodes(cycle, search_order(cycle, question.start));
  if (const std::string reason = not_modelled_search(first_pass, question, release); !reason.empty())
    return skipped(reason);
  Placement placement;
  Decision& decision = placement.decision;
  // CYC-SEARCH-2, EXT-FILTER-1
  FoundNodes found = find_nodes(cycle, std::move(first_pass), question.start);
  if (found.search.is_by_chance)
    return skipped("start: the release visits the nodes of a PreFilter in a random order");
  if (found.unanswered) {
    await(std::move(*found.unanswered), decision);
    return placement;
  }
  placement.next_start = found.search.next_start;
  if (!found.first_pass.error.empty() || found.first_pass.feasible.empty()) {
    decision = decide(cycle, question, found.first_pass, choices);
    return placement;
  }

  const NodeSearch& search = found.search;
  decision.outcome = Outcome::fits;
  decision.filter = found.first_pass.status;
  std::erase_if(decision.filter, [&](const auto& each) { return !search.seen.contains(each.first); });
  if (release.unknown_nodes_have_statuses) decision.unknown_filter = found.first_pass.unknown_status;
  placement.unknown_nodes = unknown_nodes(cycle);
  placement.feasible = search.feasible;
  const bool all_are_known = found.first_pass.feasible.back() < cycle.nodes.size();
  std::copy_if(search.feasible.begin(), search.feasible.end(), std::back_inserter(decision.feasible),
               [&cycle](NodeIndex node) { return node < cycle.nodes.size(); });
  std::sort(decision.feasible.begin(), decision.feasible.end());

  if (is_scored(cycle, search.feasible)) {
    const bool order_is_known = question.start && search.in_order;
    if (all_are_known) {
      cycle.bare = std::move(found.bare);
      score(cycle, search.feasible, order_is_known, placement);
    } else {
      const Question extended = with_unknown_nodes(cycle, question);
      Cycle scored(extended, release, trace);
      scored.known_nodes = cycle.known_nodes;
      scored.bare = std::move(found.bare);
      score(scored, search.feasible, order_is_known, placement);
    }
    if (placement.decision.outcome != Outcome::fits) return placement;
  } else {
    placement.best = search.feasible;
  }
  const std::string_view clause = k_host_clauses[static_cast<std::size_t>(release.host_choice)];
  placement.host = placement.best[choices.pick(placement.best.size(), clause)];
  const auto ways = static_cast<Quantity>(placement.best.size());
  trace.add({Stage::host,
             host_clause(cycle, placement, clause),
             true,
             "host",
             *placement.host,
             {},
             {{Measure::admissible, ways}}});
  return placement;
}

Placement schedule(const Question& question, const Release& release, Trace& trace) {
  CanonicalChoices choices;
  return schedule(question, release, choices, trace);
}

Placement schedule(const Question& question, const Release& release) {
  Trace trace = Trace::none();
  return schedule(question, release, trace);
}

}  // namespace touchstone::reference
