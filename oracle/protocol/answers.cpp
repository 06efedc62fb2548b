#include "oracle/protocol/answers.hpp"

#include <array>
#include <nlohmann/json.hpp>

namespace touchstone::oracle {

namespace {

std::string_view text_of(Code code) {
  switch (code) {
    case Code::success:
      return "Success";
    case Code::unschedulable:
      return "Unschedulable";
    case Code::unschedulable_and_unresolvable:
      return "UnschedulableAndUnresolvable";
    case Code::error:
      break;
  }
  return "Error";
}

Json names_of(const Cluster& cluster, const std::vector<PodIndex>& pods) {
  Json names = Json::array();
  for (const PodIndex pod : pods) names.push_back(cluster.pods[pod].full_name());
  return names;
}

/// Adds the members node, victims and numPDBViolations. `admissible`, `anyOrder` and the decision itself have
/// these members.
void put_candidate(Json& json, const Cluster& cluster, const Candidate& candidate) {
  json["node"] = cluster.nodes[candidate.node].name;
  json["victims"] = names_of(cluster, candidate.victims);
  json["numPDBViolations"] = candidate.pdb_violations;
}

std::string_view text_of(Stage stage) {
  constexpr std::array<std::string_view, 13> k_texts = {
      "attempt",        "scorePart", "score",    "host",      "eligibility", "potential", "search",
      "withoutVictims", "budget",    "reprieve", "candidate", "choice",      "outcome"};
  static_assert(static_cast<std::size_t>(Stage::outcome) + 1 == k_texts.size());
  return k_texts[static_cast<std::size_t>(stage)];
}

void put_found(Json& json, const Cluster& cluster, const std::optional<PodIndex>& pod,
               const std::string& what, const Values& values) {
  if (pod) json["pod"] = cluster.pods[*pod].full_name();
  json["what"] = what;
  for (const auto& [measure, value] : values) json["values"][std::string(name_of(measure))] = value;
}

}  // namespace

std::string_view name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::fits:
      return "fits";
    case Outcome::ineligible:
      return "ineligible";
    case Outcome::none:
      return "none";
    case Outcome::nominated:
      return "nominated";
    case Outcome::error:
      return "error";
    case Outcome::skipped:
      break;
  }
  return "skipped";
}

namespace {

Json status_of(const Status& status) {
  Json json{{"code", text_of(status.code)}};
  if (!status.plugin.empty()) json["plugin"] = status.plugin;
  json["reasons"] = status.reasons;
  if (!status.any_reason_of.empty()) json["anyReasonOf"] = status.any_reason_of;
  return json;
}

/// The statuses of nodes, as the value of `filter` or `dryRun`.
Json statuses_of(const Cluster& cluster, const std::map<NodeIndex, Status>& statuses) {
  Json json = Json::object();
  for (const auto& [node, status] : statuses) json[cluster.nodes[node].name] = status_of(status);
  return json;
}

}  // namespace

Json filter_of(const Cluster& cluster, const Decision& decision, Implied implied) {
  Json json = Json::object();
  for (const auto& [node, status] : decision.filter) {
    if (implied == Implied::shown || !status.is_implied) json[cluster.nodes[node].name] = status_of(status);
  }
  for (const auto& [name, status] : decision.unknown_filter) json[name] = status_of(status);
  return json;
}

Json answer_of(const Cluster& cluster, const Decision& decision) {
  Json json;
  if (decision.outcome == Outcome::skipped) {
    json["skipped"] = decision.reason;
    return json;
  }
  json["outcome"] = name_of(decision.outcome);
  if (decision.outcome == Outcome::fits) {
    json["feasible"] = Json::array();
    for (const NodeIndex node : decision.feasible) json["feasible"].push_back(cluster.nodes[node].name);
  }
  if (decision.outcome == Outcome::ineligible) json["ineligible"] = decision.reason;
  if (decision.outcome == Outcome::error) json["reason"] = decision.reason;
  if (!decision.other_reasons.empty()) json["otherReasons"] = decision.other_reasons;
  if (decision.outcome == Outcome::nominated)
    put_candidate(json, cluster, decision.candidates[decision.chosen]);

  json["candidates"] = Json::object();
  for (const Candidate& candidate : decision.candidates) {
    Json& entry = json["candidates"][cluster.nodes[candidate.node].name];
    entry["victims"] = names_of(cluster, candidate.victims);
    entry["numPDBViolations"] = candidate.pdb_violations;
  }
  json["admissible"] = Json::array();
  for (const std::size_t i : decision.admissible)
    put_candidate(json["admissible"].emplace_back(), cluster, decision.candidates[i]);
  json["filter"] = filter_of(cluster, decision, Implied::shown);
  json["dryRun"] = statuses_of(cluster, decision.dry_run);
  if (decision.outcome == Outcome::nominated) json["clears"] = names_of(cluster, decision.clears);
  switch (decision.nomination) {
    case Nomination::absent:
      break;
    case Nomination::set:
      json["nomination"] = "set";
      break;
    case Nomination::kept:
      json["nomination"] = "kept";
      break;
    case Nomination::cleared:
      json["nomination"] = "cleared";
      break;
  }
  if (!decision.message.empty()) json["message"] = decision.message;
  return json;
}

Json answer_in_part(const Cluster& cluster, const Decision& decision) {
  Json json = answer_of(cluster, decision);
  for (const char* key : {"candidates", "filter", "dryRun"}) json.erase(key);
  return json;
}

Json any_order_of(const Cluster& cluster, const AnyOrder& any_order) {
  if (!any_order.unknown.empty()) return Json{{"skipped", any_order.unknown}};
  Json json = Json::array();
  for (const Candidate& answer : any_order.answers) put_candidate(json.emplace_back(), cluster, answer);
  return json;
}

Json trace_of(const Cluster& cluster, const Trace& trace) {
  Json json = Json::array();
  for (const Step& step : trace.steps()) {
    Json& entry = json.emplace_back();
    entry["stage"] = text_of(step.stage);
    entry["clause"] = step.clause;
    entry["passed"] = step.passed;
    if (step.node) entry["node"] = cluster.nodes[*step.node].name;
    put_found(entry, cluster, step.pod, step.what, step.values);
    for (const Finding& finding : step.findings) {
      Json& found = entry["findings"].emplace_back(Json{{"clause", finding.clause}});
      put_found(found, cluster, finding.pod, finding.what, finding.values);
      if (finding.least_domain) found["leastDomain"] = *finding.least_domain;
    }
  }
  return json;
}

}  // namespace touchstone::oracle
