#include "conformance/run.hpp"

#include <algorithm>

namespace touchstone::conformance {

namespace {

class Runner {
 public:
  Runner(const RunSetup& setup, const Ask& ask, const std::function<void(std::size_t)>& progress,
         const std::atomic<bool>& stop)
      : setup_(setup), ask_(ask), progress_(progress), stop_(stop) {}

  LevelResult run(const Suite& suite) {
    LevelResult level{&suite, {}, {}, 0};
    std::size_t hangs = 0;
    bool is_cut = false;
    for (const Case& one : suite.cases) {
      if (stop_) break;
      progress_(++done_);
      if (!is_claimed(one, level)) continue;
      if (is_cut) {
        CaseVerdict skipped{.kind = VerdictKind::skipped};
        skipped.detail = "not asked: the subject hung on the " + std::to_string(hangs) + " cases before";
        if (hangs == 1)
          skipped.detail = "not asked: the subject hung on the case before, as in another level";
        level.results.push_back({&one, std::move(skipped)});
        continue;
      }
      std::optional<CaseVerdict> verdict = worst_verdict(one, level);
      if (!verdict) break;
      if (verdict->kind == VerdictKind::skipped) {
        ++level.not_claimed[verdict->detail];
        ++level.cases_not_claimed;
        continue;
      }
      hangs = verdict->kind == VerdictKind::hung ? hangs + 1 : 0;
      is_cut = hangs >= (hung_before_ ? 1 : setup_.hangs_in_a_row_most);
      level.results.push_back({&one, *std::move(verdict)});
    }
    hung_before_ |= is_cut;
    return level;
  }

 private:
  /// Whether the subject claims the features of a case. If not, counts the features.
  bool is_claimed(const Case& one, LevelResult& level) const {
    bool claimed = true;
    for (const std::string_view feature : one.needed) {
      if (setup_.claimed.contains(std::string(feature))) continue;
      ++level.not_claimed[std::string(feature)];
      claimed = false;
    }
    if (!claimed) ++level.cases_not_claimed;
    return claimed;
  }

  /// The verdict of the first repeat that does not conform; that of the first one if all conform. None: the
  /// run was stopped.
  std::optional<CaseVerdict> worst_verdict(const Case& one, LevelResult& level) {
    std::optional<CaseVerdict> worst;
    for (std::size_t i = 0; i < setup_.repeats; ++i) {
      std::optional<CaseVerdict> verdict = verdict_of(one, level, i > 0);
      if (!verdict) return std::nullopt;
      if (!is_good(verdict->kind)) {
        if (i > 0) verdict->detail += (verdict->detail.empty() ? "" : "; ") + again(i);
        return verdict;
      }
      if (!worst) worst = std::move(verdict);
    }
    return worst;
  }

  static std::string again(std::size_t earlier) {
    return "it conformed when it was asked before, " + std::to_string(earlier) +
           (earlier == 1 ? " time" : " times");
  }

  std::optional<CaseVerdict> verdict_of(const Case& one, LevelResult& level, bool is_repeat) {
    CaseReply reply = ask_case(one, setup_, ask_, seq_);
    if (const auto* failure = std::get_if<oracle::Failure>(&reply);
        failure != nullptr && failure->moment == oracle::Moment::before_question) {
      // The subject wrote after its last answer, or ended after it: that case shows the failure.
      if (is_repeat) return judge_failure(*failure);
      blame_the_last(level, *failure);
      reply = ask_case(one, setup_, ask_, seq_);
    }
    if (std::holds_alternative<oracle::Stopped>(reply)) return std::nullopt;
    if (const auto* failure = std::get_if<oracle::Failure>(&reply)) return judge_failure(*failure);
    return judge_answer(one, level.suite->level->id, setup_.release.release, std::get<Json>(reply),
                        setup_.claimed);
  }

  static void blame_the_last(LevelResult& level, const oracle::Failure& failure) {
    if (level.results.empty() || !is_good(level.results.back().verdict.kind)) return;
    CaseVerdict& last = level.results.back().verdict;
    const Json given = last.given;
    last = judge_failure(failure);
    last.detail += "; after its answer";
    last.given = given;
  }

  const RunSetup& setup_;
  const Ask& ask_;
  const std::function<void(std::size_t)>& progress_;
  const std::atomic<bool>& stop_;
  std::size_t done_ = 0;
  long long seq_ = 0;
  bool hung_before_ = false;  ///< the rest of an earlier level was skipped
};

}  // namespace

std::vector<LevelResult> run_suites(std::span<const Suite> suites, const RunSetup& setup, const Ask& ask,
                                    const std::function<void(std::size_t)>& progress,
                                    const std::atomic<bool>& stop) {
  Runner runner(setup, ask, progress, stop);
  std::vector<LevelResult> levels;
  for (const Suite& suite : suites) levels.push_back(runner.run(suite));
  return levels;
}

namespace {

/// The lines of spec/protocol.md that ask a case, without `seq`.
std::vector<Json> lines_of(const Case& one, const RunSetup& setup) {
  std::vector<Json> lines = {one.question};
  if (one.is_timeline()) {
    lines = one.question.at("commands").get<std::vector<Json>>();
  } else {
    lines.front()["cmd"] = oracle::name_of(one.command);
  }
  lines.front()["release"] = setup.release.release.version.text();
  return lines;
}

}  // namespace

CaseReply ask_case(const Case& one, const RunSetup& setup, const Ask& ask, long long& seq) {
  Json answers = Json::array();
  for (Json& line : lines_of(one, setup)) {
    line["seq"] = ++seq;
    oracle::Reply reply = ask(line.dump());
    if (std::holds_alternative<oracle::Stopped>(reply)) return oracle::Stopped();
    if (auto* failure = std::get_if<oracle::Failure>(&reply)) {
      if (!answers.empty()) {
        failure->moment = oracle::Moment::question;
        failure->detail += "; at command " + std::to_string(answers.size()) + " of the timeline";
      }
      return std::move(*failure);
    }
    answers.push_back(Json::parse(std::get<oracle::Answer>(reply).text));
  }
  if (!one.is_timeline()) return answers.front();
  return Json{{"answers", std::move(answers)}};
}

std::size_t count_of(const LevelResult& level, VerdictKind kind) {
  return static_cast<std::size_t>(
      std::count_if(level.results.begin(), level.results.end(),
                    [kind](const CaseResult& each) { return each.verdict.kind == kind; }));
}

LevelOutcome outcome_of(const LevelResult& level) {
  if (level.results.empty()) return LevelOutcome::not_claimed;
  const auto is_bad = [](const CaseResult& each) { return !is_good(each.verdict.kind); };
  const auto is_unknown = [&is_bad](const CaseResult& each) { return is_bad(each) && !each.known; };
  if (std::any_of(level.results.begin(), level.results.end(), is_unknown)) return LevelOutcome::fails;
  const bool any = std::any_of(level.results.begin(), level.results.end(), is_bad);
  return any ? LevelOutcome::known_failures : LevelOutcome::passes;
}

}  // namespace touchstone::conformance
