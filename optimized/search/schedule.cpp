#include "optimized/search/schedule.hpp"

#include <algorithm>
#include <array>

#include "optimized/filters/not_handled.hpp"
#include "optimized/filters/volumes.hpp"
#include "optimized/scores/scorer.hpp"
#include "optimized/search/extenders.hpp"
#include "optimized/search/first_pass.hpp"
#include "optimized/search/host.hpp"
#include "optimized/search/kept_search.hpp"
#include "optimized/search/node_search.hpp"
#include "optimized/store/go_numbers.hpp"

namespace touchstone::optimized {

namespace {

Placed skipped(const std::string& reason) {
  Placed placed;
  placed.answer.outcome = Outcome::skipped;
  placed.answer.reason = reason;
  return placed;
}

/// The reason for which a cycle is not handled; empty: it is. Beside that of the filters, the scorers that
/// only a Policy has.
std::string cycle_not_handled(const Query& query) {
  const std::vector<WeightedScorer>& scorers = query.release.scorers;
  const bool some_are_of_policy =
      std::any_of(scorers.begin(), scorers.end(),
                  [](const WeightedScorer& scorer) { return scorer.scorer >= Scorer::service_spread; });
  if (some_are_of_policy) return std::string(k_left_to_reference) + "scorers of a Policy";
  return not_handled(query);
}

Placed out_of_range() { return skipped("scores: an amount is so large that a score leaves its range"); }

/// The error of a PreScore, or of the first scorer that lacks what its PreScore stores; empty: none.
/// CYC-PROFILE-1.
std::string score_error(const Release& release) {
  if (!release.prescore_error.empty()) return release.prescore_error;
  for (const WeightedScorer& scorer : release.scorers) {
    const std::vector<Scorer>& without = release.scorers_without_state;
    if (std::find(without.begin(), without.end(), scorer.scorer) == without.end()) continue;
    return error_without_prescore(scorer);
  }
  return "";
}

/// The columns of the scorers that are not skipped, multiplied by their weights. SCORE-SET-1.
std::vector<ScoreColumn> columns_of(const Query& query, Nodes feasible, Workers& workers) {
  std::vector<ScoreColumn> columns;
  for (const WeightedScorer& weighted : query.release.scorers) {
    const MadeScorer scorer = scorer_for(weighted.scorer, query, feasible, workers);
    if (!scorer) continue;
    std::vector<Quantity> scores(feasible.size());
    scorer->rate(feasible, scores.data());
    Extremes extremes;
    for (const Quantity raw : scores) extremes.add(raw);
    for (Quantity& score : scores) {
      const Quantity single = scaled(scorer->scaling(), score, extremes, query.release);
      score = go::product(single, weighted.weight);
    }
    columns.push_back({weighted, std::move(scores)});
  }
  return columns;
}

/// Whether an amount is so large that a score leaves its range. SCORE-SET-2.
bool is_out_of_range(const ScoreColumn& column, const Release& release) {
  if (column.scorer.scorer == Scorer::selector_spread && release.zones_without_pods_break) return false;
  return std::any_of(column.scores.begin(), column.scores.end(), [](Quantity score) { return score < 0; });
}

/// CYC-TOTAL-1, EXT-SCORE-1. `of_extenders`: what extenders add; empty: there are none.
std::vector<Quantity> totals_of(std::size_t nodes, const std::vector<ScoreColumn>& columns,
                                const std::vector<Quantity>& of_extenders, const Release& release) {
  std::vector<Quantity> totals = of_extenders;
  if (totals.empty()) totals.assign(nodes, release.scorers.empty() ? 1 : 0);
  for (const ScoreColumn& column : columns) {
    for (std::size_t i = 0; i < nodes; ++i) totals[i] = go::sum(totals[i], column.scores[i]);
  }
  return totals;
}

/// Whether a random choice of storage could change a score. SCORE-CAPACITY-1.
bool storage_is_unclear(const Query& query, Nodes feasible) {
  return query.release.storage_is_scored && query.volumes &&
         std::any_of(feasible.begin(), feasible.end(),
                     [&query](NodeIndex node) { return !query.volumes->storage_use_is_clear(node); });
}

/// CYC-HOST-4: leaves of the best nodes those that the release may choose from v1.35 on.
void choose_of_heap(bool has_order, const ExtenderScores& of_extenders, Placed& placed) {
  std::vector<NodeIndex> drawn;
  for (std::size_t i = 0; i < of_extenders.has_entry.size(); ++i) {
    if (of_extenders.has_entry[i] && placed.totals[i] == placed.highest) drawn.push_back(placed.feasible[i]);
  }
  std::sort(drawn.begin(), drawn.end());
  if (!drawn.empty()) {
    placed.best = std::move(drawn);
  } else if (has_order) {
    placed.best = {heap_root(placed.feasible, placed.totals)};
  }
}

/// Scores the nodes of `placed.feasible`, and finds the best ones. Returns false if the cycle ends otherwise:
/// then `placed` is the result. `has_order`: the order in which the release finds the nodes is known.
bool score(const Query& query, bool has_order, Workers& workers, Placed& placed) {
  const Release& release = query.release;
  if (std::string error = score_error(release); !error.empty()) {
    placed = {};
    placed.answer.outcome = Outcome::error;
    placed.answer.reason = std::move(error);
    placed.answer.nomination = release.attempt_error_clears ? Nomination::cleared : Nomination::kept;
    return false;
  }
  if (storage_is_unclear(query, placed.feasible)) {
    placed = skipped("VolumeBinding: a random choice of a volume or of a capacity decides a score");
    return false;
  }
  placed.scores = columns_of(query, placed.feasible, workers);
  if (std::any_of(placed.scores.begin(), placed.scores.end(),
                  [&release](const ScoreColumn& column) { return is_out_of_range(column, release); })) {
    placed = out_of_range();
    return false;
  }
  ExtenderScores of_extenders = ask_scores(query, placed.feasible);
  if (!of_extenders.not_handled.empty()) {
    placed = skipped(of_extenders.not_handled);
    return false;
  }
  placed.totals = totals_of(placed.feasible.size(), placed.scores, of_extenders.scores, release);
  placed.highest = *std::max_element(placed.totals.begin(), placed.totals.end());
  placed.best = best_nodes(placed.feasible, placed.totals);
  if (release.host_choice == HostChoice::heap_root) choose_of_heap(has_order, of_extenders, placed);
  placed.extender_scores = std::move(of_extenders.scores);
  return true;
}

constexpr std::array<std::string_view, 4> k_host_clauses = {"CYC-HOST-1", "CYC-HOST-2", "CYC-HOST-3",
                                                            "CYC-HOST-4"};

void choose_host(const Release& release, Choices& choices, Placed& placed) {
  const std::string_view clause = k_host_clauses[static_cast<std::size_t>(release.host_choice)];
  placed.host = placed.best[choices.pick(placed.best.size(), clause)];
}

/// PRE-MESSAGE-6: the error of the first node of the search on which a filter errs. Requires: there is one.
std::string first_error_of_search(const Query& query, const FirstPass& first_pass, Quantity start) {
  std::vector<NodeIndex> erring = search_order(query, start);
  std::erase_if(erring, [&](NodeIndex node) { return first_pass.codes[node] != NodeCode::errs; });
  return error_of_nodes(query, erring);
}

/// The cycle after the first pass. Fills every part, whether it is wanted or not.
Placed place(Query& query, FirstPass first_pass, const Options& options, Workers& workers, Choices& choices) {
  const bool ends_early = nodes_to_find(query.tables.live_nodes, query.release) < query.tables.live_nodes;
  if (options.start && ends_early && !first_pass.error.empty())
    return skipped("start: a filter errs on a node");
  const auto with_first_error = [&](FirstPass pass) {
    if (!pass.error.empty() && !erring_nodes(pass).empty())
      pass.error = first_error_of_search(query, pass, options.start.value_or(0));
    return pass;
  };
  const auto search = [&](const FirstPass& pass, NominatedNode nominated) {
    return found_nodes(query, pass, options.start, nominated);
  };
  const auto again = [&] {
    return with_first_error(filter_nodes(query, workers, NominatedNode::like_others));
  };
  ExtendedNodes extended = find_nodes(query, with_first_error(std::move(first_pass)), search, again);
  FoundNodes& found = extended.found;
  if (found.is_by_chance)
    return skipped("start: the release visits the nodes of a PreFilter in a random order");
  if (!extended.not_handled.empty()) return skipped(extended.not_handled);
  Placed placed;
  placed.next_start = found.next_start;
  if (found.nodes.empty()) {
    placed.answer = decide(query, std::move(extended.first_pass), options, workers, choices);
    return placed;
  }
  query.nodes_are_bare = extended.nodes_are_bare;
  placed.feasible = std::move(found.nodes);
  placed.answer.outcome = Outcome::fits;
  placed.answer.feasible = placed.feasible;
  std::sort(placed.answer.feasible.begin(), placed.answer.feasible.end());
  if (query.release.one_node_is_scored || placed.feasible.size() > 1) {  // CYC-ONE-1
    if (!score(query, options.start && found.in_order, workers, placed)) return placed;
  } else {
    placed.best = placed.feasible;
  }
  choose_host(query.release, choices, placed);
  return placed;
}

/// The cycle with a memo. No value: no node is feasible.
std::optional<Placed> place_with_memo(const Query& query, const Options& options, Workers& workers,
                                      Choices& choices, Memo& memo) {
  KeptSearch found = search_with_memo(query, options, workers, memo);
  if (found.feasible == 0) return std::nullopt;
  const bool is_scored = query.release.one_node_is_scored || found.feasible > 1;  // CYC-ONE-1
  if (is_scored && found.is_out_of_range) return out_of_range();
  Placed placed;
  placed.answer.outcome = Outcome::fits;
  placed.answer.feasible = found.nodes;
  std::sort(placed.answer.feasible.begin(), placed.answer.feasible.end());
  placed.feasible = std::move(found.nodes);
  placed.best = std::move(found.best);
  placed.next_start = found.next_start;
  if (is_scored) placed.highest = found.highest;
  if (is_scored && options.wants_scores) {
    placed.scores = columns_of(query, placed.feasible, workers);
    placed.totals = std::move(found.totals);
  }
  choose_host(query.release, choices, placed);
  return placed;
}

}  // namespace

Placed schedule(const Snapshot& snapshot, const Pod& pod, const Options& options, Workers& workers,
                Choices& choices) {
  Query query(snapshot.tables(), pod, workers, options.extenders);
  if (const std::string reason = cycle_not_handled(query); !reason.empty()) return skipped(reason);
  return place(query, filter_nodes(query, workers), options, workers, choices);
}

Placed schedule(const Snapshot& snapshot, const Pod& pod, const Options& options, Workers& workers,
                Choices& choices, Memo& memo) {
  Query query(snapshot.tables(), pod, workers, options.extenders);
  if (const std::string reason = cycle_not_handled(query); !reason.empty()) return skipped(reason);
  if (can_use_memo(query) && query.extenders.empty()) {
    std::optional<Placed> placed = place_with_memo(query, options, workers, choices, memo);
    if (placed) return *std::move(placed);
  }
  return place(query, filter_nodes(query, workers), options, workers, choices);
}

Placed schedule(const Snapshot& snapshot, const Pod& pod, const Options& options, Workers& workers) {
  CanonicalChoices choices;
  return schedule(snapshot, pod, options, workers, choices);
}

}  // namespace touchstone::optimized
