#include <gtest/gtest.h>

#include "tests/conformance/support.hpp"

/// A bad subject never ends a run: each case has a verdict.
namespace touchstone::conformance {

namespace {

using oracle::Failure;
using oracle::FailureKind;
using oracle::Moment;

/// Runs a subject on ten cases. `wrong(i, answer)` may replace the reply to question i, counted from 0.
LevelResult run_with(const std::function<oracle::Reply(std::size_t, Json)>& wrong, std::size_t repeats = 1) {
  static const Suite suite = small_suite(10, a_release());
  oracle::Subject reference;
  std::size_t asked = 0;
  RunSetup setup = all_claimed(a_release());
  setup.repeats = repeats;
  const Ask ask = [&](const std::string& line) {
    return wrong(asked++, Json::parse(reference.answer(line)));
  };
  return run_suites({&suite, 1}, setup, ask, [](std::size_t) {}, k_go_on).front();
}

oracle::Reply right(const Json& answer) { return oracle::Answer{answer.dump()}; }

Failure failure(FailureKind kind, Moment moment = Moment::question) {
  return {kind, moment, "as the test wants", {}, "last words"};
}

std::vector<VerdictKind> kinds(const LevelResult& level) {
  std::vector<VerdictKind> all;
  for (const CaseResult& each : level.results) all.push_back(each.verdict.kind);
  return all;
}

}  // namespace

TEST(BadSubject, ThatCrashesOnACaseIsAskedTheOthers) {
  const LevelResult level = run_with([](std::size_t i, const Json& answer) {
    return i == 3 ? oracle::Reply(failure(FailureKind::crashed)) : right(answer);
  });
  ASSERT_EQ(level.results.size(), 10U);
  EXPECT_EQ(count_of(level, VerdictKind::crashed), 1U);
  EXPECT_EQ(level.results[3].verdict.kind, VerdictKind::crashed);
  EXPECT_EQ(level.results[3].verdict.standard_error, "last words");
  EXPECT_EQ(outcome_of(level), LevelOutcome::fails);
}

TEST(BadSubject, EachFailureHasItsVerdict) {
  const std::vector<std::pair<FailureKind, VerdictKind>> expected = {
      {FailureKind::cannot_start, VerdictKind::crashed},
      {FailureKind::crashed, VerdictKind::crashed},
      {FailureKind::ended, VerdictKind::crashed},
      {FailureKind::hung, VerdictKind::hung},
      {FailureKind::garbage, VerdictKind::malformed},
      {FailureKind::out_of_order, VerdictKind::malformed},
      {FailureKind::spoke_unasked, VerdictKind::malformed}};
  for (const auto& [kind, verdict] : expected) EXPECT_EQ(judge_failure(failure(kind)).kind, verdict);
}

TEST(BadSubject, ThatHangsAlwaysIsAskedFiveCasesOfALevel) {
  std::size_t asked = 0;
  const LevelResult level = run_with([&asked](std::size_t, const Json&) {
    ++asked;
    return oracle::Reply(failure(FailureKind::hung));
  });
  EXPECT_EQ(asked, 5U);
  ASSERT_EQ(level.results.size(), 10U);
  EXPECT_EQ(count_of(level, VerdictKind::hung), 5U);
  EXPECT_EQ(count_of(level, VerdictKind::skipped), 5U);
  EXPECT_EQ(level.results[9].verdict.detail, "not asked: the subject hung on the 5 cases before");
  EXPECT_EQ(outcome_of(level), LevelOutcome::fails);
}

TEST(BadSubject, ThatHungInALevelIsAskedOneCaseOfTheNext) {
  const std::vector<Suite> suites = {small_suite(8, a_release()), small_suite(8, a_release())};
  const Ask ask = [](const std::string&) { return oracle::Reply(failure(FailureKind::hung)); };
  const auto levels = run_suites(suites, all_claimed(a_release()), ask, [](std::size_t) {}, k_go_on);
  EXPECT_EQ(count_of(levels[0], VerdictKind::hung), 5U);
  EXPECT_EQ(count_of(levels[1], VerdictKind::hung), 1U);
  EXPECT_EQ(count_of(levels[1], VerdictKind::skipped), 7U);
}

TEST(BadSubject, ThatHangsNowAndThenIsAskedEveryCase) {
  const LevelResult level = run_with([](std::size_t i, const Json& answer) {
    return i % 2 == 0 ? oracle::Reply(failure(FailureKind::hung)) : right(answer);
  });
  EXPECT_EQ(count_of(level, VerdictKind::hung), 5U);
  EXPECT_EQ(count_of(level, VerdictKind::conforms), 5U);
}

TEST(BadSubject, ThatWritesAfterItsAnswerIsMalformedInThatCase) {
  const LevelResult level = run_with([](std::size_t i, const Json& answer) {
    return i == 4 ? oracle::Reply(failure(FailureKind::spoke_unasked, Moment::before_question))
                  : right(answer);
  });
  EXPECT_EQ(level.results[3].verdict.kind, VerdictKind::malformed);
  EXPECT_FALSE(level.results[3].verdict.given.is_null());
  EXPECT_EQ(level.results[4].verdict.kind, VerdictKind::conforms);
  EXPECT_EQ(count_of(level, VerdictKind::conforms), 9U);
}

TEST(BadSubject, ThatWritesBeforeEachQuestionIsMalformed) {
  const LevelResult level = run_with([](std::size_t, const Json&) {
    return oracle::Reply(failure(FailureKind::spoke_unasked, Moment::before_question));
  });
  EXPECT_EQ(count_of(level, VerdictKind::malformed), 10U);
}

TEST(BadSubject, ThatChangesItsMindViolatesAClause) {
  const auto changes = [](std::size_t i, Json answer) {
    if (i % 2 == 1) answer = Json{{"outcome", "none"}};
    return right(answer);
  };
  const LevelResult level = run_with(changes, 2);
  EXPECT_EQ(count_of(level, VerdictKind::violates), 10U);
  EXPECT_EQ(level.results[0].verdict.detail, "it conformed when it was asked before, 1 time");
}

TEST(BadSubject, MayAnswerAnything) {
  const LevelResult level = run_with([](std::size_t i, Json answer) {
    switch (i) {
      case 0:
        return right({{"seq", 1}});
      case 1:
        return right({{"outcome", 7}});
      case 2:
        return right({{"outcome", "nominated"}, {"node", "nowhere"}, {"victims", Json::array()}});
      case 3:
        return right({{"outcome", "scheduled"}, {"node", "n1"}});
      case 4:
        return right({{"outcome", "scheduled"}, {"node", 3}});
      case 5:
        answer["candidates"] = {1, 2};
        return right(answer);
      case 6:
        answer["victim"] = "default/a";
        return right(answer);
      case 7:
        return right({{"error", {{"code", "panic"}}}});
      case 8:
        return right({{"error", {{"code", "not-supported"}}}});
      default:
        return right({{"skipped", {"everything"}}});
    }
  });
  using enum VerdictKind;
  EXPECT_EQ(kinds(level),
            (std::vector<VerdictKind>{malformed, malformed, violates, violates, malformed, malformed,
                                      malformed, malformed, unsupported, unsupported}));
}

TEST(BadSubject, StoppedByTheUserLeavesTheRestOut) {
  const LevelResult level = run_with([](std::size_t i, const Json& answer) {
    return i == 4 ? oracle::Reply(oracle::Stopped{}) : right(answer);
  });
  EXPECT_EQ(level.results.size(), 4U);
}

}  // namespace touchstone::conformance
