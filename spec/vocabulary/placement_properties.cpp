#include "spec/vocabulary/placement_properties.hpp"

#include <algorithm>
#include <set>

namespace touchstone {

namespace {

/// A placement, the input that it is checked against, and the laws that it breaks.
struct PlacementTrial {
  const Question& question;
  const Release& release;
  const Placement& placement;
  std::vector<BrokenLaw> broken;

  void demand(bool holds, std::string_view clause, const std::string& text) {
    if (!holds) broken.push_back({clause, text});
  }
};

/// CYC-SEARCH-1, CYC-SEARCH-2, CYC-NOMINATED-1: which nodes may be feasible. No node is found twice.
void check_search(PlacementTrial& trial) {
  const std::vector<NodeIndex>& feasible = trial.placement.feasible;
  const std::vector<Node>& nodes = trial.question.cluster.nodes;
  const std::set<NodeIndex> distinct(feasible.begin(), feasible.end());
  trial.demand(distinct.size() == feasible.size(), "CYC-SEARCH-2", "a node is found twice");
  trial.demand(feasible.size() <= nodes.size(), "CYC-SEARCH-1", "more nodes are found than there are");
  for (const NodeIndex node : feasible) {
    trial.demand(!trial.placement.decision.filter.contains(node), "CYC-SEARCH-2",
                 "feasible node " + nodes[node].name + " has a status");
    const bool is_nominated =
        trial.question.pod.node_name.empty() && trial.question.pod.nominated_node_name == nodes[node].name;
    trial.demand(!(is_nominated && trial.release.nominated_node_first) || feasible.size() == 1,
                 "CYC-NOMINATED-1", "the feasible nominated node is not the only one");
  }
}

/// CYC-ONE-1: whether nodes are scored.
void check_whether_scored(PlacementTrial& trial) {
  const bool is_scored = !trial.placement.totals.empty();
  const bool is_to_be = trial.placement.feasible.size() > 1 ||
                        (trial.release.one_node_is_scored && !trial.placement.feasible.empty());
  trial.demand(is_scored == is_to_be, "CYC-ONE-1", "one feasible node is scored, or several are not");
  trial.demand(is_scored || trial.placement.scores.empty(), "CYC-ONE-1", "scores without totals");
}

/// SCORE-SET-2: the range of a column, which the weight multiplies. Zones without pods break it in v1.8.
void check_range(PlacementTrial& trial, const ScoreColumn& column) {
  const std::string name(column.scorer.name);
  trial.demand(column.scores.size() == trial.placement.feasible.size(), "SCORE-SET-2",
               name + " does not score every feasible node");
  const bool may_break =
      column.scorer.scorer == Scorer::selector_spread && trial.release.zones_without_pods_break;
  const Quantity highest = trial.release.highest_score * column.scorer.weight;
  for (const Quantity score : column.scores)
    trial.demand(may_break || (score >= 0 && score <= highest), "SCORE-SET-2", name + " leaves its range");
}

/// SCORE-NORMAL-1, SCORE-NORMAL-2, SCORE-AFFINITY-3, SCORE-SPREAD-5, SCORE-SPREAD-6: a normalised column has
/// the score of one end of its range.
void check_ends(PlacementTrial& trial, const ScoreColumn& column) {
  const auto has = [&column](Quantity score) {
    return std::find(column.scores.begin(), column.scores.end(), score) != column.scores.end();
  };
  const auto all_are = [&column](Quantity score) {
    return std::count(column.scores.begin(), column.scores.end(), score) ==
           static_cast<std::ptrdiff_t>(column.scores.size());
  };
  const Quantity highest = trial.release.highest_score * column.scorer.weight;
  switch (column.scorer.scorer) {
    case Scorer::node_affinity:
      return trial.demand(has(highest) || all_are(0), "SCORE-NORMAL-1",
                          "the node with the largest raw score does not have the highest score");
    case Scorer::taint_toleration:
      return trial.demand(has(0) || all_are(highest), "SCORE-NORMAL-2",
                          "the node with the largest raw score does not have 0");
    case Scorer::inter_pod_affinity:
      return trial.demand(all_are(0) || has(highest) || trial.release.affinity_score_from_zero,
                          "SCORE-AFFINITY-3", "no node has the highest score");
    case Scorer::pod_topology_spread:
      return trial.demand(all_are(0) || has(highest),
                          trial.release.spread_score_by_domains ? "SCORE-SPREAD-6" : "SCORE-SPREAD-5",
                          "the node with the least raw score does not have the highest score");
    default:
      return;
  }
}

/// CYC-TOTAL-1: a total is the sum of the columns.
void check_totals(PlacementTrial& trial) {
  const Placement& placement = trial.placement;
  for (std::size_t i = 0; i < placement.totals.size(); ++i) {
    Quantity sum = trial.release.scorers.empty() ? 1 : 0;
    for (const ScoreColumn& column : placement.scores) sum += column.scores[i];
    trial.demand(placement.totals[i] == sum, "CYC-TOTAL-1", "a total is not the sum of the columns");
  }
}

/// CYC-HOST-1, CYC-HOST-2, CYC-HOST-3, CYC-HOST-4: the best nodes have the highest total, and the host is one
/// of them.
void check_host(PlacementTrial& trial) {
  const Placement& placement = trial.placement;
  const std::vector<NodeIndex>& best = placement.best;
  trial.demand(placement.host && std::find(best.begin(), best.end(), *placement.host) != best.end(),
               "CYC-HOST-3", "the host is not one of the best nodes");
  if (placement.totals.empty())
    return trial.demand(best == placement.feasible, "CYC-ONE-1", "the best node is not the feasible one");
  const Quantity highest = *std::max_element(placement.totals.begin(), placement.totals.end());
  std::vector<NodeIndex> expected;
  for (std::size_t i = 0; i < placement.totals.size(); ++i) {
    if (placement.totals[i] == highest) expected.push_back(placement.feasible[i]);
  }
  std::sort(expected.begin(), expected.end());
  if (trial.release.host_choice != HostChoice::heap_root || !trial.question.start)
    return trial.demand(best == expected, "CYC-HOST-3",
                        "the best nodes are not those with the highest total");
  const bool is_one = best.size() == 1 && std::count(expected.begin(), expected.end(), best.front()) == 1;
  trial.demand(is_one, "CYC-HOST-4", "the root of the heap does not have the highest total");
}

}  // namespace

std::vector<BrokenLaw> broken_laws(const Question& question, const Release& release,
                                   const Placement& placement) {
  if (placement.decision.outcome != Outcome::fits) return {};
  PlacementTrial trial{question, release, placement, {}};
  check_search(trial);
  check_whether_scored(trial);
  for (const ScoreColumn& column : placement.scores) {
    check_range(trial, column);
    check_ends(trial, column);
  }
  check_totals(trial);
  check_host(trial);
  return trial.broken;
}

}  // namespace touchstone
