#include "oracle/replay/replay.hpp"

#include <gtest/gtest.h>

#include "oracle/protocol/timeline_vectors.hpp"
#include "tests/support/files.hpp"

/// Recorded runs that are replayed.
namespace touchstone::oracle {

namespace {

const char* const k_recorded = "spec/vectors/time/v1.36.3.jsonl";

std::vector<TraceStep> recorded(const std::string& name) {
  const auto trace = read_trace(k_recorded, "", name);
  EXPECT_TRUE(trace) << trace.error().message;
  return trace ? trace.value() : std::vector<TraceStep>();
}

std::vector<TraceStep> steps_of(const std::string& text) {
  const tests::TemporaryDirectory scratch;
  const auto trace = read_trace(scratch.write("trace.jsonl", text), "", "");
  EXPECT_TRUE(trace) << trace.error().message;
  return trace ? trace.value() : std::vector<TraceStep>();
}

/// A scheduler with node n1 of 1 CPU, and pods of 1 CPU each.
std::string start_with(const std::vector<std::string>& pods, const std::string& release = "v1.36.3") {
  std::string all;
  for (const std::string& name : pods) {
    all += (all.empty() ? "" : ",") +
           (R"({"metadata":{"name":")" + name + R"(","uid":"u-)" + name +
            R"("},"spec":{"containers":[{"name":"c","resources":{"requests":{"cpu":"1"}}}]}})");
  }
  return R"({"cmd":"init","release":")" + release +
         R"(","now":"2026-01-01T00:00:00Z","nodes":[{"metadata":{"name":"n1"},"status":{"allocatable":{"cpu":"1","memory":"1Gi","pods":"10"}}}],"pods":[)" +
         all + "]}\n";
}

Replayed judged(const std::vector<TraceStep>& trace, const ReplayLimits& limits = {}) {
  const Result<Replayed> done = replay(trace, limits);
  EXPECT_TRUE(done) << done.error().path << done.error().message;
  return done ? done.value() : Replayed{};
}

}  // namespace

TEST(Replays, AcceptWhatARunningReleaseDid) {
  const auto timelines = read_timelines(k_recorded);
  ASSERT_TRUE(timelines);
  std::size_t count = 0;
  for (const RecordedTimeline& each : timelines.value()) {
    if (++count > 40) break;
    const Replayed done = judged(recorded(each.name));
    EXPECT_FALSE(done.unexplained) << each.name << ": " << done.unexplained->place << " "
                                   << done.unexplained->key;
  }
}

TEST(Replays, AcceptEachChoiceAmongEquals) {
  const std::string start = start_with({"a", "b"});
  for (const char* pod : {"a", "b"}) {
    const std::string cycle =
        R"({"outcome":"scheduled","pod":"default/)" + std::string(pod) + R"(","node":"n1"})";
    EXPECT_FALSE(judged(steps_of(start + cycle)).unexplained) << pod;
  }
  const Replayed wrong = judged(steps_of(start + R"({"outcome":"scheduled","pod":"default/c"})"));
  ASSERT_TRUE(wrong.unexplained);
  EXPECT_EQ(wrong.unexplained->step, 1u);
  EXPECT_EQ(wrong.unexplained->key, "pod");
  EXPECT_EQ(wrong.unexplained->recorded, R"("default/c")");
  EXPECT_EQ(wrong.unexplained->admissible, (std::vector<std::string>{R"("default/a")", R"("default/b")"}));
}

