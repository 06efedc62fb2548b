#include "conformance/verdict.hpp"

#include <algorithm>

#include "conformance/timelines.hpp"
#include "fuzz/campaign/verdict.hpp"
#include "kubernetes/objects/question.hpp"
#include "oracle/compare/attribution.hpp"

namespace touchstone::conformance {

namespace {

CaseVerdict malformed(std::string detail, const Json& answer) {
  CaseVerdict verdict{.kind = VerdictKind::malformed};
  verdict.detail = oracle::escaped(detail);
  verdict.given = answer;
  return verdict;
}

std::string text_in(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

/// The parts of an answer that only Messages judges.
constexpr std::array<const char*, 5> k_texts = {"filter", "dryRun", "ineligible", "reason", "message"};

Json judged_part(const Json& answer, LevelId level) {
  Json part = answer;
  if (level == LevelId::messages) return part;
  for (const char* key : k_texts) part.erase(key);
  return part;
}

/// The release with the feature gates of a question, but without its configuration.
Release release_of(const Case& one, const Question& question, const Release& release) {
  Json gates = one.question;
  gates.erase("config");
  return oracle::configured_for(gates, one.name, question.pod, {release, "", {}}).value().release;
}

/// Finds the clause that an answer violates.
void name_clause(const Case& one, const Release& release, const Json& given, CaseVerdict& verdict) {
  const Question question = kubernetes::read_question_text(one.question.dump(), one.name).value();
  const auto config = one.question.find("config");
  const oracle::Asked asked{question, one.command, config == one.question.end() ? nullptr : &*config};
  const Release own = release_of(one, question, release);
  const oracle::BrokenRule broken = oracle::broken_rule(asked, own, own, given, verdict.differences);
  verdict.clause = broken.clause;
  verdict.explanation = oracle::explanation_of(broken, own);
}

}  // namespace

CaseVerdict judge_answer(const Case& one, LevelId level, const Release& release, const Json& answer,
                         const std::set<std::string>& claimed) {
  if (one.is_timeline()) return judge_timeline(one, release, answer);
  if (answer.contains("skipped")) {
    CaseVerdict verdict{.kind = VerdictKind::unsupported};
    verdict.detail = oracle::escaped(text_in(answer.at("skipped")));
    verdict.given = answer;
    return verdict;
  }
  if (answer.contains("error")) {
    CaseVerdict verdict = malformed("answers with an error: " + answer.at("error").dump(), answer);
    const Json& error = answer.at("error");
    if (error.is_object() && error.value("code", Json()) == "not-supported")
      verdict.kind = VerdictKind::unsupported;
    return verdict;
  }
  std::set<std::string> promised = claimed;
  if (level != LevelId::messages) {
    for (const char* key : k_texts) promised.erase(key);
  }
  const Json given = judged_part(answer, level);
  const fuzz::Verdict found = fuzz::judge({one.ours}, {given}, release, fuzz::LeftAnswers::wholly, promised);
  if (found.judgement == fuzz::Judgement::skipped) {
    CaseVerdict verdict{.kind = VerdictKind::skipped};
    verdict.detail = "verdicts on nodes: " + found.kind;
    verdict.given = answer;
    return verdict;
  }
  CaseVerdict verdict{.kind = one.answers > 1 ? VerdictKind::conforms_as_one_of : VerdictKind::conforms};
  if (found.judgement == fuzz::Judgement::differ) {
    if (found.kind != "answers")
      return malformed(found.kind + ": " + found.differences.front().given, answer);
    verdict.kind = VerdictKind::violates;
    verdict.differences = found.differences;
    name_clause(one, release, given, verdict);
  }
  verdict.given = answer;
  return verdict;
}

CaseVerdict judge_failure(const oracle::Failure& failure) {
  using oracle::FailureKind;
  CaseVerdict verdict;
  switch (failure.kind) {
    case FailureKind::cannot_start:
    case FailureKind::crashed:
    case FailureKind::ended:
      verdict.kind = VerdictKind::crashed;
      break;
    case FailureKind::hung:
      verdict.kind = VerdictKind::hung;
      break;
    case FailureKind::garbage:
    case FailureKind::out_of_order:
    case FailureKind::spoke_unasked:
      verdict.kind = VerdictKind::malformed;
      break;
  }
  const std::string_view code = oracle::code_of(failure.kind);
  verdict.detail = (code == name_of(verdict.kind) ? "" : std::string(code) + ": ") + failure.detail;
  verdict.standard_error = failure.stderr_tail;
  return verdict;
}

}  // namespace touchstone::conformance
