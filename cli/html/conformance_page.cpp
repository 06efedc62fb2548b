#include "cli/html/conformance_page.hpp"

#include <algorithm>

#include "cli/html/page.hpp"
#include "cli/html/picture.hpp"
#include "kubernetes/objects/question.hpp"
#include "oracle/explain/wording.hpp"
#include "oracle/protocol/decider.hpp"

namespace touchstone::cli {

namespace {

using namespace conformance;

const char* state_of(const CaseResult& result) {
  if (is_good(result.verdict.kind)) return "good";
  return result.known ? "other" : "bad";
}

/// Adds the picture of the cluster, and the choice among the candidates. A timeline has neither. Requires:
/// the reference answers the question for this release.
void draw(const Case& one, const NamedRelease& named, Json& shown) {
  if (one.is_timeline()) return;
  const Question question = kubernetes::read_question_text(one.question.dump(), one.name).value();
  const Release release =
      oracle::configured_for(one.question, one.name, question.pod, named).value().release;
  Trace trace = Trace::none();
  if (one.command == oracle::Command::run) {
    const Decision decision = oracle::reference_decider().preempt(question, release, trace);
    shown["picture"] = picture_of(question, release, nodes_of_interest(question, release, decision));
    shown["ladder"] = ladder_of(question, release, decision);
    return;
  }
  const Placement placement = oracle::reference_decider().schedule(question, release, trace);
  shown["picture"] = picture_of(question, release, nodes_of_interest(question, release, placement));
  shown["ladder"] = ladder_of(question, release, placement.decision);
}

Json case_shown(const CaseResult& result, const LevelResult& level, const NamedRelease& named,
                const Report& report) {
  const Case& one = *result.question;
  const CaseVerdict& verdict = result.verdict;
  Json shown{{"name", one.name},
             {"group", level.suite->level->title},
             {"state", state_of(result)},
             {"verdict", name_of(verdict.kind)},
             {"text", sentence_of(result, report)},
             {"ours", one.ours}};
  draw(one, named, shown);
  if (is_good(verdict.kind)) return shown;
  shown["clause"] = verdict.clause;
  shown["question"] = one.question;
  shown["command"] = replay_of(result, report);
  if (!verdict.given.is_null()) shown["given"] = verdict.given;
  shown["notes"] = Json::array();
  if (!verdict.explanation.empty())
    shown["notes"].push_back("The reference " + verdict.explanation + " gives this answer.");
  if (result.known) shown["notes"].push_back("Known failure: " + report.known[*result.known].reason);
  if (!verdict.standard_error.empty())
    shown["notes"].push_back("Standard error: " + oracle::escaped(verdict.standard_error));
  for (const oracle::Difference& each : verdict.differences)
    shown["differences"].push_back({{"key", each.key}, {"ours", each.ours}, {"given", each.given}});
  return shown;
}

Json cell(const std::string& text, const char* style) { return {{"value", text}, {"class", style}}; }

Json outcome_cell(LevelOutcome outcome) {
  switch (outcome) {
    case LevelOutcome::passes:
      return cell("passes", "good");
    case LevelOutcome::known_failures:
      return cell("known failures", "warn");
    case LevelOutcome::fails:
      return cell("fails", "bad");
    default:
      return cell("not claimed", "");
  }
}

Json summary_of(const Report& report) {
  Json rows = Json::array();
  for (const LevelResult& level : report.levels) {
    const std::size_t conform = count_of(level, VerdictKind::conforms);
    const std::size_t several = count_of(level, VerdictKind::conforms_as_one_of);
    rows.push_back({level.suite->level->title, outcome_cell(outcome_of(level)), level.suite->cases.size(),
                    conform, several, level.results.size() - conform - several, level.cases_not_claimed});
  }
  return {{"headings",
           {"Level", "Verdict", "Cases", "Conform", "As one of several", "Do not conform", "Not claimed"}},
          {"numbers", {2, 3, 4, 5, 6}},
          {"rows", rows}};
}

}  // namespace

Json conformance_page(const Report& report) {
  const NamedRelease named = find_release(report.release).value();
  Json cases = Json::array();
  for (const bool good : {false, true}) {
    for (const LevelResult& level : report.levels) {
      for (const CaseResult& each : level.results) {
        if (is_good(each.verdict.kind) == good) cases.push_back(case_shown(each, level, named, report));
      }
    }
  }
  Json notes = report.notes;
  std::string claims;
  for (const auto& [feature, count] : not_claimed(report))
    claims += (claims.empty() ? "" : ", ") + feature + " (" + oracle::count_of(count, "case") + ")";
  if (!claims.empty()) notes.push_back("Not claimed by the subject, and not judged: " + claims);
  for (const KnownProblem& problem : report.problems) notes.push_back(sentence_of(problem, report));
  if (report.interrupted) notes.push_back("Interrupted: the cases after this were not judged.");
  return {{"title", subject_name(report) + " judged as kube-scheduler " + report.release},
          {"subtitle", std::string(conforms(report) ? "conforms" : "does not conform") + ", " +
                           judged_on(report.vectors)},
          {"summary", summary_of(report)},
          {"notes", notes},
          {"cases", cases}};
}

std::optional<Error> write_conformance_page(const std::string& file, const Report& report) {
  if (file.empty()) return std::nullopt;
  return write_html(file, conformance_page(report));
}

}  // namespace touchstone::cli
