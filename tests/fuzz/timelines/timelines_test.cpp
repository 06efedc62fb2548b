#include "fuzz/timelines/timelines.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fuzz/timelines/laws.hpp"
#include "oracle/protocol/timeline.hpp"
#include "oracle/protocol/timeline_state.hpp"
#include "oracle/protocol/timeline_written.hpp"
#include "reference/queue/play.hpp"
#include "tests/support/builder.hpp"

/// Generated timelines: they are valid, reach the clauses, can be written and read, and shrink.
namespace touchstone::tests::timelines_test {

namespace {

fuzz::TimelinePlan plan(const char* name = "v1.36.3") { return {.release = release(name)}; }

std::set<std::string> clauses_of(const TimelineScript& script) {
  const std::unique_ptr<TimelineModel> model = reference::timeline_model();
  EXPECT_FALSE(model->begin(script.release, script.now_ns, script.objects));
  std::set<std::string> clauses;
  CanonicalChoices choices;
  for (const TimelineCommand& command : script.commands) {
    const StepAnswer answer = model->run(command, choices);
    EXPECT_FALSE(answer.error) << answer.error->message;
    for (const std::string_view clause : answer.clauses) clauses.emplace(clause);
  }
  return clauses;
}

/// The answers of a subject to written commands.
oracle::Json answer_of(oracle::Timeline& subject, const oracle::Json& command) {
  const Result<kubernetes::Document> document = kubernetes::Document::parse(command.dump(), "command");
  return subject.answer(document.value().root(), command["cmd"].get<std::string>());
}

}  // namespace

TEST(Timelines, AreTheSameForTheSameNumber) {
  const TimelineScript once = fuzz::numbered_timeline(plan(), 3, 5);
  const TimelineScript again = fuzz::numbered_timeline(plan(), 3, 5);
  ASSERT_EQ(once.commands.size(), again.commands.size());
  for (std::size_t i = 0; i < once.commands.size(); ++i)
    EXPECT_EQ(oracle::written(once.commands[i]), oracle::written(again.commands[i]));
  EXPECT_NE(oracle::written_beginning(once),
            oracle::written_beginning(fuzz::numbered_timeline(plan(), 3, 6)));
}

TEST(Timelines, HaveCommandsWithoutErrorsAndReachNearlyEveryClause) {
  std::set<std::string> reached;
  for (const char* name : {"v1.32.2", "v1.33.13", "v1.37.2"}) {
    for (std::uint64_t number = 0; number < 500; ++number)
      reached.merge(clauses_of(fuzz::numbered_timeline(plan(name), 1, number)));
  }
  // Not QUE-CALL-2: of several victims one must fail while another one's call waits. Recorded timelines show
  // it.
  EXPECT_GE(reached.size(), 73u);
  for (const char* clause : {"QUE-PREEMPT-1", "QUE-PREEMPT-2", "QUE-GATE-3", "QUE-BIND-2", "QUE-UPDATE-3",
                             "EVT-POD-3", "EVT-POD-4", "NOM-PATCH-1"})
    EXPECT_TRUE(reached.contains(clause)) << clause;
}

TEST(Timelines, AreReadAsTheyAreWritten) {
  for (std::uint64_t number = 0; number < 20; ++number) {
    const TimelineScript script = fuzz::numbered_timeline(plan(), 2, number);
    const std::unique_ptr<TimelineModel> model = reference::timeline_model();
    ASSERT_FALSE(model->begin(script.release, script.now_ns, script.objects));
    oracle::Timeline subject;
    EXPECT_EQ(answer_of(subject, oracle::written_beginning(script)), oracle::json_of(model->first(), false));
    CanonicalChoices choices;
    for (const TimelineCommand& command : script.commands)
      ASSERT_EQ(answer_of(subject, oracle::written(command)),
                oracle::json_of(model->run(command, choices), false))
          << number << " " << oracle::written(command);
  }
}

TEST(Timelines, DoNotDifferBetweenAModelAndItself) {
  const TimelineScript script = fuzz::numbered_timeline(plan(), 1, 1);
  EXPECT_FALSE(fuzz::first_difference(script, reference::timeline_model, reference::timeline_model));
}

TEST(ShrunkTimelines, KeepOnlyWhatShows) {
  const auto preempts = [](const TimelineScript& script) {
    const std::unique_ptr<TimelineModel> model = reference::timeline_model();
    if (model->begin(script.release, script.now_ns, script.objects)) return false;
    CanonicalChoices choices;
    for (const TimelineCommand& command : script.commands) {
      const StepAnswer answer = model->run(command, choices);
      if (answer.cycle && answer.cycle->outcome == CycleOutcome::nominated) return true;
    }
    return false;
  };
  std::uint64_t number = 0;
  while (!preempts(fuzz::numbered_timeline(plan(), 1, number))) ++number;
  const TimelineScript small = fuzz::shrink_timeline(fuzz::numbered_timeline(plan(), 1, number), preempts);
  EXPECT_TRUE(preempts(small));
  EXPECT_EQ(small.objects.nodes.size(), 1u);
  EXPECT_EQ(small.objects.pdbs.size(), 0u);
  EXPECT_LE(small.objects.pods.size() + small.commands.size(), 4u);
}

// Each law can be broken.
TEST(TimelineLaws, NameWhatIsWrong) {
  const Release newest = release("v1.37.2");
  const StateCommand state;
  Observation good;
  good.now_ns = 10;
  good.active = {"default/p"};
  good.attempts["default/p"] = 1;
  good.rejectors["default/p"] = {};
  good.pods["default/p"].pending = true;
  EXPECT_EQ(fuzz::broken_law(newest, good, state, good), "");

  Observation bad = good;
  bad.now_ns = 9;
  EXPECT_EQ(fuzz::broken_law(newest, good, state, bad), "time runs back");
  bad = good;
  bad.backoff = {"default/p"};
  EXPECT_EQ(fuzz::broken_law(newest, good, state, bad), "default/p is in two parts of the queue");
  bad = good;
  bad.active.clear();
  EXPECT_EQ(fuzz::broken_law(newest, good, state, bad), "default/p is lost");
  bad = good;
  bad.pods.clear();
  EXPECT_EQ(fuzz::broken_law(newest, good, state, bad),
            "default/p is queued, but is no pending pod of the API");
  bad.held_events[WatchedKind::pod] = 1;
  EXPECT_EQ(fuzz::broken_law(newest, good, state, bad), "");
  bad = good;
  bad.nominated = {{"n1", {"default/p"}}, {"n2", {"default/p"}}};
  EXPECT_EQ(fuzz::broken_law(newest, good, state, bad), "default/p is nominated twice");
  bad = good;
  bad.gated["default/p"] = "SchedulingGates";
  EXPECT_EQ(fuzz::broken_law(newest, good, state, bad),
            "default/p is gated, but not in the unschedulable part");
  bad.active.clear();
  bad.unschedulable = {"default/p"};
  EXPECT_EQ(fuzz::broken_law(newest, good, state, bad),
            "default/p is not rejected by the plug-in that gates it");
  bad = good;
  bad.active.clear();
  bad.backoff = {"default/p"};
  bad.backoff_ends_ns["default/p"] = bad.now_ns + 11'000'000'001;
  EXPECT_EQ(fuzz::broken_law(newest, good, state, bad), "default/p backs off for too long");
  bad = good;
  bad.attempts["default/p"] = 0;
  EXPECT_EQ(fuzz::broken_law(newest, good, state, bad), "default/p has fewer attempts than before");
  EXPECT_EQ(fuzz::broken_law(newest, good, WriteCommand{}, bad), "");
}

// QUE-ENTITY-1, QUE-ENTITY-4: incomplete and pending pods of a group are in no part of the queue, and not lost.
TEST(TimelineLaws, KnowThePlacesOfGroups) {
  const Release newest = release("v1.37.2");
  Observation state;
  state.pods["default/p"].pending = true;
  const auto broken = [&] { return fuzz::broken_law(newest, state, StateCommand{}, state); };
  EXPECT_EQ(broken(), "default/p is lost");
  state.incomplete = {{"default/p"}};
  EXPECT_EQ(broken(), "");
  state.gated["default/p"] = "SchedulingGates";
  state.rejectors["default/p"] = {"SchedulingGates"};
  EXPECT_EQ(broken(), "") << "its PodGroup was deleted";
  state.pending = {{"default/p"}};
  EXPECT_EQ(broken(), "default/p is in two parts of the queue");
  state.incomplete->clear();
  EXPECT_EQ(broken(), "default/p is gated, but not in the unschedulable part");
  state.gated.clear();
  EXPECT_EQ(broken(), "");
}

}  // namespace touchstone::tests::timelines_test
