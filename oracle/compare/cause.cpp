#include "oracle/compare/cause.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "oracle/compare/cause_of_status.hpp"
#include "oracle/protocol/answer_parts.hpp"
#include "reference/preemption/preempt.hpp"

namespace touchstone::oracle {

namespace {

Decision decide_traced(const Question& question, const Release& release, const Json& given, Trace& trace) {
  Decision decision = reference::preempt(question, release, trace);
  const Json node = given.value("node", Json());
  for (std::size_t i = 0; i < decision.admissible.size(); ++i) {
    const std::string& name = question.cluster.nodes[decision.candidates[decision.admissible[i]].node].name;
    if (node != name || decision.admissible[i] == decision.chosen) continue;
    ScriptedChoices choices({i});
    trace = trace.enabled() ? Trace::full() : Trace::none();
    return reference::preempt(question, release, choices, trace);
  }
  return decision;
}

}  // namespace

Decision decide_as(const Question& question, const Release& release, const Json& given) {
  Trace none = Trace::none();
  return decide_traced(question, release, given, none);
}

TracedDecision::TracedDecision(const Question& question, const Release& release, const Json& given)
    : question_(question),
      release_(release),
      decision_(decide_traced(question, release, given, trace_)),
      answer_(answer_of(question.cluster, decision_)),
      index_(question.cluster, trace_) {}

std::optional<NodeIndex> TracedDecision::index_of(const std::string& name) const {
  for (NodeIndex i = 0; i < question_.cluster.nodes.size(); ++i) {
    if (question_.cluster.nodes[i].name == name) return i;
  }
  return std::nullopt;
}

std::string TracedDecision::last_outcome() const {
  return index_.outcome.empty() ? "PRE-CYCLE-1" : std::string(index_.outcome.front()->clause);
}

/// The clause for a status of the first pass that differs.
std::string TracedDecision::clause_of_filter(NodeIndex node, const Json& theirs) const {
  const Step* step = index_.nodes[node].attempt;
  const std::string rejection = theirs.is_null() ? "" : clause_of_rejection(theirs);
  if (step == nullptr) return index_.attempt.empty() ? rejection : std::string(index_.attempt.back()->clause);
  const std::string& name = question_.cluster.nodes[node].name;
  if (answer_["filter"].contains(name))
    return clause_between(*step, theirs, answer_["filter"][name], release_);
  return step->passed && !rejection.empty() ? rejection : std::string(step->clause);
}

/// The clause for a node that takes the pod in only one of the two answers.
std::string TracedDecision::clause_of_feasible(const Json& theirs) const {
  for (const std::string& name : names_in(theirs)) {
    const std::optional<NodeIndex> node = index_of(name);
    const Step* step = node ? index_.nodes[*node].attempt : nullptr;
    if (step != nullptr && !step->passed) return clause_against(*step);
  }
  return "PRE-CYCLE-1";
}

/// The clause for an answer that evicts pods from a node, although the reference does not choose this node.
std::string TracedDecision::clause_of_node(NodeIndex node, const Json& given) const {
  const NodeTrace& steps = index_.nodes[node];
  const std::vector<std::string> victims = victims_in(given_on(given, question_.cluster.nodes[node].name));
  const bool has_room = steps.without_victims != nullptr && steps.without_victims->passed;
  if (steps.attempt != nullptr && steps.attempt->passed) return "PRE-CYCLE-1";
  if (steps.potential == nullptr || !steps.potential->passed)
    return steps.attempt == nullptr ? last_outcome() : clause_against(*steps.attempt);
  if (steps.without_victims == nullptr) return clause_of_search(node);
  if (!has_room)
    return steps.without_victims->findings.empty() ? std::string(steps.without_victims->clause)
                                                   : clause_against(*steps.without_victims);
  const Candidate* ours = candidate_on(decision_, node);
  if (ours == nullptr)
    return steps.candidate != nullptr && !steps.candidate->passed ? std::string(steps.candidate->clause)
                                                                  : clause_of_search(node);
  return clause_of_victims(node, victims, given);
}

/// The criterion by which the candidate that the answer chose loses.
std::string TracedDecision::clause_of_choice(NodeIndex node) const {
  const Step* choice = index_.nodes[node].choice;
  return choice == nullptr || choice->passed ? "PRE-NODE-6" : std::string(choice->clause);
}

/// The clause for a node that only one of the two answers visited.
std::string TracedDecision::clause_of_search(NodeIndex node) const {
  if (index_.search.empty()) return "PRE-POTENTIAL-1";
  std::string clause = "PRE-SEARCH-3";
  for (const Step* step : index_.search) {
    if (step->clause == "PRE-SEARCH-5" && step->node == node) return "PRE-SEARCH-5";
    if (step->clause == "PRE-SEARCH-4") clause = "PRE-SEARCH-4";
  }
  return clause;
}

std::string TracedDecision::clause_of_eligibility(const Json& given) const {
  if (index_.eligibility.empty()) return last_outcome();
  const Step& step = *index_.eligibility.back();
  if (!step.passed || !step.node || given.at("outcome") != "ineligible") return std::string(step.clause);
  const Cluster& cluster = question_.cluster;
  const bool some_terminate = std::any_of(cluster.pods.begin(), cluster.pods.end(), [&](const Pod& pod) {
    return pod.terminating && pod.node_name == cluster.nodes[*step.node].name &&
           pod.priority < question_.pod.priority;
  });
  return step.clause == "PRE-ELIGIBLE-3" && some_terminate ? "PRE-ELIGIBLE-4" : std::string(step.clause);
}

std::string TracedDecision::clause_of_outcome(const Json& given) const {
  const Json& theirs = given.at("outcome");
  if (theirs == "fits" && given.contains("feasible")) {
    const std::string clause = clause_of_feasible(given["feasible"]);
    if (clause != "PRE-CYCLE-1") return clause;
  }
  switch (decision_.outcome) {
    case Outcome::fits:
      return "PRE-CYCLE-1";
    case Outcome::ineligible:
      return theirs == "fits" ? clause_of_any_node() : clause_of_eligibility(given);
    case Outcome::error:
      // An attempt that ends in an error ends at the step with this error.
      return index_.eligibility.empty() ? clause_of_error() : last_outcome();
    default:
      break;
  }
  if (theirs == "fits") return clause_of_any_node();
  if (theirs == "ineligible") return clause_of_eligibility(given);
  if (theirs == "nominated") {
    if (const std::string clause = clause_of_any_wrong_victim(given); !clause.empty()) return clause;
    const std::optional<NodeIndex> node = index_of(given.at("node"));
    return node ? clause_of_node(*node, given) : last_outcome();
  }
  if (decision_.outcome != Outcome::nominated || theirs != "none") return last_outcome();
  const Json statuses = given.value("dryRun", Json::object());
  for (const Candidate& candidate : decision_.candidates) {
    const std::string& name = question_.cluster.nodes[candidate.node].name;
    if (statuses.contains(name)) return clause_of_dry_run(candidate.node, given, statuses[name]);
  }
  return "PRE-VICTIM-3";
}

/// Why the first rejected node does not take the pod. For answers that do not say which node takes it.
std::string TracedDecision::clause_of_any_node() const {
  for (const NodeTrace& steps : index_.nodes) {
    if (steps.attempt != nullptr && !steps.attempt->passed) return clause_against(*steps.attempt);
  }
  return clause_of_error();
}

std::string TracedDecision::clause_of_error() const {
  std::string clause = last_outcome();
  for (const Step& step : trace_.steps()) {
    if (step.stage == Stage::attempt && !step.passed) clause = step.clause;
  }
  return clause;
}

/// The clause for a message that differs, when no part before it differs.
std::string TracedDecision::clause_of_message(const Json& message) const {
  constexpr std::size_t k_bytes_most = 1024;
  const std::string ours = decision_.message;
  const std::string theirs = message.is_string() ? message.get<std::string>() : "";
  if (decision_.outcome == Outcome::error) return "PRE-MESSAGE-6";
  if (theirs.empty()) return "PRE-MESSAGE-1";
  if (std::max(ours.size(), theirs.size()) >= k_bytes_most) return "PRE-MESSAGE-9";
  const auto has = [](const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
  };
  for (const auto& [part, clause] :
       {std::pair<std::string_view, const char*>{"no new claims", "PRE-MESSAGE-8"},
        {"..", "PRE-MESSAGE-7"}}) {
    if (has(ours, part) != has(theirs, part)) return clause;
  }
  const auto before = [](const std::string& text) {
    const std::string part = text.substr(0, text.find("preemption: "));
    return part.substr(0, part.find_last_not_of(' ') + 1);
  };
  const auto is_excluded = [&](const std::string& text) {
    return has(before(text), "didn't satisfy plugin") || has(before(text), "filtered out by the prefilter");
  };
  if (before(ours) == before(theirs))
    return decision_.outcome == Outcome::none ? "PRE-MESSAGE-4" : "PRE-MESSAGE-5";
  if (is_excluded(ours) || is_excluded(theirs)) return "PRE-MESSAGE-2";
  const bool is_rejected = std::any_of(index_.nodes.begin(), index_.nodes.end(), [](const NodeTrace& steps) {
    return steps.attempt != nullptr && steps.attempt->clause == "PRE-PREFILTER-2";
  });
  return is_rejected ? "PRE-MESSAGE-3" : "PRE-MESSAGE-1";
}

/// The clause for a difference in the dry run of a node.
std::string TracedDecision::clause_of_dry_run(NodeIndex node, const Json& given, const Json& status) const {
  const NodeTrace& steps = index_.nodes[node];
  const std::string& name = question_.cluster.nodes[node].name;
  if (status.is_null() || !status.contains("code")) {
    if (!given_on(given, name).is_null()) return clause_of_node(node, given);
    return index_.search.empty() ? "PRE-POTENTIAL-1" : clause_of_search(node);
  }
  if (steps.potential == nullptr || !steps.potential->passed) return "PRE-POTENTIAL-1";
  if (steps.without_victims == nullptr) return clause_of_search(node);
  if (!steps.without_victims->passed) {
    return steps.without_victims->findings.empty()
               ? std::string(steps.without_victims->clause)
               : clause_between(*steps.without_victims, status, answer_["dryRun"][name], release_);
  }
  const std::string clause = clause_of_rejection(status);
  if (clause == "PRE-VICTIM-2") return "PRE-VICTIM-1";  // the node has potential victims
  return clause.empty() ? "PRE-VICTIM-3" : clause;
}

std::string TracedDecision::clause_of(const Difference& first, const Json& given) const {
  const std::size_t dot = first.key.find('.');
  const std::string kind = first.key.substr(0, dot);
  const Json theirs = Json::parse(first.given);
  const Json ours = Json::parse(first.ours);
  const Json chosen = theirs.is_string() ? theirs : given.value("node", Json());
  const std::string name = dot != std::string::npos ? first.key.substr(dot + 1)
                           : chosen.is_string()     ? chosen.get<std::string>()
                                                    : "";
  const std::optional<NodeIndex> node = index_of(name);
  if (kind == "outcome") return clause_of_outcome(given);
  if (kind == "feasible") return clause_of_feasible(theirs);
  if (kind == "ineligible") return clause_of_eligibility(given);
  if (kind == "message") return clause_of_message(theirs);
  if (kind == "nomination" || kind == "clears") return last_outcome();
  if (kind == "anyOrder") return "PRE-ANYORDER-2";
  if (!node) return kind == "filter" ? "PRE-CYCLE-1" : "PRE-VICTIM-1";
  if (kind == "filter") return clause_of_filter(*node, theirs);
  if (const std::string clause = clause_of_any_wrong_victim(given); !clause.empty()) return clause;
  if (kind == "dryRun") return clause_of_dry_run(*node, given, theirs);
  if (kind == "candidates" && theirs.is_null()) return clause_of_dry_run(*node, given, theirs);
  if (kind == "candidates" && candidate_on(decision_, *node) == nullptr) return clause_of_node(*node, given);
  if (kind == "candidates" && victims_in(theirs) == victims_in(ours))
    return clause_of_count(*node, violations_in(theirs));
  if (kind == "candidates") return clause_of_victims(*node, victims_in(theirs), given);
  if (kind == "victims") return clause_of_victims(*node, names_in(theirs), given);
  if (kind == "numPDBViolations") return clause_of_count(*node, number_in(theirs));
  return candidate_on(decision_, *node) == nullptr ? clause_of_node(*node, given) : clause_of_choice(*node);
}

}  // namespace touchstone::oracle
