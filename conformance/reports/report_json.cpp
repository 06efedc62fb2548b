#include "conformance/reports/report.hpp"
#include "spec/rules/rules.hpp"

namespace touchstone::conformance {

namespace {

/// A part of an answer as it is in Difference: JSON text.
Json part_of(const std::string& text) { return Json::parse(text, nullptr, false); }

/// The smallest case of a clause, as it was shrunk from `result`.
Json smallest_json(const CaseResult& result, const Report& report) {
  const Case& one = result.smallest->question;
  const CaseVerdict& verdict = result.smallest->verdict;
  return {{"case", one.name},
          {"sentence", sentence_of({&one, verdict}, report)},
          {"admissibleAnswers", one.answers},
          {"question", one.question},
          {"cluster", cluster_of(one)},
          {"ours", one.ours},
          {"given", verdict.given}};
}

Json failure_json(const CaseResult& result, const LevelResult& level, const Report& report) {
  const Case& one = *result.question;
  const CaseVerdict& verdict = result.verdict;
  Json json{{"case", one.name},
            {"level", level.suite->level->name},
            {"command", command_of(one)},
            {"verdict", name_of(verdict.kind)},
            {"sentence", sentence_of(result, report)}};
  if (!one.source.empty()) json["source"] = one.source;
  if (!verdict.clause.empty()) {
    json["clause"] = verdict.clause;
    json["title"] = title_of(verdict.clause);
  }
  if (!verdict.explanation.empty()) json["explanation"] = verdict.explanation;
  if (!verdict.detail.empty()) json["detail"] = verdict.detail;
  if (!verdict.standard_error.empty()) json["standardError"] = verdict.standard_error;
  json["differences"] = Json::array();
  for (const oracle::Difference& each : verdict.differences)
    json["differences"].push_back(
        {{"key", each.key}, {"given", part_of(each.given)}, {"ours", part_of(each.ours)}});
  json["admissibleAnswers"] = one.answers;
  if (!one.example_of.empty()) json["exampleOf"] = one.example_of;
  json["question"] = one.question;
  json["cluster"] = cluster_of(one);
  json["ours"] = one.ours;
  json["given"] = verdict.given;
  if (result.known) json["knownFailure"] = *result.known;
  json["replay"] = replay_of(result, report);
  return json;
}

Json level_json(const LevelResult& level) {
  const Level& of = *level.suite->level;
  Json json{{"level", of.name},
            {"title", of.title},
            {"what", of.what},
            {"cases", level.suite->cases.size()},
            {"hash", level.suite->hash},
            {"outcome", k_outcome_names[static_cast<std::size_t>(outcome_of(level))]},
            {"verdicts", Json::object()},
            {"notClaimed", level.cases_not_claimed},
            {"results", Json::object()}};
  for (std::size_t i = 0; i < k_verdict_names.size(); ++i)
    json["verdicts"][std::string(k_verdict_names[i])] = count_of(level, static_cast<VerdictKind>(i));
  for (const CaseResult& each : level.results)
    json["results"][each.question->name] = name_of(each.verdict.kind);
  return json;
}

Json known_json(const Report& report) {
  Json entries = Json::array();
  for (const KnownFailure& entry : report.known) {
    Json json{{"reason", entry.reason}};
    for (const auto& [key, value] : {std::pair<const char*, const std::string&>{"level", entry.level},
                                     {"clause", entry.clause},
                                     {"case", entry.case_name},
                                     {"link", entry.link},
                                     {"until", entry.until}}) {
      if (!value.empty()) json[key] = value;
    }
    json["problem"] = nullptr;
    entries.push_back(std::move(json));
  }
  for (const KnownProblem& problem : report.problems)
    entries[problem.entry]["problem"] =
        problem.kind == KnownProblem::Kind::expired ? "expired" : "unexpectedPass";
  return entries;
}

}  // namespace

Json report_json(const Report& report) {
  Json json{{"suiteVersion", k_suite_version},
            {"suiteSeed", k_suite_seed},
            {"release", report.release},
            {"notes", report.notes},
            {"subject",
             {{"name", subject_name(report)},
              {"version", report.subject.value("version", Json())},
              {"command", report.command}}},
            {"repeats", report.repeats},
            {"claimed", report.claimed},
            {"notClaimed", Json::object()},
            {"conforms", conforms(report)},
            {"interrupted", report.interrupted},
            {"levels", Json::array()},
            {"clauses", Json::object()},
            {"smallest", Json::object()},
            {"known", known_json(report)},
            {"failures", Json::array()}};
  if (!report.vectors.empty()) json["vectors"] = report.vectors;
  for (const auto& [feature, count] : not_claimed(report)) json["notClaimed"][feature] = count;
  std::map<std::string, std::size_t> clauses;
  for (const LevelResult& level : report.levels) {
    json["levels"].push_back(level_json(level));
    for (const CaseResult& each : level.results) {
      if (is_good(each.verdict.kind)) continue;
      const std::string& clause = each.verdict.clause;
      if (!clause.empty()) ++clauses[clause];
      if (each.smallest && !json["smallest"].contains(clause))
        json["smallest"][clause] = smallest_json(each, report);
      json["failures"].push_back(failure_json(each, level, report));
    }
  }
  for (const auto& [clause, count] : clauses) json["clauses"][clause] = count;
  return json;
}

}  // namespace touchstone::conformance
