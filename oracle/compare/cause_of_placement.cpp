#include "oracle/compare/cause_of_placement.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "oracle/compare/cause.hpp"
#include "oracle/explain/score_text.hpp"
#include "oracle/protocol/answer_parts.hpp"

namespace touchstone::oracle {

namespace {

constexpr std::array<std::string_view, 4> k_clauses_of_host = {"CYC-HOST-1", "CYC-HOST-2", "CYC-HOST-3",
                                                               "CYC-HOST-4"};

/// The clause that says when a scorer is skipped; empty: it never is.
std::string_view clause_of_skipping(Scorer scorer) {
  switch (scorer) {
    case Scorer::balanced_allocation:
      return "SCORE-BALANCED-4";
    case Scorer::node_affinity:
      return "SCORE-NODEAFFINITY-2";
    case Scorer::pod_topology_spread:
      return "SCORE-SPREAD-7";
    case Scorer::inter_pod_affinity:
      return "SCORE-AFFINITY-4";
    case Scorer::volume_capacity:
      return "SCORE-CAPACITY-1";
    default:
      return "";
  }
}

/// The clause for a score that differs: that of the scorer, or that of the set of scorers.
std::string clause_of_score(const Difference& difference, const Release& release) {
  const std::string name = scorer_in(difference);
  const auto is_zero = [](const std::string& value) { return value == "null" || value == "0"; };
  const bool is_skipped = is_zero(difference.given) && is_zero(difference.ours);
  for (const WeightedScorer& each : release.scorers) {
    if (each.name != name) continue;
    const std::string_view skipping = clause_of_skipping(each.scorer);
    return std::string(is_skipped && !skipping.empty() ? skipping : clause_of(each.scorer, release));
  }
  return "SCORE-SET-1";
}

/// The clause for feasible nodes that differ, although no filter rejects one of them.
std::string clause_of_search(const Question& question, const Json& given, const Json& ours) {
  if (given.size() == 1 && given[0] == question.pod.nominated_node_name) return "CYC-NOMINATED-1";
  if (ours.size() == 1 && ours[0] == question.pod.nominated_node_name) return "CYC-NOMINATED-1";
  return given.size() == ours.size() ? "CYC-SEARCH-2" : "CYC-SEARCH-1";
}

}  // namespace

std::string scorer_in(const Difference& difference) {
  constexpr std::string_view k_scores = "scores.";
  if (!difference.key.starts_with(k_scores)) return "";
  // Names of nodes may have dots; names of scorers have none.
  return difference.key.substr(difference.key.rfind('.') + 1);
}

std::string clause_of_placement(const Asked& asked, const Release& release, const Json& given,
                                const Difference& first) {
  const std::string kind = first.key.substr(0, first.key.find('.'));
  if (first.key == "scores") return "CYC-ONE-1";
  if (kind == "scores") return clause_of_score(first, release);
  if (kind == "totals") return "CYC-TOTAL-1";
  if (kind == "nextStart") return "CYC-SEARCH-4";
  if (kind == "best" || kind == "node" || kind == "chosen" || kind == "observed")
    return std::string(k_clauses_of_host[static_cast<std::size_t>(release.host_choice)]);
  Json as_run = given;
  if (as_run.value("outcome", Json()) == "scheduled") as_run["outcome"] = "fits";
  const TracedDecision own(asked.question, release, as_run);
  if (own.decision().outcome == Outcome::skipped) return "not modelled: scores";
  const std::string clause = own.clause_of(first, as_run);
  if (kind != "feasible" || clause != "PRE-CYCLE-1") return clause;
  return clause_of_search(asked.question, Json::parse(first.given), Json::parse(first.ours));
}

}  // namespace touchstone::oracle