TEST(Replays, SearchHiddenSteps) {
  const std::string start = start_with({"a"});
  const std::string bound = R"({"calls":[{"call":"bind","pod":"default/a"}]})";
  const Replayed found = judged(steps_of(start + bound));
  EXPECT_FALSE(found.unexplained);
  EXPECT_EQ(found.hidden, 1u);
  EXPECT_TRUE(judged(steps_of(start + bound), {.hidden = 0}).unexplained);
  // A timer, then a cycle: a pod without nodes is tried again.
  const std::string lonely =
      R"({"cmd":"init","release":"v1.36.3","now":"2026-01-01T00:00:00Z","pods":[{"metadata":{"name":"a","uid":"u-a"}}]})"
      "\n";
  const std::string advance = R"({"cmd":"advance","seconds":3})"
                              "\n";
  const std::string cycle = R"({"cmd":"cycle"})"
                            "\n";
  const Replayed again =
      judged(steps_of(lonely + cycle + advance + R"({"state":{"attempts":{"default/a":2}}})"));
  EXPECT_FALSE(again.unexplained);
  EXPECT_EQ(again.hidden, 2u);
  // An event that waits.
  const std::string held = R"({"cmd":"hold","watch":"Pod"})"
                           "\n";
  const std::string create =
      R"({"cmd":"write","verb":"create","kind":"Pod","object":{"metadata":{"name":"b","uid":"u-b"}}})"
      "\n";
  EXPECT_EQ(
      judged(steps_of(start + held + create + R"({"state":{"active":["default/a","default/b"]}})")).hidden,
      1u);
}

TEST(Replays, SayWhenALimitCutTheSearch) {
  const std::string start = start_with({"a", "b", "c"});
  const std::string third = R"({"outcome":"scheduled","pod":"default/c"})";
  EXPECT_FALSE(judged(steps_of(start + third)).unexplained);
  const Replayed cut = judged(steps_of(start + third), {.hidden = 0, .paths = 1});
  EXPECT_TRUE(cut.unexplained);
  EXPECT_TRUE(cut.is_cut);
  const std::string unseen = R"({"cmd":"cycle"})";
  EXPECT_TRUE(judged(steps_of(start + unseen), {.hidden = 0, .worlds = 1}).is_cut);
}

TEST(Replays, RejectAWrongStateOrError) {
  const std::string start = start_with({"a"});
  const Replayed state = judged(
      steps_of(start + R"({"command":{"cmd":"state"},"answer":{"state":{"active":[]}}})"), {.hidden = 0});
  EXPECT_EQ(state.unexplained->key, "state.active");
  const std::string answer = R"({"cmd":"answer","call":"bind","pod":"default/a","result":"ok"})";
  const Replayed error =
      judged(steps_of(start + R"({"command":)" + answer + R"(,"answer":{"state":{}}})"), {.hidden = 0});
  EXPECT_EQ(error.unexplained->key, "error");
  EXPECT_FALSE(
      judged(steps_of(start + R"({"command":)" + answer + R"(,"answer":{"error":{}}})")).unexplained);
  EXPECT_FALSE(judged(steps_of(start_with({"a"}, "v1.20.0"))).skipped.empty());
}

TEST(Replays, ReadAList) {
  const std::string start = start_with({"a"});
  const std::string list = "[" + start + R"(, {"outcome":"scheduled"}])";
  EXPECT_FALSE(judged(steps_of(list)).unexplained);
  const tests::TemporaryDirectory scratch;
  const auto wrong = read_trace(scratch.write("trace.json", "[" + start + ", 5]"), "", "");
  EXPECT_EQ(wrong.error().code, "trace-malformed");
  EXPECT_TRUE(wrong.error().path.ends_with("trace.json: [1]")) << wrong.error().path;
}

TEST(Replays, ReadCommandsFromAnotherFile) {
  const tests::TemporaryDirectory scratch;
  const std::string commands = scratch.write("commands.jsonl", start_with({"a"}) + R"({"cmd":"cycle"})");
  const std::string answers = scratch.write("answers.jsonl", "{\"state\":{}}\n{\"outcome\":\"scheduled\"}\n");
  const auto trace = read_trace(answers, commands, "");
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ(trace.value()[1].command["cmd"], "cycle");
  EXPECT_FALSE(judged(trace.value()).unexplained);
  const std::string fewer = scratch.write("fewer.jsonl", "{\"state\":{}}\n");
  EXPECT_EQ(read_trace(fewer, commands, "").error().code, "trace-malformed");
  const std::string no_command = scratch.write("none.jsonl", "{}\n\n{}\n");
  EXPECT_EQ(read_trace(answers, no_command, "").error().code, "trace-malformed");
  EXPECT_EQ(read_trace(answers, "no-such-file", "").error().code, "file-unreadable");
}

}  // namespace touchstone::oracle
