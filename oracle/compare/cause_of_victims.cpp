#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "oracle/compare/cause.hpp"
#include "oracle/compare/cause_of_status.hpp"
#include "oracle/explain/wording.hpp"
#include "oracle/protocol/answer_parts.hpp"
#include "reference/preemption/preempt.hpp"

/// Finds the clause for victims that differ: which pods may be victims, which stay, their order, and their
/// PDB violations.
namespace touchstone::oracle {

namespace {

bool is_violating(const NodeTrace& steps, PodIndex pod) {
  return std::any_of(steps.budgets.begin(), steps.budgets.end(),
                     [pod](const Step* step) { return !step->passed && step->pod == pod; });
}

}  // namespace

/// The clause that forbids one of these pods as a victim of the node. Empty: all are allowed.
std::string TracedDecision::clause_of_wrong_victim(NodeIndex node,
                                                   const std::vector<std::string>& victims) const {
  for (const std::string& name : victims) {
    const auto pod = std::find_if(question_.cluster.pods.begin(), question_.cluster.pods.end(),
                                  [&name](const Pod& each) { return each.full_name() == name; });
    const bool is_there =
        pod != question_.cluster.pods.end() && pod->node_name == question_.cluster.nodes[node].name;
    if (is_there && reference::is_finished(*pod)) return "PRE-INPUT-1";
    if (!is_there || pod->priority >= question_.pod.priority) return "PRE-VICTIM-1";
  }
  return "";
}

/// The same for all nodes from which the answer would evict pods.
std::string TracedDecision::clause_of_any_wrong_victim(const Json& given) const {
  for (NodeIndex i = 0; i < question_.cluster.nodes.size(); ++i) {
    const std::vector<std::string> victims = victims_in(given_on(given, question_.cluster.nodes[i].name));
    if (const std::string clause = clause_of_wrong_victim(i, victims); !clause.empty()) return clause;
  }
  return "";
}

/// The clause for victims that differ as a set or in their order. Requires: the node is a candidate.
std::string TracedDecision::clause_of_victims(NodeIndex node, const std::vector<std::string>& victims,
                                              const Json& given) const {
  const NodeTrace& steps = index_.nodes[node];
  const Step* kept_by_us = nullptr;
  const Step* kept_by_them = nullptr;
  for (const Step* step : steps.reprieves) {
    const std::string name = question_.cluster.pods[*step->pod].full_name();
    const bool is_given = std::find(victims.begin(), victims.end(), name) != victims.end();
    if (step->passed && is_given && kept_by_us == nullptr) kept_by_us = step;
    if (!step->passed && !is_given && kept_by_them == nullptr) kept_by_them = step;
  }
  if (kept_by_us == nullptr && kept_by_them == nullptr) return clause_of_order(node, victims);
  if (kept_by_us == nullptr) return clause_of_staying(steps, *kept_by_them, given.contains("filter"));
  if (kept_by_them == nullptr) return "PRE-VICTIM-6";
  // One pod is a victim instead of another. So the order of reprieves differs, or a filter differs.
  if (!kept_by_them->findings.empty() && !is_shortage(kept_by_them->findings.front()))
    return clause_against(*kept_by_them);
  const Pod& ours = question_.cluster.pods[*kept_by_us->pod];
  const Pod& theirs = question_.cluster.pods[*kept_by_them->pod];
  if (is_violating(steps, *kept_by_us->pod) == is_violating(steps, *kept_by_them->pod))
    return clause_of_importance(ours, theirs);
  // If the answer has our number of violations, it knows which pods are protected.
  const Quantity price = violations_in(given_on(given, question_.cluster.nodes[node].name));
  const auto violating = std::count_if(steps.reprieves.begin(), steps.reprieves.end(), [&](const Step* step) {
    const std::string name = question_.cluster.pods[*step->pod].full_name();
    return is_violating(steps, *step->pod) &&
           std::find(victims.begin(), victims.end(), name) != victims.end();
  });
  return price == violating ? "PRE-VICTIM-6" : std::string(steps.budgets.front()->clause);
}

/// The clause for a victim that stays in the answer. If the answer seems not to know what rejects the
/// preemptor beside this pod, it is the clause of that rejection. Otherwise it is the rule that such a pod
/// becomes a victim.
std::string TracedDecision::clause_of_staying(const NodeTrace& steps, const Step& victim,
                                              bool has_filter) const {
  if (victim.findings.empty()) return "PRE-VICTIM-6";
  const Finding& finding = victim.findings.front();
  const bool is_alone = std::all_of(
      steps.attempt->findings.begin(), steps.attempt->findings.end(),
      [&](const Finding& each) { return each.clause == finding.clause && each.what == finding.what; });
  return is_shortage(finding) && (has_filter || is_alone) ? "PRE-VICTIM-6" : clause_against(victim);
}

/// The clause that decides which of two pods is more important.
std::string TracedDecision::clause_of_importance(const Pod& a, const Pod& b) const {
  const bool some_unstarted = !a.start_time_ns || !b.start_time_ns;
  const bool by_uid = !a.start_time_ns && !b.start_time_ns && !reference::equally_important(a, b, release_);
  return release_.importance_by_start_time && a.priority == b.priority && some_unstarted && !by_uid
             ? "PRE-VICTIM-5"
             : "PRE-VICTIM-4";
}

/// The clause for the same victims in another order.
std::string TracedDecision::clause_of_order(NodeIndex node, const std::vector<std::string>& given) const {
  const NodeTrace& steps = index_.nodes[node];
  std::vector<PodIndex> fell;
  for (const Step* step : steps.reprieves) {
    if (!step->passed) fell.push_back(*step->pod);
  }
  const Candidate* candidate = candidate_on(decision_, node);
  if (candidate == nullptr || candidate->victims.size() != given.size()) return "PRE-VICTIM-7";
  const auto is_as_given = [&](PodIndex pod, std::size_t i) {
    return question_.cluster.pods[pod].full_name() == given[i];
  };
  bool is_as_they_fell = true;
  for (std::size_t i = 0; i < fell.size(); ++i) is_as_they_fell = is_as_they_fell && is_as_given(fell[i], i);
  if (is_as_they_fell) return "PRE-VICTIM-7";
  for (std::size_t i = 0; i < given.size(); ++i) {
    const PodIndex ours = candidate->victims[i];
    if (is_as_given(ours, i)) continue;
    const auto theirs =
        std::find_if(fell.begin(), fell.end(), [&](PodIndex pod) { return is_as_given(pod, i); });
    if (theirs == fell.end() || is_violating(steps, ours) != is_violating(steps, *theirs))
      return "PRE-VICTIM-7";
    return clause_of_importance(question_.cluster.pods[ours], question_.cluster.pods[*theirs]);
  }
  return "PRE-VICTIM-7";
}

/// The clause for the same victims with another number of PDB violations.
std::string TracedDecision::clause_of_count(NodeIndex node, Quantity given) const {
  const NodeTrace& steps = index_.nodes[node];
  std::set<PodIndex> violating;
  std::set<PodIndex> covered;
  for (const Step* step : steps.budgets) {
    covered.insert(*step->pod);
    if (!step->passed) violating.insert(*step->pod);
  }
  const auto size = [](const std::set<PodIndex>& pods) { return static_cast<Quantity>(pods.size()); };
  if (given > size(covered)) return "PRE-PDB-2";
  return given == size(violating) || steps.budgets.empty() ? "PRE-PDB-8"
                                                           : std::string(steps.budgets.front()->clause);
}

}  // namespace touchstone::oracle
