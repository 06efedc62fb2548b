#include "conformance/reports/report.hpp"
#include "spec/rules/rules.hpp"

namespace touchstone::conformance {

namespace {

/// The id of the rule that a result breaks: a clause, or the verdict if no clause is broken.
std::string rule_of(const CaseVerdict& verdict) {
  return verdict.clause.empty() ? std::string(name_of(verdict.kind)) : verdict.clause;
}

Json rule_json(const std::string& id) {
  const std::string title(title_of(id));
  Json rule{{"id", id},
            {"shortDescription", {{"text", title.empty() ? "The subject does not answer: " + id : title}}}};
  if (!title.empty()) rule["fullDescription"] = {{"text", statement_of(id)}};
  return rule;
}

/// Where a case stands: its vector file, or the published sizes of the suites if it is generated.
Json location_of(const Case& one) {
  const std::string file = one.source.empty() ? "conformance/suites.json" : one.source;
  return {{"physicalLocation", {{"artifactLocation", {{"uri", file}}}, {"region", {{"startLine", 1}}}}},
          {"logicalLocations", Json::array({{{"fullyQualifiedName", one.name}, {"kind", "member"}}})}};
}

}  // namespace

Json report_sarif(const Report& report) {
  std::map<std::string, std::size_t> index;
  Json rules = Json::array();
  Json results = Json::array();
  for (const LevelResult& level : report.levels) {
    for (const CaseResult& each : level.results) {
      if (is_good(each.verdict.kind)) continue;
      const std::string rule = rule_of(each.verdict);
      if (index.emplace(rule, rules.size()).second) rules.push_back(rule_json(rule));
      Json result{{"ruleId", rule},
                  {"ruleIndex", index.at(rule)},
                  {"level", "error"},
                  {"message", {{"text", sentence_of(each, report)}}},
                  {"locations", Json::array({location_of(*each.question)})},
                  {"partialFingerprints",
                   {{"case/v1", std::string(level.suite->level->name) + "/" + each.question->name}}},
                  {"properties",
                   {{"level", level.suite->level->name},
                    {"verdict", name_of(each.verdict.kind)},
                    {"replay", replay_of(each, report)}}}};
      if (each.known) {
        const KnownFailure& entry = report.known[*each.known];
        result["suppressions"] = Json::array(
            {{{"kind", "external"},
              {"justification", entry.reason + (entry.link.empty() ? "" : " (" + entry.link + ")")}}});
      }
      results.push_back(std::move(result));
    }
  }
  Json notifications = Json::array();
  for (const KnownProblem& each : report.problems)
    notifications.push_back({{"level", "error"}, {"message", {{"text", sentence_of(each, report)}}}});
  return {
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs",
       Json::array({{{"tool",
                      {{"driver",
                        {{"name", "touchstone conform"},
                         {"version", std::to_string(k_suite_version)},
                         {"rules", rules}}}}},
                     {"invocations", Json::array({{{"executionSuccessful", !report.interrupted},
                                                   {"toolExecutionNotifications", notifications}}})},
                     {"results", results},
                     {"properties", {{"release", report.release}, {"subject", subject_name(report)}}}}})}};
}

}  // namespace touchstone::conformance
