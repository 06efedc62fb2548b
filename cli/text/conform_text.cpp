#include "cli/text/conform_text.hpp"

#include <map>
#include <sstream>

#include "cli/terminal/output.hpp"
#include "cli/terminal/text.hpp"
#include "oracle/explain/wording.hpp"

namespace touchstone::cli {

namespace {

using namespace conformance;

Style style_of(LevelOutcome outcome) {
  switch (outcome) {
    case LevelOutcome::passes:
      return Style::good;
    case LevelOutcome::known_failures:
      return Style::warning;
    case LevelOutcome::fails:
      return Style::bad;
    default:
      return Style::faint;
  }
}

std::string words_of(LevelOutcome outcome) {
  switch (outcome) {
    case LevelOutcome::passes:
      return "passes";
    case LevelOutcome::known_failures:
      return "known failures";
    case LevelOutcome::fails:
      return "fails";
    default:
      return "not claimed";
  }
}

/// "12 violate, 1 hung": the verdicts that are not good, with their numbers of cases.
std::string bad_verdicts(const LevelResult& level) {
  std::string text;
  for (std::size_t i = 2; i < k_verdict_names.size(); ++i) {
    const std::size_t count = count_of(level, static_cast<VerdictKind>(i));
    if (count > 0)
      text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + std::string(k_verdict_names[i]);
  }
  return text.empty() ? "-" : text;
}

std::string table_of_levels(const Report& report, const Terminal& terminal) {
  std::vector<Row> rows = {heading(
      terminal, {"LEVEL", "VERDICT", "CASES", "NOT CLAIMED", "CONFORM", "AS ONE OF SEVERAL", "OTHERS"})};
  for (const LevelResult& level : report.levels) {
    const LevelOutcome outcome = outcome_of(level);
    rows.push_back({std::string(level.suite->level->title),
                    terminal.styled(style_of(outcome), words_of(outcome)),
                    std::to_string(level.suite->cases.size()), std::to_string(level.cases_not_claimed),
                    std::to_string(count_of(level, VerdictKind::conforms)),
                    std::to_string(count_of(level, VerdictKind::conforms_as_one_of)), bad_verdicts(level)});
  }
  return table(terminal, rows);
}

/// The failures with one clause, or with one verdict if there is no clause.
struct Group {
  std::size_t cases = 0;
  std::size_t known = 0;
  std::size_t size = 0;
  const CaseResult* smallest = nullptr;
};

std::map<std::string, Group> groups_of(const Report& report) {
  std::map<std::string, Group> groups;
  for (const LevelResult& level : report.levels) {
    for (const CaseResult& each : level.results) {
      if (is_good(each.verdict.kind)) continue;
      const std::string& clause = each.verdict.clause;
      Group& group = groups[clause.empty() ? std::string(name_of(each.verdict.kind)) : clause];
      ++group.cases;
      if (each.known) ++group.known;
      const std::size_t size = each.question->question.dump().size();
      if (group.smallest != nullptr && size >= group.size) continue;
      group.smallest = &each;
      group.size = size;
    }
  }
  return groups;
}

/// The sentence and the cluster of a case that was shrunk.
std::string shrunk_text(const Shrunk& shrunk, const Report& report) {
  std::string text = "  shrunk: " + printable(sentence_of({&shrunk.question, shrunk.verdict}, report)) + "\n";
  std::istringstream cluster(cluster_of(shrunk.question));
  for (std::string line; std::getline(cluster, line);) text += "    " + printable(line) + "\n";
  return text;
}

std::string failures_of(const Report& report, const Terminal& terminal) {
  std::string text;
  for (const auto& [name, group] : groups_of(report)) {
    const CaseResult& smallest = *group.smallest;
    const std::string known = group.known == 0 ? "" : ", " + std::to_string(group.known) + " known";
    text += "\n" + terminal.styled(Style::bad, name) + "  " + oracle::count_of(group.cases, "case") + known +
            "; the smallest is " + printable(smallest.question->name) + "\n  " +
            printable(sentence_of(smallest, report)) + "\n";
    if (!smallest.verdict.explanation.empty())
      text += "  The reference " + printable(smallest.verdict.explanation) + " gives this answer.\n";
    for (const std::string& line : oracle::last_lines(smallest.verdict.standard_error, 3))
      text += "    standard error: " + printable(line) + "\n";
    text += "  replay: " + printable(replay_of(smallest, report)) + "\n";
    if (smallest.smallest) text += shrunk_text(*smallest.smallest, report);
  }
  return text;
}

}  // namespace

std::string text_of(const Report& report, const Terminal& terminal) {
  std::string text = printable(subject_name(report)) + " judged as kube-scheduler " + report.release + ", " +
                     judged_on(report.vectors) + "\n\n" + table_of_levels(report, terminal);
  std::string claims;
  for (const auto& [feature, count] : not_claimed(report))
    claims += (claims.empty() ? "" : ", ") + feature + " (" + oracle::count_of(count, "case") + ")";
  if (!claims.empty()) text += "\nNot claimed by the subject, and not judged: " + claims + "\n";
  text += failures_of(report, terminal);
  for (const KnownProblem& each : report.problems)
    text += "\n" + terminal.styled(Style::bad, sentence_of(each, report)) + "\n";
  if (report.interrupted) text += "\ninterrupted: the cases after this were not judged\n";
  return text;
}

std::string text_of(const std::vector<faults::FaultLevel>& levels, const Terminal& terminal) {
  std::vector<Row> rows = {heading(terminal, {"FAULT", "RELEASE", "CLAUSE", "LEVEL", "SMALLEST CASE"})};
  std::size_t shown = 0;
  for (const bool violates : {false, true}) {
    for (const faults::FaultLevel& each : levels) {
      if (each.level.empty() == violates) continue;
      if (violates) ++shown;
      std::string instead;
      for (const std::string& clause : each.instead) instead += (instead.empty() ? "" : ", ") + clause;
      rows.push_back({std::string(each.fault->id), std::string(each.fault->release),
                      std::string(each.fault->clause), violates ? each.level : "none",
                      violates          ? each.case_name
                      : instead.empty() ? ""
                                        : "violates " + instead});
    }
  }
  return std::to_string(shown) + " of " + oracle::count_of(levels.size(), "seeded fault") +
         " violate their clause at a level\n\n" + table(terminal, rows);
}

std::string table_of_cases(const std::vector<Suite>& suites, const Terminal& terminal) {
  std::vector<Row> rows = {heading(terminal, {"LEVEL", "CASE", "NEEDS"})};
  for (const Suite& suite : suites) {
    for (const Case& one : suite.cases) {
      std::string needs;
      for (const std::string_view feature : one.needed)
        needs += (needs.empty() ? "" : ", ") + std::string(feature);
      rows.push_back({std::string(suite.level->name), printable(one.name), needs});
    }
  }
  return table(terminal, rows);
}

std::string table_of(const std::vector<Suite>& suites, const Terminal& terminal) {
  std::vector<Row> rows = {heading(terminal, {"LEVEL", "CASES", "HASH", "WHAT IT JUDGES"})};
  for (const Suite& each : suites)
    rows.push_back({std::string(each.level->name), std::to_string(each.cases.size()), each.hash,
                    std::string(each.level->what)});
  return table(terminal, rows);
}

}  // namespace touchstone::cli
