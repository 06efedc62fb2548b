#include "conformance/reports/report.hpp"

#include <algorithm>

#include "fuzz/campaign/difference_text.hpp"
#include "kubernetes/objects/question.hpp"
#include "kubernetes/write/yaml_written.hpp"
#include "oracle/compare/difference_wording.hpp"
#include "spec/rules/rules.hpp"

namespace touchstone::conformance {

namespace {

/// A word as a shell reads it.
std::string shell_word(const std::string& word) {
  constexpr std::string_view k_plain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./=:,+@%";
  if (!word.empty() && word.find_first_not_of(k_plain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string difference_sentence(const CaseResult& result, const Report& report) {
  const CaseVerdict& verdict = result.verdict;
  const oracle::Difference& first = verdict.differences.front();
  return oracle::difference_phrase(first, first.given, verdict.given) + "; kube-scheduler " + report.release +
         " " + oracle::difference_phrase(first, first.ours, result.question->ours);
}

}  // namespace

bool conforms(const Report& report) {
  const auto is = [](LevelOutcome outcome) {
    return [outcome](const LevelResult& level) { return outcome_of(level) == outcome; };
  };
  const std::vector<LevelResult>& levels = report.levels;
  return report.problems.empty() && std::none_of(levels.begin(), levels.end(), is(LevelOutcome::fails)) &&
         !std::all_of(levels.begin(), levels.end(), is(LevelOutcome::not_claimed));
}

std::string subject_name(const Report& report) {
  const Json name = report.subject.value("name", Json());
  return name.is_string() ? oracle::escaped(name.get<std::string>()) : "subject";
}

std::string sentence_of(const CaseResult& result, const Report& report) {
  const CaseVerdict& verdict = result.verdict;
  if (verdict.kind == VerdictKind::conforms) return "conforms";
  if (verdict.kind == VerdictKind::conforms_as_one_of)
    return "conforms as one of " + std::to_string(result.question->answers) + " admissible answers";
  if (verdict.kind != VerdictKind::violates)
    return std::string(name_of(verdict.kind)) + ": " + verdict.detail;
  const std::string title(title_of(verdict.clause));
  return verdict.clause + (title.empty() ? "" : ", " + title) + ": " + difference_sentence(result, report) +
         (verdict.detail.empty() ? "" : "; " + verdict.detail);
}

std::string sentence_of(const KnownProblem& problem, const Report& report) {
  const KnownFailure& entry = report.known[problem.entry];
  std::string named;
  for (const auto& [what, value] : {std::pair<std::string, std::string>{"level ", entry.level},
                                    {"clause ", entry.clause},
                                    {"case ", entry.case_name}}) {
    if (!value.empty()) named += (named.empty() ? "" : ", ") + what + value;
  }
  const std::string entry_name =
      report.known_file + ": entry " + std::to_string(problem.entry + 1) + " (" + named + ")";
  if (problem.kind == KnownProblem::Kind::expired)
    return entry_name + " has expired: the subject has version " +
           report.subject.value("version", Json("")).dump() + ", and the entry is until " + entry.until;
  return entry_name + " passes unexpectedly: remove the entry";
}

std::string cluster_of(const Case& one) {
  if (one.is_timeline()) return kubernetes::yaml_of(one.question);
  const Question question = kubernetes::read_question_text(one.question.dump(), one.name).value();
  Json rest{{"pod", question.pod.ns + "/" + question.pod.name}};
  for (const char* key : {"offset", "quota", "start", "featureGates", "config", "policy", "extenders"}) {
    if (one.question.contains(key)) rest[key] = one.question.at(key);
  }
  return fuzz::as_comment(kubernetes::yaml_of(rest)) + fuzz::cluster_as_yaml(question);
}

std::string judged_on(const std::string& vectors) {
  if (!vectors.empty()) return "vectors of " + vectors;
  return "conformance suite " + std::to_string(k_suite_version);
}

std::string replay_of(const CaseResult& result, const Report& report) {
  std::string text =
      "touchstone conform --release " + report.release + " --case " + shell_word(result.question->name);
  if (!report.vectors.empty()) text += " --vectors " + shell_word(report.vectors);
  text += " --";
  for (const std::string& word : report.command) text += " " + shell_word(word);
  return text;
}

std::map<std::string, std::size_t> not_claimed(const Report& report) {
  std::map<std::string, std::size_t> counts;
  for (const LevelResult& level : report.levels) {
    for (const auto& [feature, count] : level.not_claimed) counts[feature] += count;
  }
  return counts;
}

}  // namespace touchstone::conformance
