#include "reference/queue/play.hpp"

#include <gtest/gtest.h>

#include "tests/reference/queue/events_of_objects.hpp"
#include "tests/support/commands.hpp"

/// The commands of the protocol, and what can be seen after each.
namespace touchstone::tests::play_test {

using namespace commands;
using events_of_objects::object_of;

using Names = std::vector<std::string>;

namespace {

/// A scheduler with node n1 of 1 CPU.
class PlayCommands : public testing::Test {
 protected:
  PlayCommands() : model_(reference::timeline_model()) {
    EXPECT_FALSE(model_->begin(release("v1.36.3"), 0, {{}, {node_with("n1", 1000)}, {}}));
  }
  StepAnswer run(const TimelineCommand& command) { return model_->run(command, choices_); }
  StepAnswer creates(Pod created) {
    created.uid = "u-" + created.name;
    return run(WriteCommand{Verb::create, PodObject{created, 30, {}}});
  }

  std::unique_ptr<TimelineModel> model_;
  CanonicalChoices choices_;
};

Pod gated(Pod pod) {
  pod.scheduling_gates = {"g"};
  return pod;
}

}  // namespace

TEST_F(PlayCommands, ShowEveryPartOfTheState) {
  EXPECT_TRUE(model_->first().state.active.empty());
  creates(placed(pod("v", 0, 1000), "n1"));
  creates(gated(pod("g", 0, 1000)));
  creates(pod("p", 10, 1000));
  run(HoldCallCommand{CallKind::remove, "default/v"});
  run(HoldWatchCommand{WatchedKind::pod});
  const StepAnswer cycle = run(CycleCommand{});
  ASSERT_TRUE(cycle.cycle);
  EXPECT_EQ(cycle.cycle->outcome, CycleOutcome::nominated);
  EXPECT_EQ(cycle.calls.size(), 3u);
  const Observation& seen = cycle.state;
  EXPECT_EQ(seen.unschedulable, (std::vector<std::string>{"default/g", "default/p"}));
  EXPECT_EQ(seen.gated.at("default/g"), "SchedulingGates");
  EXPECT_EQ(seen.rejectors.at("default/p"), (std::set<std::string>{"NodeResourcesFit"}));
  EXPECT_EQ(seen.attempts.at("default/p"), 1);
  EXPECT_EQ(seen.nominated.at("n1"), (std::vector<std::string>{"default/p"}));
  EXPECT_EQ(seen.held_calls.front(), (std::pair(CallKind::remove, std::string("default/v"))));
  EXPECT_EQ(seen.held_events.at(WatchedKind::pod), 2u);
  EXPECT_EQ(seen.pods.at("default/p").reason, "Unschedulable");
  EXPECT_TRUE(seen.pods.at("default/p").pending);
  EXPECT_FALSE(seen.pods.at("default/v").pending);
  EXPECT_FALSE(cycle.clauses.empty());

  run(AnswerCommand{CallKind::remove, "default/v", CallResult::ok});
  run(DeliverCommand{WatchedKind::pod, 1});
  EXPECT_TRUE(run(DeliverCommand{WatchedKind::pod}).state.held_events.empty());
  run(WriteCommand{Verb::remove, PodObject{placed(pod("v", 0, 1000), "n1"), 30, {}}});
  run(AdvanceCommand{3'000'000'000});
  run(FlushCommand{Timer::leftover});
  const StepAnswer flushed = run(FlushCommand{Timer::backoff});
  EXPECT_EQ(flushed.state.active, (std::vector<std::string>{"default/p"}));
  run(HoldCallCommand{CallKind::bind, "default/p"});
  EXPECT_EQ(run(CycleCommand{"n1"}).state.assumed.at("default/p"), "n1");
}

TEST_F(PlayCommands, ShowWhenABackoffEnds) {
  creates(placed(pod("v", 20, 1000), "n1"));
  creates(pod("p", 10, 1000));
  run(CycleCommand{});
  const StepAnswer gone =
      run(WriteCommand{Verb::remove, PodObject{placed(pod("v", 20, 1000), "n1"), 30, {}}});
  EXPECT_EQ(gone.state.backoff_ends_ns.at("default/p"), 1'000'000'000);
}

TEST_F(PlayCommands, ChangeObjectsOfEachKind) {
  const PodDisruptionBudget pdb{"default", "b", {}, 0, {}};
  for (const Verb verb : {Verb::create, Verb::update, Verb::remove_with_grace})
    EXPECT_FALSE(run(WriteCommand{verb, pdb}).error);
  EXPECT_FALSE(run(WriteCommand{Verb::update, node_with("n1", 2000)}).error);
  EXPECT_FALSE(run(WriteCommand{Verb::remove, node_with("n1", 2000)}).error);
  creates(pod("p", 10, 1000));
  EXPECT_FALSE(run(WriteCommand{Verb::remove_with_grace, PodObject{pod("p", 10, 1000), 30, {}}}).error);
  EXPECT_TRUE(run(StateCommand{}).state.pods.empty());
}

TEST_F(PlayCommands, ChangeNothingAfterAnError) {
  creates(pod("p", 10, 1000));
  const StepAnswer refused = run(CycleCommand{"n2"});
  EXPECT_EQ(refused.error->code, "not-admissible");
  EXPECT_EQ(refused.state.active, (std::vector<std::string>{"default/p"}));
  EXPECT_EQ(run(AnswerCommand{CallKind::bind, "default/p", CallResult::ok}).error->code, "not-waiting");
  EXPECT_TRUE(model_->begin(release("v1.36.3"), 0, {{}, {node_with("n1", 1), node_with("n1", 1)}, {}}));
}

TEST_F(PlayCommands, ShowTheReasonOnlyOfAFalseCondition) {
  Pod scheduled = pod("s", 0, 100);
  scheduled.conditions = {{"Ready", "False", "X"}, {"PodScheduled", "True", "Y"}};
  EXPECT_EQ(creates(placed(scheduled, "n1")).state.pods.at("default/s").reason, "");
}

// QUE-PERMIT-1: pods that wait are in flight, too. The answer shows both lists in the order of the names.
TEST(Observed, ListsAreSorted) {
  Play play("v1.36.3");
  play.node("n1", 4000);
  for (const char* name : {"z", "a"}) {
    writes(play, patient(object_of(pod(name, 0, 1000))));
    EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
  }
  const Observation seen = reference::observe(play.world);
  EXPECT_EQ(seen.in_flight, (Names{"default/a", "default/z"}));
  EXPECT_EQ(seen.waiting, (Names{"default/a", "default/z"}));
}

// QUE-LIMBO-1: up to v1.18 an entry of the queue is a pod alone.
TEST(Observed, EntriesAreBarePodsUpToV118) {
  for (const char* name : {"v1.18.20", "v1.19.0"}) {
    Play play(name);
    const Observation seen = writes(play, object_of(pod("p", 0, 100))).state;
    const std::size_t count = name == std::string("v1.18.20") ? 0 : 1;
    EXPECT_EQ(seen.attempts.size(), count) << name;
    EXPECT_EQ(seen.rejectors.size(), count) << name;
  }
}

// QUE-PREEMPT-1: only one answer shows the end of an open cycle.
TEST(Observed, EndOfACycleIsShownOnce) {
  Play play("v1.32.2");
  play.node("n1", 1000).creates(placed(pod("v", 0, 1000), "n1")).creates(pod("p", 10, 1000));
  play.holds(CallKind::remove, "v");
  EXPECT_EQ(cycles(play), CycleOutcome::open);
  EXPECT_TRUE(does(play, AnswerCommand{CallKind::remove, "default/v", CallResult::ok}).ended);
  EXPECT_FALSE(does(play, StateCommand{}).ended);
}

}  // namespace touchstone::tests::play_test
