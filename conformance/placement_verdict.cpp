#include "conformance/placement_verdict.hpp"

#include <algorithm>

#include "kubernetes/objects/question.hpp"
#include "oracle/compare/attribution.hpp"
#include "oracle/protocol/placement_answer.hpp"
#include "oracle/protocol/schedule_vectors.hpp"

namespace touchstone::conformance {

namespace {

bool is_object_of_integers(const Json& object) {
  return object.is_object() && std::all_of(object.begin(), object.end(),
                                           [](const Json& value) { return value.is_number_integer(); });
}

/// The clause with which a scorer's score begins.
std::string_view clause_of(Scorer scorer, const Release& release) {
  switch (scorer) {
    case Scorer::selector_spread:
      return "SCORE-SELECTOR-1";
    case Scorer::inter_pod_affinity:
      return "SCORE-AFFINITY-1";
    case Scorer::node_resources:
      return "SCORE-LEAST-1";
    case Scorer::balanced_allocation:
      return release.version.minor >= 20 ? "SCORE-BALANCED-2" : "SCORE-BALANCED-1";
    case Scorer::node_prefer_avoid_pods:
      return "SCORE-AVOID-1";
    case Scorer::node_affinity:
      return "SCORE-NODEAFFINITY-1";
    case Scorer::taint_toleration:
      return "SCORE-TAINT-1";
    case Scorer::image_locality:
      return "SCORE-IMAGE-1";
    case Scorer::pod_topology_spread:
      return "SCORE-SPREAD-1";
    case Scorer::volume_capacity:
      return "SCORE-CAPACITY-1";
    default:
      return "SCORE-SET-1";
  }
}

/// The clause of a difference "scores.NODE.SCORER".
std::string clause_of_score(const std::string& key, const Release& release) {
  const std::string name = key.substr(key.rfind('.') + 1);
  for (const WeightedScorer& each : release.scorers) {
    if (each.name == name) return std::string(clause_of(each.scorer, release));
  }
  return "SCORE-SET-1";
}

std::string clause_of_host(const Release& release) {
  const int minor = release.version.minor;
  return minor >= 35 ? "CYC-HOST-4" : minor >= 16 ? "CYC-HOST-3" : minor >= 12 ? "CYC-HOST-2" : "CYC-HOST-1";
}

/// Compares a given answer with an answer of the reference.
std::vector<oracle::Difference> differences_of(const Json& given, const Json& ours, const Release& release) {
  return oracle::schedule_differences(given, ours, release, oracle::Scores::all);
}

/// The clause of a filter that decides about a node of which only one side says that it is feasible. The
/// reference answers the question to `run`, so its explanation is that of a decision.
std::string clause_of_filter(const Question& question, const Release& release, const Json& ours,
                             const std::vector<std::string>& given_feasible) {
  for (const std::string& node : given_feasible) {
    if (!ours.contains("filter") || !ours.at("filter").contains(node)) continue;
    Question alone = question;
    std::erase_if(alone.cluster.nodes, [&node](const Node& each) { return each.name != node; });
    const Json fits{{"outcome", "fits"}, {"feasible", Json::array({node})}};
    const Json decided = oracle::answer_of(alone, {release, "", {}}, {}, oracle::Engine::reference,
                                           oracle::reference_decider());
    if (!decided.contains("outcome") || decided.at("outcome") == "fits") continue;
    const auto differences = oracle::compare({fits, false, false, {}}, decided, release).differences;
    if (!differences.empty()) return oracle::broken_rule(alone, release, release, fits, differences).clause;
  }
  return question.start ? "CYC-SEARCH-2" : "PRE-FILTER-1";
}

std::string clause_of_first(const oracle::Difference& first, const Question& question, const Release& release,
                            const Case& one, const Json& given) {
  const std::string kind = first.key.substr(0, first.key.find('.'));
  if (kind == "scores") return clause_of_score(first.key, release);
  if (kind == "totals") return "CYC-TOTAL-1";
  if (kind == "best" || kind == "node" || kind == "chosen")
    return one.ours.contains("scores") || one.ours.value("feasible", Json::array()).size() > 1
               ? clause_of_host(release)
               : "CYC-ONE-1";
  std::vector<std::string> feasible;
  if (given.contains("feasible")) feasible = given.at("feasible").get<std::vector<std::string>>();
  if (feasible.empty() && given.contains("node")) feasible.push_back(given.at("node").get<std::string>());
  if (kind == "outcome" && given.at("outcome") != "scheduled") return "PRE-CYCLE-1";
  return clause_of_filter(question, release, one.ours, feasible);
}

}  // namespace

bool is_well_formed_placement(const Json& answer) {
  if (!answer.contains("node") || !answer.at("node").is_string()) return false;
  for (const char* key : {"feasible", "best"}) {
    if (!answer.contains(key)) continue;
    const Json& list = answer.at(key);
    if (!list.is_array() ||
        !std::all_of(list.begin(), list.end(), [](const Json& name) { return name.is_string(); }))
      return false;
  }
  if (answer.contains("totals") && !is_object_of_integers(answer.at("totals"))) return false;
  if (answer.contains("filter") && !answer.at("filter").is_object()) return false;
  if (!answer.contains("scores")) return true;
  const Json& scores = answer.at("scores");
  return scores.is_object() && std::all_of(scores.begin(), scores.end(), is_object_of_integers);
}

CaseVerdict judge_placement(const Case& one, const Release& release, const Json& given) {
  CaseVerdict verdict;
  verdict.differences = differences_of(given, one.ours, release);
  if (verdict.differences.empty()) {
    verdict.kind = one.answers > 1 ? VerdictKind::conforms_as_one_of : VerdictKind::conforms;
    return verdict;
  }
  verdict.kind = VerdictKind::violates;
  const Question question = kubernetes::read_question_text(one.question.dump(), one.name).value();
  // A row of the release table that gives the answer when toggled explains it. The row would also undo a
  // configuration.
  for (const Change& change : release_table()) {
    if (one.question.contains("config")) break;
    if (!change.clause.starts_with("SCORE-") && !change.clause.starts_with("CYC-")) continue;
    const Release toggled = with_toggled(release, change);
    const Json other =
        oracle::placement_answer(question.cluster, oracle::reference_decider().schedule(question, toggled));
    if (other == one.ours || !other.contains("outcome") || other.contains("skipped")) continue;
    if (!differences_of(given, other, toggled).empty()) continue;
    verdict.clause = change.clause;
    verdict.explanation = oracle::explanation_of({verdict.clause, &change}, release);
    return verdict;
  }
  verdict.clause = clause_of_first(verdict.differences.front(), question, release, one, given);
  return verdict;
}

}  // namespace touchstone::conformance
