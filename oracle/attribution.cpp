#include "oracle/attribution.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "reference/preempt.hpp"

namespace touchstone::oracle {

namespace {

Decision decide(const Question& question, const Release& release, Trace& trace) {
  CanonicalChoices choices;
  return reference::preempt(question, release, choices, trace);
}

/// The rows of the table, the likeliest to explain an answer first: what lies between the two releases, then
/// what is nearest to the first of them: what it got last, then what comes next.
std::vector<const Change*> nearest_first(const Release& release, const Release& given_release) {
  std::vector<const Change*> rows;
  for (const Change& change : release_table()) {
    if (has_change(change, release.version)) rows.insert(rows.begin(), &change);
  }
  for (const Change& change : release_table()) {
    if (!has_change(change, release.version)) rows.push_back(&change);
  }
  std::stable_partition(rows.begin(), rows.end(), [&](const Change* row) {
    return has_change(*row, release.version) != has_change(*row, given_release.version);
  });
  return rows;
}

/// What the release decides, and where it may choose among nodes, for the given one if that is among them.
Decision decide_like(const Question& question, const Release& release, const Json& given) {
  Trace trace = Trace::none();
  Decision decision = decide(question, release, trace);
  const Json node = given.value("node", Json());
  const auto chosen = std::find_if(
      decision.admissible.begin(), decision.admissible.end(),
      [&](std::size_t i) { return node == question.cluster.nodes[decision.candidates[i].node].name; });
  if (chosen == decision.admissible.end()) return decision;
  // What follows from the choice follows from that of this node.
  ScriptedChoices choices({static_cast<std::size_t>(chosen - decision.admissible.begin())});
  return reference::preempt(question, release, choices, trace);
}

bool gives(const Question& question, const Release& release, const Decision& decision, const Json& given) {
  return decision.outcome != Outcome::skipped &&
         compare({given}, answer_of(question.cluster, decision), release).differences.empty();
}

/// "n1" of the key "filter.n1".
std::string node_of(const std::string& key) {
  const std::size_t dot = key.find('.');
  return dot == std::string::npos ? "" : key.substr(dot + 1);
}

/// The clause of the last step about a node, or about none, in one of the stages.
std::string cited(const Question& question, const Trace& trace, const std::string& node, Stage first,
                  Stage last, bool rejected_only) {
  std::string clause;
  for (const Step& step : trace.steps()) {
    if (step.stage < first || step.stage > last || (rejected_only && step.passed)) continue;
    const std::string about = step.node ? question.cluster.nodes[*step.node].name : "";
    if (!node.empty() && about != node) continue;
    clause = step.findings.empty() ? step.clause : step.findings.front().clause;
  }
  return clause;
}

/// What each filter's rejections are about, by the plugin's name.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> k_filters = {{
    {"NodeUnschedulable", "PRE-UNSCHEDULABLE-1"},
    {"NodeName", "PRE-NODENAME-1"},
    {"TaintToleration", "PRE-TAINT-1"},
    {"NodeAffinity", "PRE-NODEAFFINITY-1"},
    {"NodePorts", "PRE-PORTS-1"},
    {"NodeResourcesFit", "PRE-FIT-2"},
}};

/// The filter that only one of two statuses names.
std::string clause_of_plugin(const Difference& difference) {
  for (const auto& [plugin, clause] : k_filters) {
    const bool theirs = difference.given.find(plugin) != std::string::npos;
    const bool ours = difference.ours.find(plugin) != std::string::npos;
    if (theirs != ours) return std::string(clause);
  }
  return "";
}

/// Victims differ: in number, in order, or only in what they cost.
std::string clause_of_candidate(const Difference& difference) {
  const Json given = Json::parse(difference.given);
  const Json ours = Json::parse(difference.ours);
  if (given.is_null() || ours.is_null()) return "PRE-VICTIM-3";
  std::vector<std::string> theirs = given.value("victims", std::vector<std::string>());
  std::vector<std::string> mine = ours.value("victims", std::vector<std::string>());
  if (theirs == mine) return "PRE-PDB-8";
  std::sort(theirs.begin(), theirs.end());
  std::sort(mine.begin(), mine.end());
  return theirs == mine ? "PRE-VICTIM-7" : "PRE-VICTIM-6";
}

