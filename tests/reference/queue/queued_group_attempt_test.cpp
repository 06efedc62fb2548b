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

/// Pods of another priority than that of their PodGroup are an error.
void gets_priority(Play& play, Quantity priority) {
  PodGroupObject group = group_of(2);
  group.priority = priority;
  writes(play, group, Verb::update);
}

/// a of a group without gang waits in Permit.
Play with_waiting_pod() {
  Play play = with_queued_groups();
  play.node("n1", 8000);
  writes(play, group_of({}));
  writes(play, patient(member("a")));
  EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
  EXPECT_EQ(reference::observe(play.world).waiting, Names{"default/a"});
  return play;
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

// QUE-ENTITY-3, QUE-ENTITY-5: an error says what is wrong now, and an attempt after it is a new one.
TEST(QueuedGroups, ErrAnew) {
  Play play = with_group(4000);
  for (const Quantity priority : {8, 7, 6, 9}) {
    gets_priority(play, priority);
    EXPECT_EQ(cycles(play), priority == 9 ? CycleOutcome::scheduled : CycleOutcome::error);
    play.advances(20'000).flushes_backoff();
    if (priority == 9) break;
    for (const char* name : {"a", "b"}) {
      EXPECT_EQ(play.message(name),
                "all pods in a single pod group should have the same priority as the pod group's priority, "
                "got 9 and " +
                    std::to_string(priority));
    }
  }
  EXPECT_EQ(play.stored("a").node_name, "n1");
  EXPECT_EQ(play.stored("b").node_name, "n1");
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

// QUE-ENTITY-6, QUE-BACKOFF-3: a success resets the count of failures, and the group does not back off.
TEST(QueuedGroups, EndTheirFailuresByASuccess) {
  Play play = with_group(1000);
  const StepAnswer failed = does(play, CycleCommand{});
  EXPECT_EQ(failed.cycle->outcome, CycleOutcome::none);
  EXPECT_TRUE(failed.clauses.contains("QUE-BACKOFF-3"));
  writes(play, member("big", 3000));
  play.updates(node_with("n1", 2000));
  waits_and_flushes(play);
  const StepAnswer success = does(play, CycleCommand{});
  EXPECT_EQ(success.cycle->outcome, CycleOutcome::scheduled);
  EXPECT_EQ(place_of(play, "big"), "active");
  EXPECT_FALSE(success.clauses.contains("QUE-BACKOFF-3"));
  const StepAnswer again = does(play, CycleCommand{});
  EXPECT_EQ(again.cycle->outcome, CycleOutcome::none);
  EXPECT_EQ(again.state.backoff_ends_ns.at("default/big"), again.state.now_ns + 1'000'000'000);
}

// QUE-ENTITY-6: the longest backoff grows with the number of pods that the group had when it was put back:
// 10 s times the square root of 2, cut to whole seconds.
TEST(QueuedGroups, BackOffByTheNumberOfTheirPods) {
  Play play = with_group(500);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(cycles(play), CycleOutcome::none);
    play.advances(20'000).flushes_backoff();
  }
  const StepAnswer fifth = does(play, CycleCommand{});
  EXPECT_EQ(fifth.state.backoff_ends_ns.at("default/a"), fifth.state.now_ns + 14'000'000'000);
}

// QUE-POP-3, QUE-ENTITY-6: a dropped pod has not failed. If it joins again, the group restarts its time.
TEST(QueuedGroups, RestartTheirTimeWithADroppedPod) {
  Play play = with_group(2000);
  writes(play, terminating("t"));
  writes(play, member("big", 3000));
  play.holds(CallKind::patch, "big");
  EXPECT_EQ(cycles(play), CycleOutcome::open);
  play.advances(1'000);
  gets_a_label(play, member("t"));
  EXPECT_EQ(place_of(play, "t"), "pending");
  play.removes("big");
  play.answers(CallKind::patch, "big", CallResult::ok);
  ASSERT_EQ(play.world.queue.groups.size(), 1U);
  EXPECT_EQ(play.world.queue.groups[0].since_ns, play.world.now_ns);
}

// QUE-PERMIT-1: a pod that fits nowhere waits for nothing.
TEST(QueuedGroups, DoNotWaitForAPodThatFitsNowhere) {
  Play play = with_group(2000);
  writes(play, patient(member("c", 3000)));
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

// QUE-ENTITY-10: the group counts a pod that was deleted in Permit, also for a pod of the group that names
// another scheduler by now.
TEST(QueuedGroups, CountADeletedPodForAPodOfAnotherScheduler) {
  Play play = with_waiting_pod();
  play.removes("a");
  writes(play, group_of(2), Verb::update);
  writes(play, member("b"));
  EXPECT_EQ(place_of(play, "b"), "active");
  PodObject elsewhere = member("b");
  elsewhere.pod.scheduler_name = "other";
  writes(play, elsewhere, Verb::update);
  writes(play, member("c"));
  EXPECT_EQ(place_of(play, "b"), "active");
  EXPECT_EQ(place_of(play, "c"), "active");
}

// QUE-ENTITY-10, EVT-POD-4: a pod that begins to terminate while it waits leaves the cache. So it does not
// count for the gate of its gang once it is gone.
TEST(QueuedGroups, ForgetATerminatingPodWhenItIsGone) {
  Play play = with_waiting_pod();
  const PodObject before = *reference::find_pod(play.world.seen.pods, "default", "a");
  PodObject now = before;
  now.pod.terminating = true;
  play.holds(CallKind::patch, "a");
  play.handles({WatchedKind::pod, before, now, {}, {}, {}, {}});
  play.handles({WatchedKind::pod, now, {}, {}, {}, {}, {}});
  writes(play, group_of(2), Verb::update);
  writes(play, member("b"));
  EXPECT_EQ(place_of(play, "b"), "unschedulable");
}

// QUE-ENTITY-5, QUE-FLIGHT-1, QUE-ACTIVATE-1: p waits in Permit when its preemption fails, which activates
// it. A cycle of a group in which no pod fails leaves p in flight: p is put back as a woken pod.
TEST(QueuedGroups, LeaveOtherPodsInFlight) {
  Play play = with_queued_groups();
  play.node("n1", 4000);
  writes(play, single("v", 1, 4000, "n1"));
  writes(play, patient(single("p", 20, 1000)));
  play.holds(CallKind::remove, "v");
  EXPECT_EQ(cycles(play), CycleOutcome::nominated);
  play.removes("v");
  waits_and_flushes(play);
  EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
  answers(play, CallKind::remove, "v", CallResult::error);
  writes(play, group_of({}));
  writes(play, member("a"));
  EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
  does(play, PermitCommand{"default/p", false});
  EXPECT_EQ(place_of(play, "p"), "backoff");
}

}  // namespace touchstone::tests::queued_group_attempt_test
