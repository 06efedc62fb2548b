#include <chrono>
#include <map>

#include "conformance/run.hpp"
#include "conformance/timelines.hpp"
#include "fuzz/shrink/shrink.hpp"

namespace touchstone::conformance {

namespace {

/// Limits for one clause. A slow or crashing subject must not delay the report without end.
constexpr std::size_t k_questions_most = 4000;
constexpr std::size_t k_failures_most = 10;
constexpr std::chrono::seconds k_time_most{60};

std::size_t question_bytes(const CaseResult& result) { return result.question->question.dump().size(); }

/// The smallest of the results that violate each clause, and its level.
std::map<std::string, std::pair<const CaseResult*, LevelId>> smallest_results(
    const std::vector<LevelResult>& levels) {
  std::map<std::string, std::pair<const CaseResult*, LevelId>> smallest;
  for (const LevelResult& level : levels) {
    for (const CaseResult& each : level.results) {
      if (each.verdict.kind != VerdictKind::violates) continue;
      auto& [best, id] = smallest[each.verdict.clause];
      if (best != nullptr && question_bytes(each) >= question_bytes(*best)) continue;
      best = &each;
      id = level.suite->level->id;
    }
  }
  return smallest;
}

std::shared_ptr<const Shrunk> shrunk(const CaseResult& result, LevelId level, const RunSetup& setup,
                                     const Ask& ask, const std::atomic<bool>& stop) {
  const auto start = std::chrono::steady_clock::now();
  auto smallest = std::make_shared<Shrunk>(Shrunk{*result.question, result.verdict});
  std::size_t failures = 0;
  long long seq = 0;
  const auto gives_up = [&] {
    return stop || failures > k_failures_most || std::chrono::steady_clock::now() - start > k_time_most;
  };
  const auto still_shows = [&](const Json& question) {
    std::optional<Case> smaller = with_question(*result.question, question, setup.release);
    if (!smaller) return false;
    for (const std::string_view feature : smaller->needed)
      if (!setup.claimed.contains(std::string(feature))) return false;
    const CaseReply reply = ask_case(*smaller, setup, ask, seq);
    if (std::holds_alternative<oracle::Failure>(reply)) ++failures;
    const auto* answer = std::get_if<Json>(&reply);
    if (answer == nullptr) return false;
    CaseVerdict verdict = judge_answer(*smaller, level, setup.release.release, *answer, setup.claimed);
    if (verdict.kind != VerdictKind::violates || verdict.clause != result.verdict.clause) return false;
    *smallest = {*std::move(smaller), std::move(verdict)};
    return true;
  };
  if (result.question->is_timeline()) {
    const auto shows = [&](const TimelineScript& script) {
      return !gives_up() && still_shows({{"commands", fuzz::lines_of(script)}});
    };
    fuzz::shrink_timeline(script_of(*result.question, setup.release.release), shows);
  } else {
    fuzz::shrink(result.question->question, still_shows, k_questions_most, gives_up);
  }
  return smallest;
}

}  // namespace

void shrink_smallest(std::vector<LevelResult>& levels, const RunSetup& setup, const Ask& ask,
                     const std::atomic<bool>& stop) {
  std::map<std::string, std::shared_ptr<const Shrunk>> smallest;
  for (const auto& [clause, found] : smallest_results(levels))
    smallest[clause] = shrunk(*found.first, found.second, setup, ask, stop);
  for (LevelResult& level : levels) {
    for (CaseResult& each : level.results) {
      if (each.verdict.kind == VerdictKind::violates) each.smallest = smallest.at(each.verdict.clause);
    }
  }
}

}  // namespace touchstone::conformance