/// The criterion by which a node that was chosen loses.
std::string clause_of_choice(const Question& question, const Trace& trace, const Difference& difference) {
  const Json node = Json::parse(difference.given);
  if (!node.is_string()) return "PRE-NODE-6";
  const std::string clause =
      cited(question, trace, node.get<std::string>(), Stage::choice, Stage::choice, true);
  return clause.empty() ? "PRE-NODE-6" : clause;
}

std::string clause_by_trace(const Question& question, const Trace& trace, const Difference& difference) {
  const std::string kind = difference.key.substr(0, difference.key.find('.'));
  const std::string node = node_of(difference.key);
  if (kind == "filter" || kind == "dryRun") {
    std::string clause = clause_of_plugin(difference);
    if (clause.empty() && kind == "filter")
      clause = cited(question, trace, node, Stage::attempt, Stage::attempt, false);
    if (clause.empty()) clause = cited(question, trace, node, Stage::room, Stage::candidate, true);
    return clause.empty() ? "PRE-VICTIM-3" : clause;
  }
  if (kind == "candidates") return clause_of_candidate(difference);
  if (kind == "node" || kind == "observed" || kind == "admissible")
    return clause_of_choice(question, trace, difference);
  if (kind == "victims") return "PRE-VICTIM-7";
  if (kind == "numPDBViolations") return "PRE-PDB-8";
  if (kind == "feasible") return "PRE-CYCLE-1";
  if (kind == "ineligible") return cited(question, trace, "", Stage::eligibility, Stage::eligibility, false);
  std::string clause = cited(question, trace, "", Stage::outcome, Stage::outcome, false);
  if (clause.empty()) clause = cited(question, trace, "", Stage::attempt, Stage::eligibility, false);
  return clause.empty() ? "PRE-CYCLE-1" : clause;
}

}  // namespace

std::string explanation_of(const Broken& broken, const Release& release) {
  if (broken.change == nullptr) return "";
  const bool has = has_change(*broken.change, release.version);
  return (has ? "without \"" : "with \"") + std::string(broken.change->name) + ": " +
         std::string(broken.change->value) + "\"";
}

bool explains(const Change& change, const Question& question, const Release& release, const Json& given) {
  const Release toggled = with_toggled(release, change);
  return gives(question, toggled, decide_like(question, toggled, given), given);
}

std::string not_modelled_of(const Question& question, const Release& release) {
  Trace trace = Trace::none();
  const Decision decision = decide(question, release, trace);
  if (decision.outcome != Outcome::skipped) return "";
  return decision.reason.substr(0, decision.reason.find(':'));
}

Broken broken_rule(const Question& question, const Release& release, const Release& given_release,
                   const Json& given, const std::vector<Difference>& differences) {
  const std::string unknown = not_modelled_of(question, release);
  if (!unknown.empty()) return {"not modelled: " + unknown};
  // An answer that the release itself may give is explained by no change of it; nor is another by a change
  // that makes no difference here, as most do not.
  const Decision own = decide_like(question, release, given);
  if (given.contains("outcome") && !gives(question, release, own, given)) {
    for (const Change* change : nearest_first(release, given_release)) {
      const Release toggled = with_toggled(release, *change);
      const Decision other = decide_like(question, toggled, given);
      if (other != own && gives(question, toggled, other, given))
        return {std::string(change->clause), change};
    }
  }
  return {clause_shown(question, release, differences.front())};
}

std::string clause_shown(const Question& question, const Release& release, const Difference& difference) {
  Trace trace = Trace::full();
  decide(question, release, trace);
  return clause_by_trace(question, trace, difference);
}

}  // namespace touchstone::oracle
