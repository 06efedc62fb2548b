#include "conformance/timelines.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/conformance/support.hpp"

/// Level Time: cases that are timelines, and the verdicts on answers to them.
namespace touchstone::conformance {

namespace {

/// A timeline in which the pod p waits for the CPU of n1, until the pod a is removed.
std::vector<Json> small_timeline() {
  const Json small = small_question();
  Json p = small.at("pod");
  p["spec"]["priority"] = 0;
  p["spec"]["containers"][0]["resources"]["requests"]["cpu"] = "1";
  return {{{"cmd", "init"},
           {"now", "2026-01-01T00:00:00Z"},
           {"nodes", Json::array({small.at("nodes").at(0)})},
           {"pods", Json::array({small.at("pods").at(1)})},
           {"pdbs", Json::array()}},
          {{"cmd", "write"}, {"verb", "create"}, {"kind", "Pod"}, {"object", p}},
          {{"cmd", "cycle"}},
          {{"cmd", "advance"}, {"seconds", 2}}};
}

Case small_case() {
  return timeline_case("small", "", small_timeline(), a_release().release).value();
}

/// Runs a subject on the small timeline. `wrong(i, answer)` may replace its answer to line i.
CaseResult played_by(const std::function<oracle::Reply(std::size_t, Json)>& wrong) {
  static const Suite suite{&level_of(LevelId::time), {small_case()}, "0123456789abcdef"};
  oracle::Subject reference;
  std::size_t asked = 0;
  RunSetup setup = all_claimed(a_release());
  setup.repeats = 1;
  const Ask ask = [&](const std::string& line) {
    return wrong(asked++, Json::parse(reference.answer(line)));
  };
  return run_suites({&suite, 1}, setup, ask, [](std::size_t) {}, k_go_on).front().results.front();
}

oracle::Reply given_as(const Json& answer) { return oracle::Answer{answer.dump()}; }

}  // namespace

TEST(Timelines, AreCasesOfReleasesThatAreModelledOverTime) {
  EXPECT_FALSE(timeline_case("a", "", small_timeline(), find_release("v1.20.15").value().release));
  EXPECT_FALSE(timeline_case("a", "", {}, a_release().release));
  const std::vector<Json> malformed = {small_timeline().front(), {{"cmd", "advance"}, {"seconds", "soon"}}};
  EXPECT_FALSE(timeline_case("a", "", malformed, a_release().release));
  std::vector<Json> failing = small_timeline();
  failing.push_back(failing[1]);  // the pod exists
  EXPECT_FALSE(timeline_case("a", "", failing, a_release().release));
  EXPECT_TRUE(suites_for("v1.20.15").back().cases.empty());
  EXPECT_GT(suites_for("v1.37.2").back().cases.size(), 250U);
}

TEST(Timelines, OfMistakesAreWrittenAndRead) {
  const std::string file = (std::filesystem::temp_directory_path() / "touchstone-timelines.jsonl").string();
  oracle::RecordedTimeline timeline;
  timeline.name = "mistakes/later-pods-first";
  timeline.release = "v1.36.3";
  timeline.clauses = {"QUE-ORDER-1"};
  timeline.commands = small_timeline();
  EXPECT_FALSE(write_mistaken_timelines(file, {timeline}));
  const auto read = read_mistaken_timelines(file).value();
  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(read[0].name, timeline.name);
  EXPECT_EQ(read[0].release, timeline.release);
  EXPECT_EQ(read[0].clauses, timeline.clauses);
  EXPECT_EQ(read[0].commands, timeline.commands);
  std::ofstream(file) << "{}\n";
  EXPECT_EQ(read_mistaken_timelines(file).error().code, "vector-malformed");
  EXPECT_EQ(read_mistaken_timelines(file).error().path, file + ":1");
  std::ofstream(file) << R"({"fault":)";
  EXPECT_EQ(read_mistaken_timelines(file).error().path, file + ":1");
  std::filesystem::remove(file);
  EXPECT_EQ(read_mistaken_timelines(file).error().code, "file-unreadable");
}

TEST(Timelines, NeedTheFeaturesOfTheirObjects) {
  EXPECT_EQ(small_case().needed, (std::set<std::string_view>{"core", "timeline"}));
  std::vector<Json> lines = small_timeline();
  lines[0]["nodes"][0]["spec"]["unschedulable"] = true;
  lines[1]["object"]["spec"]["containers"][0]["ports"] = {{{"hostPort", 80}, {"containerPort", 80}}};
  EXPECT_EQ(timeline_case("a", "", lines, a_release().release).value().needed,
            (std::set<std::string_view>{"core", "ports", "taints", "timeline"}));
}

TEST(Timelines, OfTheReferenceConform) {
  const CaseResult result = played_by([](std::size_t, const Json& answer) { return given_as(answer); });
  EXPECT_EQ(result.verdict.kind, VerdictKind::conforms);
  EXPECT_EQ(result.verdict.given.at("answers").size(), 4U);
  const Json& last = result.verdict.given.at("answers").at(2);
  EXPECT_EQ(last.at("outcome"), "none");
}

TEST(Timelines, ViolateAClauseAtTheFirstAnswerThatDiffers) {
  const CaseResult result = played_by([](std::size_t i, Json answer) {
    if (i == 2) answer["state"]["unschedulable"] = Json::array();
    if (i == 3) answer["state"]["active"] = {"default/q"};
    return given_as(answer);
  });
  EXPECT_EQ(result.verdict.kind, VerdictKind::violates);
  EXPECT_TRUE(result.verdict.clause.starts_with("QUE-PUT")) << result.verdict.clause;
  ASSERT_EQ(result.verdict.differences.size(), 1U);
  EXPECT_EQ(result.verdict.differences[0].key, "answers[2].state.unschedulable");
  EXPECT_EQ(result.verdict.differences[0].given, "[]");
  EXPECT_EQ(result.verdict.differences[0].ours, R"(["default/p"])");
  EXPECT_EQ(result.verdict.detail, "in the answer to command 2 (cycle)");
}

TEST(Timelines, MayLeaveOutPartsOfTheState) {
  const CaseResult result = played_by([](std::size_t, Json answer) {
    answer["state"] = {{"active", answer["state"]["active"]}};
    return given_as(answer);
  });
  EXPECT_EQ(result.verdict.kind, VerdictKind::conforms);
}

TEST(Timelines, HaveAVerdictWhateverTheSubjectDoes) {
  const auto verdict = [](const Json& instead) {
    return played_by([&](std::size_t i, const Json& answer) { return given_as(i == 2 ? instead : answer); })
        .verdict;
  };
  EXPECT_EQ(verdict({{"error", "no"}}).kind, VerdictKind::malformed);
  EXPECT_EQ(verdict({{"error", {{"code", "not-supported"}}}}).kind, VerdictKind::unsupported);
  EXPECT_EQ(verdict({{"skipped", "pods with volumes"}}).kind, VerdictKind::unsupported);
  EXPECT_EQ(verdict({{"skipped", "pods"}}).detail, "in the answer to command 2 (cycle): skipped \"pods\"");
  EXPECT_FALSE(is_good(verdict({{"calls", 7}, {"state", "none"}}).kind));
  EXPECT_FALSE(is_good(verdict(Json::object()).kind));
  const CaseResult crashed = played_by([](std::size_t i, const Json& answer) {
    if (i != 2) return given_as(answer);
    return oracle::Reply(oracle::Failure{oracle::FailureKind::crashed, oracle::Moment::before_question, "signal 11",
                                         {}, ""});
  });
  EXPECT_EQ(crashed.verdict.kind, VerdictKind::crashed);
  EXPECT_EQ(crashed.verdict.detail, "signal 11; at command 2 of the timeline");
}

TEST(Timelines, AreShrunkToTheCommandsThatShowTheViolation) {
  static const Suite suite{&level_of(LevelId::time), {small_case()}, "0123456789abcdef"};
  oracle::Subject reference;
  const Ask ask = [&](const std::string& line) {
    Json answer = Json::parse(reference.answer(line));
    if (answer.contains("outcome")) answer["outcome"] = "error";
    return oracle::Reply(oracle::Answer{answer.dump()});
  };
  const RunSetup setup = all_claimed(a_release());
  std::vector<LevelResult> levels = run_suites({&suite, 1}, setup, ask, [](std::size_t) {}, k_go_on);
  ASSERT_EQ(levels[0].results[0].verdict.kind, VerdictKind::violates);
  shrink_smallest(levels, setup, ask, k_go_on);
  ASSERT_NE(levels[0].results[0].smallest, nullptr);
  EXPECT_LT(levels[0].results[0].smallest->question.question.at("commands").size(), 4U);
}

}  // namespace touchstone::conformance
