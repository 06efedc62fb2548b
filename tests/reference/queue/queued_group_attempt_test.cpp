#include <gtest/gtest.h>

#include "tests/support/queued_groups.hpp"

namespace touchstone::tests::queued_group_attempt_test {

using namespace queued_groups;

namespace {

/// How long a group backs off that has just been put back.
Quantity backoff_seconds(const Play& play) {
  const Observation seen = reference::observe(play.world);
  EXPECT_FALSE(seen.backoff_ends_ns.empty());
  return seen.backoff_ends_ns.empty() ? 0
                                      : (seen.backoff_ends_ns.begin()->second - seen.now_ns) / 1'000'000'000;
}

PodObject terminating(const std::string& name) {
  PodObject object = member(name);
  object.pod.terminating = true;
  return object;
}

PodObject gated(const std::string& name, const std::string& group = "g") {
  PodObject object = member(name, 1000, group);
  object.pod.scheduling_gates = {"x"};
  return object;
}

/// Pods of another priority than that of their PodGroup are an error.
void gets_priority(Play& play, Quantity priority) {
  PodGroupObject group = group_of(2);
  group.priority = priority;
  writes(play, group, Verb::update);
}

}  // namespace

// QUE-BACKOFF-2, QUE-ENTITY-6: errors and other failures count apart. The errors end with another failure.
TEST(QueuedGroups, CountErrorsApart) {
  Play play = with_group(1000);
  const auto fails = [&play](CycleOutcome outcome) {
    EXPECT_EQ(cycles(play), outcome);
    const Quantity seconds = backoff_seconds(play);
    play.advances(20'000).flushes_backoff();
    return seconds;
  };
  gets_priority(play, 8);
  EXPECT_EQ(fails(CycleOutcome::error), 1);
  EXPECT_EQ(fails(CycleOutcome::error), 2);
  gets_priority(play, 9);
  EXPECT_EQ(fails(CycleOutcome::none), 1);
  EXPECT_EQ(fails(CycleOutcome::none), 2);
  gets_priority(play, 8);
  EXPECT_EQ(fails(CycleOutcome::error), 1);
  gets_priority(play, 9);
  EXPECT_EQ(fails(CycleOutcome::none), 4);
}

// QUE-ENTITY-6: a success is no failure, although a pod of the group failed.
TEST(QueuedGroups, BeginAgainAfterASuccess) {
  Play play = with_group(2000);
  writes(play, member("big", 3000));
  EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
  EXPECT_EQ(place_of(play, "big"), "active");
  EXPECT_EQ(cycles(play), CycleOutcome::none);
  EXPECT_EQ(backoff_seconds(play), 1);
}

// QUE-POP-3, QUE-ENTITY-6: a dropped pod has not failed. If it joins again, the group restarts its time.
TEST(QueuedGroups, RestartTheirTimeWithADroppedPod) {
  Play play = with_group(2000);
  writes(play, terminating("t"));
  writes(play, member("big", 3000));
  play.holds(CallKind::patch, "big");
  EXPECT_EQ(cycles(play), CycleOutcome::open);
  play.advances(1'000);
  PodObject again = member("t");
  again.pod.labels = {{"new", "label"}};
  does(play, WriteCommand{Verb::update, again, false});
  EXPECT_EQ(place_of(play, "t"), "pending");
  play.removes("big");
  play.answers(CallKind::patch, "big", CallResult::ok);
  ASSERT_EQ(play.world.queue.groups.size(), 1U);
  EXPECT_EQ(play.world.queue.groups[0].since_ns, play.world.now_ns);
}

// QUE-PERMIT-1: a pod that fits nowhere waits for nothing.
TEST(QueuedGroups, DoNotWaitForAPodThatFitsNowhere) {
  Play play = with_group(2000);
  PodObject patient = member("c", 3000);
  patient.annotations["touchstone.dev/permit-seconds"] = "5";
  writes(play, patient);
  EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
}

// QUE-BACKOFF-3, QUE-ENTITY-4: a pod joins a group that backs off.
TEST(QueuedGroups, BackOffWithANewPod) {
  Play play = with_group(1000);
  EXPECT_EQ(cycles(play), CycleOutcome::none);
  const StepAnswer joined = writes(play, member("c"));
  EXPECT_EQ(place_of(play, "c"), "backoff");
  EXPECT_TRUE(joined.clauses.contains("QUE-BACKOFF-3"));
}

// QUE-ENTITY-9: each change of an update wakes a group that stays gated. The first one that moves it is the
// last one.
TEST(QueuedGroups, HearEachChangeWhileTheyAreGated) {
  for (const bool stays : {true, false}) {
    Play play = with_group(1000);
    writes(play, gated("d"));
    EXPECT_EQ(place_of(play, "a"), "unschedulable");
    PodObject changed = stays ? gated("d") : member("d");
    changed.pod.labels = {{"new", "label"}};
    changed.pod.tolerations = {{"t", "Exists", "", ""}};
    const StepAnswer answer = writes(play, changed, Verb::update);
    EXPECT_EQ(place_of(play, "a"), stays ? "unschedulable" : "active");
    const auto woken = std::count_if(answer.wakes.begin(), answer.wakes.end(),
                                     [](const Wake& each) { return each.pod == "default/a"; });
    EXPECT_EQ(woken, stays ? 2 : 1);
  }
}

// QUE-FLUSH-1: a group whose backoff is over is active, although another one before it is not.
TEST(QueuedGroups, AreFlushedOneByOne) {
  Play play = with_queued_groups();
  play.node("n1", 500);
  for (const char* group : {"g", "h"}) writes(play, group_of({}, group));
  writes(play, gated("of-g"));
  writes(play, member("of-h", 1000, "h"));
  EXPECT_EQ(cycles(play), CycleOutcome::none);
  EXPECT_EQ(place_of(play, "of-h"), "backoff");
  waits_and_flushes(play);
  EXPECT_EQ(place_of(play, "of-h"), "active");
  EXPECT_EQ(place_of(play, "of-g"), "unschedulable");
}

// QUE-ENTITY-10, QUE-BIND-2: a pod that is gone counts no more when its binding fails.
TEST(QueuedGroups, ForgetAPodThatIsGoneWhileItIsBound) {
  Play play = with_group(4000);
  play.holds(CallKind::bind, "a");
  EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
  play.removes("a");
  play.answers(CallKind::bind, "a", CallResult::error);
  writes(play, group_of(3), Verb::update);
  writes(play, member("c"));
  EXPECT_EQ(place_of(play, "c"), "unschedulable");
}

}  // namespace touchstone::tests::queued_group_attempt_test
