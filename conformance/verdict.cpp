#include "conformance/verdict.hpp"

#include <algorithm>

#include "conformance/placement_verdict.hpp"
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

/// The verdict on a decision, by the rules of `touchstone fuzz`.
CaseVerdict judge_decision(const Case& one, const NamedRelease& release, const Json& given,
                           const std::set<std::string>& promised) {
  const fuzz::Verdict found =
      fuzz::judge({one.ours}, {given}, release.release, fuzz::LeftAnswers::wholly, promised);
  if (found.judgement == fuzz::Judgement::agree)
    return {.kind = one.answers > 1 ? VerdictKind::conforms_as_one_of : VerdictKind::conforms};
  CaseVerdict verdict{.kind = VerdictKind::violates};
  verdict.differences = found.differences;
  if (found.kind != "answers") return malformed(found.kind + ": " + found.differences.front().given, given);
  const Question question = kubernetes::read_question_text(one.question.dump(), one.name).value();
  const oracle::BrokenRule broken =
      oracle::broken_rule(question, release.release, release.release, given, found.differences);
  verdict.clause = broken.clause;
  verdict.explanation = oracle::explanation_of(broken, release.release);
  return verdict;
}

NamedRelease release_for(const Case& one, const Release& release) {
  const Question question = kubernetes::read_question_text(one.question.dump(), one.name).value();
  return oracle::configured_for(one.question, one.name, question.pod, {release, "", {}}).value();
}

}  // namespace

CaseVerdict judge_answer(const Case& one, LevelId level, const Release& release, const Json& answer,
                         const std::set<std::string>& claimed) {
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
  for (const auto& [key, value] : answer.items()) {
    if (!oracle::is_answer_key(key)) return malformed("unknown key: " + key, answer);
  }
  const bool is_scheduled = answer.value("outcome", Json()) == "scheduled";
  const bool well_formed = is_scheduled ? is_well_formed_placement(answer) : fuzz::is_well_formed(answer);
  if (!well_formed) return malformed("malformed answer: " + answer.dump(), answer);

  std::set<std::string> promised = claimed;
  if (level != LevelId::messages) {
    for (const char* key : k_texts) promised.erase(key);
  }
  const Json given = judged_part(answer, level);
  const NamedRelease configured = release_for(one, release);
  const bool is_placement = is_scheduled || one.ours.at("outcome") == "scheduled";
  CaseVerdict verdict = is_placement ? judge_placement(one, configured.release, given)
                                     : judge_decision(one, configured, given, promised);
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
