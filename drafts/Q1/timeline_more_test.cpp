// goes into tests/reference/queue/handlers_test.cpp (Handlers), permit_test.cpp (Permit), play_test.cpp
// (Observed)
#include <gtest/gtest.h>

#include "tests/support/commands.hpp"

namespace touchstone::tests::timeline_more_test {

using namespace commands;

namespace {

using Names = std::vector<std::string>;

constexpr const char* k_28 = "v1.28.15";
constexpr const char* k_34 = "v1.34.4";
constexpr const char* k_35 = "v1.35.4";
constexpr const char* k_36 = "v1.36.3";

PodObject object_of(Pod pod) {
  pod.uid = "u-" + pod.name;
  PodObject object;
  object.pod = std::move(pod);
  return object;
}

PodObject waiting(const std::string& name, const std::string& seconds) {
  PodObject object = object_of(pod(name, 0, 1000));
  object.annotations = {{"touchstone.dev/permit-seconds", seconds}};
  return object;
}

/// z, and then a, wait in Permit for so many seconds.
Play with_two_waiting(const std::string& of_z, const std::string& of_a) {
  Play play(k_36);
  play.node("n1", 4000);
  for (const auto& [name, seconds] : {std::pair("z", of_z), std::pair("a", of_a)}) {
    writes(play, waiting(name, seconds));
    EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
  }
  return play;
}

}  // namespace

// EVT-EARLY-2, EVT-EARLY-3, EVT-EARLY-4: the clauses about updates of a pod on a node and of a node.
TEST(EarlyEvents, CiteTheirClauses) {
  Play play(k_28);
  play.node("n1", 1000).creates(placed(pod("v", 0, 100), "n1"));
  PodObject changed = object_of(placed(pod("v", 0, 100), "n1"));
  changed.pod.labels = {{"app", "x"}};
  EXPECT_TRUE(writes(play, changed, Verb::update).clauses.contains("EVT-EARLY-2"));
  const StepAnswer of_node = writes(play, node_with("n1", 2000), Verb::update);
  EXPECT_TRUE(of_node.clauses.contains("EVT-EARLY-3"));
  EXPECT_TRUE(of_node.clauses.contains("EVT-EARLY-4"));
}

// EVT-POD-1, EVT-POD-3: the end of the nomination of a pod of another scheduler is no event.
TEST(Handlers, IgnoreTheNominationOfAPodOfAnotherScheduler) {
  Play play(k_36);
  PodObject foreign = object_of(pod("f", 5, 1000));
  foreign.pod.scheduler_name = "other";
  foreign.pod.nominated_node_name = "n1";
  writes(play, foreign);
  EXPECT_FALSE(writes(play, foreign, Verb::remove).clauses.contains("EVT-POD-3"));
}

// EVT-POD-1, EVT-POD-2: a pod that gets a node and this scheduler at once is not queued.
TEST(Handlers, DoNotQueueAPodThatComesWithANode) {
  Play play(k_34);
  play.node("n1", 1000);
  PodObject before = object_of(pod("p", 0, 100));
  before.pod.scheduler_name = "other";
  const PodObject now = object_of(placed(pod("p", 0, 100), "n1"));
  play.handles({WatchedKind::pod, {}, before, {}, {}, {}, {}});
  play.handles({WatchedKind::pod, before, now, {}, {}, {}, {}});
  EXPECT_EQ(play.place("p"), "");
}

// EVT-STORE-1: an update without status keeps the whole status, also what a kubelet wrote about resources.
TEST(Store, KeepsTheResourcesInTheStatus) {
  Play play(k_36);
  Pod running = pod("p", 0, 100);
  running.container_statuses.emplace_back().name = "c";
  running.resource_status.allocated = {{"cpu", 200}};
  play.creates(running).updates(pod("p", 0, 300));
  EXPECT_EQ(play.stored("p").container_statuses, running.container_statuses);
  EXPECT_EQ(play.stored("p").resource_status, running.resource_status);
}

// QUE-PERMIT-3: the message is the release's own, also near the end of a minute.
TEST(Permit, TellsTheRestOfAMinute) {
  Play play = with_two_waiting("59", "119");
  does(play, AdvanceCommand{200'000'000'000});
  EXPECT_NE(play.message("z").find("after waiting 59s at"), std::string::npos);
  EXPECT_NE(play.message("a").find("after waiting 1m59s at"), std::string::npos);
}

// QUE-PERMIT-3, QUE-FAIL-2: two pods of one name wait for equally long, since the deletion of the first one,
// which names another scheduler by then, rejects nothing. The first one is rejected first, and put back with
// its attempts.
TEST(Permit, RejectsTheFirstOfTwoPodsOfOneName) {
  Play play(k_35);
  play.node("n1", 4000);
  writes(play, waiting("w", "60"));
  cycles(play);
  does(play, PermitCommand{"default/w", false});
  play.advances(301'000).flushes_leftover();
  EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
  PodObject foreign = waiting("w", "60");
  foreign.pod.scheduler_name = "other";
  writes(play, foreign, Verb::update);
  writes(play, foreign, Verb::remove);
  PodObject second = waiting("w", "60");
  second.pod.uid = "u-second";
  writes(play, second);
  EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
  EXPECT_EQ(play.world.bindings.size(), 2U);
  const StepAnswer late = does(play, AdvanceCommand{60'000'000'000});
  EXPECT_TRUE(late.state.waiting.empty());
  EXPECT_EQ(late.state.attempts.at("default/w"), 2);
}

// QUE-PERMIT-1, QUE-PERMIT-3: a pod that was allowed while its nomination was written is not late. One that
// waits for longer is, behind it.
TEST(Permit, IsNotLateOnceAllowed) {
  Play play(k_36);
  play.node("n1", 4000).holds(CallKind::patch, "w");
  writes(play, waiting("w", "60"));
  cycles(play);
  writes(play, waiting("x", "70"));
  cycles(play);
  does(play, PermitCommand{"default/w", true});
  const StepAnswer late = does(play, AdvanceCommand{80'000'000'000});
  EXPECT_FALSE(late.clauses.contains("QUE-PERMIT-5"));
  EXPECT_EQ(late.state.waiting, Names{"default/w"});
}

TEST(Observed, ListsAreSorted) {
  const Observation seen = reference::observe(with_two_waiting("60", "60").world);
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

// QUE-PREEMPT-1: the end of an open cycle is told once.
TEST(Observed, EndOfACycleIsToldOnce) {
  Play play("v1.32.2");
  play.node("n1", 1000).creates(placed(pod("v", 0, 1000), "n1")).creates(pod("p", 10, 1000));
  play.holds(CallKind::remove, "v");
  EXPECT_EQ(cycles(play), CycleOutcome::open);
  EXPECT_TRUE(does(play, AnswerCommand{CallKind::remove, "default/v", CallResult::ok}).ended);
  EXPECT_FALSE(does(play, StateCommand{}).ended);
}

}  // namespace touchstone::tests::timeline_more_test
