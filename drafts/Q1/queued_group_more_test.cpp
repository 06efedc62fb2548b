// goes into tests/reference/queue/queued_group_entry_test.cpp (queue), queued_group_attempt_test.cpp
// (attempts)
#include <gtest/gtest.h>

#include "reference/queue/group_queue.hpp"
#include "tests/support/queued_groups.hpp"

namespace touchstone::tests::queued_group_more_test {

using namespace queued_groups;

namespace {

/// Keeps the numbers of alternatives at one place, and picks the last one there. Elsewhere it picks the
/// first.
class LastChoices final : public Choices {
 public:
  explicit LastChoices(std::string_view where) : where_(where) {}
  std::size_t pick(std::size_t n, std::string_view where) override {
    if (where != where_) return 0;
    counts.push_back(n);
    return n - 1;
  }
  std::vector<std::size_t> counts;

 private:
  std::string where_;
};

PodObject gated(const std::string& name, const std::string& group = "g") {
  PodObject object = member(name, 1000, group);
  object.pod.scheduling_gates = {"x"};
  return object;
}

PodObject terminating(const std::string& name) {
  PodObject object = member(name);
  object.pod.terminating = true;
  return object;
}

StepAnswer gets_a_label(Play& play, PodObject object) {
  object.pod.labels = {{"new", "label"}};
  return does(play, WriteCommand{Verb::update, object, false});
}

StepAnswer answers(Play& play, CallKind kind, const std::string& name, CallResult result) {
  return does(play, AnswerCommand{kind, "default/" + name, result});
}

/// c is pending when the binding of p, which is of no group, fails. Then `last` comes, so that the group has
/// an entry beside its pending pods big and c. The cycle is open until the patch of big is answered.
Play with_two_entries(const PodObject& last) {
  Play play = with_queued_groups();
  play.node("n1", 3000).holds(CallKind::bind, "p");
  writes(play, single("p", 20));
  play.cycle();
  writes(play, group_of(2));
  for (const char* name : {"a", "b"}) writes(play, member(name));
  writes(play, member("big", 3000));
  play.holds(CallKind::patch, "big");
  EXPECT_EQ(cycles(play), CycleOutcome::open);
  writes(play, member("c"));
  answers(play, CallKind::bind, "p", CallResult::error);
  writes(play, last);
  EXPECT_EQ(play.world.queue.groups.size(), 1U);
  return play;
}

Names names_of(const reference::GroupEntry& group) {
  Names names;
  for (const Entry& each : group.members) names.push_back(each.object.pod.name);
  return names;
}

PodObject patient(const std::string& name, const std::string& group = "g") {
  PodObject object = member(name, 1000, group);
  object.annotations = {{"touchstone.dev/permit-seconds", "60"}};
  return object;
}

/// a of a group without gang waits in Permit.
Play with_waiting_pod() {
  Play play = with_queued_groups();
  play.node("n1", 8000);
  writes(play, group_of({}));
  writes(play, patient("a"));
  EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
  EXPECT_EQ(reference::observe(play.world).waiting, Names{"default/a"});
  return play;
}

}  // namespace

// QUE-ENTITY-1: the clause is about pods whose PodGroup comes or goes.
TEST(QueuedGroups, CiteThatTheirPodGroupIsMissing) {
  Play play = with_queued_groups();
  const auto is_cited = [](const StepAnswer& answer) { return answer.clauses.contains("QUE-ENTITY-1"); };
  EXPECT_TRUE(is_cited(writes(play, member("a"))));
  EXPECT_TRUE(is_cited(writes(play, group_of({}))));
  EXPECT_TRUE(is_cited(writes(play, group_of({}), Verb::remove)));
  EXPECT_EQ(place_of(play, "a"), "incomplete");
  EXPECT_FALSE(is_cited(writes(play, group_of({}, "h"))));
  EXPECT_FALSE(is_cited(writes(play, group_of({}, "h"), Verb::remove)));
}

// QUE-ENTITY-1: pods that were added at the same time join in the order of their creation. No chance is left.
TEST(QueuedGroups, JoinInTheirOrder) {
  Play play = with_queued_groups();
  writes(play, gated("x"));
  writes(play, member("y"));
  LastChoices choices("QUE-ENTITY-1");
  const StepAnswer answer = reference::play(play.world, WriteCommand{Verb::create, group_of(3)}, choices);
  EXPECT_TRUE(choices.counts.empty());
  EXPECT_EQ(answer.state.gated, (std::map<std::string, std::string>{{"default/x", "SchedulingGates"}}));
}

// QUE-ENTITY-3: of three groups the one that comes last in the queue may be the first to pop, and the choice
// is among equal ones alone.
TEST(QueuedGroups, ArePoppedByPriorityAndTime) {
  Play play = with_queued_groups();
  for (const auto& [name, priority] : {std::pair("g", 5), std::pair("h", 4), std::pair("i", 6)}) {
    PodGroupObject group = group_of({}, name);
    group.priority = priority;
    writes(play, group);
    writes(play, member(std::string("of-") + name, 1000, name));
  }
  LastChoices choices("QUE-ORDER-1");
  EXPECT_EQ(reference::next_group_to_pop(play.world, choices)->name, "i");
  play.removes("of-i");
  EXPECT_EQ(reference::next_group_to_pop(play.world, choices)->name, "g");
  EXPECT_EQ(choices.counts, (std::vector<std::size_t>{1, 1}));
}

// QUE-ENTITY-3, QUE-ORDER-1: a tie of a pod and a group is one choice of two.
TEST(QueuedGroups, TieWithPodsInTwoWays) {
  Play play = with_group(4000);
  writes(play, single("p", 9));
  LastChoices choices("QUE-ORDER-1");
  const StepAnswer answer = reference::play(play.world, CycleCommand{}, choices);
  EXPECT_EQ(answer.cycle->pod_group, "default/g");
  EXPECT_EQ(choices.counts, (std::vector<std::size_t>{2, 1}));
  EXPECT_TRUE(answer.clauses.contains("QUE-ENTITY-3"));
}

// QUE-ENTITY-2: pods are tried by priority, then by attempts, then by time, and then by name.
TEST(QueuedGroups, OrderTheirPodsByAttemptsBeforeTime) {
  Play play = with_group(500);
  play.holds(CallKind::patch, "a");
  EXPECT_EQ(cycles(play), CycleOutcome::open);
  play.advances(1'000);
  writes(play, member("aa"));
  PodObject higher = member("z");
  higher.pod.priority = 10;
  writes(play, higher);
  play.advances(1'000);
  answers(play, CallKind::patch, "a", CallResult::ok);
  ASSERT_EQ(play.world.queue.groups.size(), 1U);
  EXPECT_EQ(names_of(play.world.queue.groups[0]), (Names{"z", "a", "b", "aa"}));
}

// QUE-ENTITY-4: a pod that is deleted while its group has an entry beside it stays pending. A new pod of its
// name replaces it.
TEST(QueuedGroups, ReplaceAPendingPod) {
  Play play = with_two_entries(gated("d"));
  answers(play, CallKind::patch, "big", CallResult::ok);
  play.removes("c");
  PodObject ungated = member("d", 3000);
  writes(play, ungated, Verb::update);
  play.holds(CallKind::patch, "d");
  EXPECT_EQ(cycles(play), CycleOutcome::open);
  writes(play, member("c"));
  EXPECT_EQ(reference::observe(play.world).pending, (Names{"default/big", "default/c", "default/d"}));
}

// QUE-ENTITY-9: an update of a pending pod joins the entry of its group if that one is unschedulable.
// Otherwise the pod stays pending.
TEST(QueuedGroups, JoinAnUnschedulableEntryByAnUpdate) {
  Play unschedulable = with_two_entries(gated("d"));
  gets_a_label(unschedulable, member("c"));
  EXPECT_EQ(place_of(unschedulable, "c"), "unschedulable");
  Play active = with_two_entries(member("d"));
  gets_a_label(active, member("c"));
  EXPECT_EQ(place_of(active, "c"), "pending");
}

// QUE-ENTITY-9, QUE-ENTITY-1: an update of a pending pod whose PodGroup is gone does nothing.
TEST(QueuedGroups, IgnoreAnUpdateOfAPendingPodWithoutPodGroup) {
  Play play = with_two_entries(gated("d"));
  writes(play, group_of(2), Verb::remove);
  EXPECT_EQ(place_of(play, "c"), "pending");
  EXPECT_FALSE(gets_a_label(play, member("c")).clauses.contains("NOM-UPDATE-1"));
}

// QUE-ENTITY-6, QUE-ENTITY-1: pending pods of a group whose PodGroup is gone stay pending when the cycle
// ends.
TEST(QueuedGroups, StayPendingWithoutTheirPodGroup) {
  Play play = with_two_entries(gated("d"));
  play.removes("d");
  writes(play, group_of(2), Verb::remove);
  answers(play, CallKind::patch, "big", CallResult::ok);
  EXPECT_EQ(place_of(play, "big"), "pending");
  EXPECT_EQ(place_of(play, "c"), "pending");
  EXPECT_TRUE(play.world.queue.groups.empty());
}

// QUE-POP-3, QUE-ENTITY-6: a cycle that drops all pods is no failure, so the pending pods are active
// afterwards.
TEST(QueuedGroups, AreActiveAfterAllTheirPodsWereDropped) {
  Play play = with_two_entries(terminating("d"));
  answers(play, CallKind::patch, "big", CallResult::ok);
  EXPECT_EQ(place_of(play, "c"), "pending");
  EXPECT_EQ(cycles(play), CycleOutcome::dropped);
  EXPECT_EQ(place_of(play, "c"), "active");
}

// QUE-ENTITY-2, QUE-ACTIVATE-1: a group whose entry is active is not moved when another pod of its gang
// waits.
TEST(QueuedGroups, AreNotActivatedTwice) {
  Play play = with_queued_groups();
  play.node("n1", 3000).holds(CallKind::bind, "p");
  writes(play, single("p", 20));
  play.cycle();
  writes(play, group_of(2));
  writes(play, member("a-big", 3000));
  for (const char* name : {"b", "c"}) writes(play, member(name));
  play.holds(CallKind::patch, "a-big").holds(CallKind::bind, "b").holds(CallKind::bind, "c");
  EXPECT_EQ(cycles(play), CycleOutcome::open);
  answers(play, CallKind::bind, "p", CallResult::error);
  writes(play, member("d"));
  EXPECT_EQ(place_of(play, "d"), "active");
  const StepAnswer answer = answers(play, CallKind::patch, "a-big", CallResult::ok);
  EXPECT_EQ(answer.ended->outcome, CycleOutcome::scheduled);
  EXPECT_TRUE(answer.clauses.contains("QUE-ACTIVATE-1"));
  EXPECT_FALSE(answer.clauses.contains("QUE-ENTITY-2"));
}

// QUE-ACTIVATE-1: a pod that was queued alone and names the group later is activated alone, whether the group
// has an entry that is gated or none.
TEST(QueuedGroups, ActivateAPodThatNamesThemLater) {
  for (const bool has_entry : {false, true}) {
    Play play = with_queued_groups();
    play.node("n1", 3000).holds(CallKind::bind, "p");
    PodObject alone = single("s", 20);
    alone.pod.node_selector = {{"no", "node"}};
    writes(play, alone);
    EXPECT_EQ(cycles(play), CycleOutcome::none);
    writes(play, single("p", 20));
    EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
    writes(play, group_of(2));
    alone.pod_group = "g";
    writes(play, alone, Verb::update);
    writes(play, member("a-big", 9000));
    for (const char* name : {"b", "c"}) writes(play, member(name));
    play.holds(CallKind::patch, "a-big");
    EXPECT_EQ(cycles(play), CycleOutcome::open);
    if (has_entry) {
      answers(play, CallKind::bind, "p", CallResult::error);
      writes(play, gated("d"));
    }
    EXPECT_EQ(play.place("s"), "unschedulable");
    const StepAnswer answer = answers(play, CallKind::patch, "a-big", CallResult::ok);
    EXPECT_EQ(answer.ended->outcome, CycleOutcome::scheduled);
    EXPECT_EQ(play.place("s"), "active") << has_entry;
  }
}

// QUE-ENTITY-3, QUE-ENTITY-5: an error says what is wrong now, and an attempt after it is a new one.
TEST(QueuedGroups, ErrAnew) {
  Play play = with_group(4000);
  for (const Quantity priority : {8, 7, 6, 9}) {
    PodGroupObject group = group_of(2);
    group.priority = priority;
    writes(play, group, Verb::update);
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

// QUE-ENTITY-9, EVT-TAINT-2: an update of one pod counts as one of each, and each of its changes is heard.
TEST(QueuedGroups, HearTheUpdateOfOnePodForEach) {
  Play play = with_queued_groups();
  Node tainted = node_with("n1", 4000);
  tainted.taints = {{"t", "", "NoSchedule"}};
  play.creates(tainted);
  writes(play, group_of({}));
  writes(play, member("a"));
  writes(play, member("b"));
  EXPECT_EQ(cycles(play), CycleOutcome::none);
  writes(play, gated("d"));
  EXPECT_EQ(place_of(play, "a"), "unschedulable");
  PodObject changed = gated("d");
  changed.pod.labels = {{"new", "label"}};
  changed.pod.tolerations = {{"t", "Exists", "", ""}};
  EXPECT_EQ(writes(play, changed, Verb::update).wakes.size(), 3U);
}

// QUE-ENTITY-9, EVT-HINT-1: another PodGroup of the namespace, or one of this name elsewhere, wakes no group.
TEST(QueuedGroups, AreNotWokenByOtherPodGroups) {
  Play play = with_queued_groups();
  writes(play, group_of(2));
  writes(play, member("a"));
  EXPECT_TRUE(writes(play, group_of(1, "h")).wakes.empty());
  PodGroupObject elsewhere = group_of(1);
  elsewhere.ns = "elsewhere";
  EXPECT_TRUE(writes(play, elsewhere).wakes.empty());
  EXPECT_EQ(writes(play, group_of(1), Verb::update).wakes.size(), 1U);
}

// QUE-ENTITY-2: an event that one unschedulable group does not hear may wake the next one.
TEST(QueuedGroups, AreWokenBehindAnother) {
  Play play = with_queued_groups();
  for (const char* name : {"g", "h"}) {
    writes(play, group_of(2, name));
    writes(play, member(std::string("of-") + name, 1000, name));
  }
  writes(play, group_of(1, "h"), Verb::update);
  EXPECT_EQ(place_of(play, "of-h"), "active");
  EXPECT_EQ(place_of(play, "of-g"), "unschedulable");
}

// QUE-FLUSH-2: the timer wakes a group that waited for more than five minutes, wherever it is in the queue.
// Then its time begins again.
TEST(QueuedGroups, AreWokenByTheTimerOnce) {
  Play play = with_queued_groups();
  for (const char* name : {"late", "early"}) writes(play, group_of({}, name));
  writes(play, gated("a", "early"));
  play.advances(1);
  writes(play, gated("b", "late"));
  writes(play, gated("c", "early"));  // now early is behind late
  play.world.now_ns = 300'000'000'000;
  EXPECT_TRUE(does(play, FlushCommand{Timer::leftover}).wakes.empty());
  play.world.now_ns += 1;
  const StepAnswer woken = does(play, FlushCommand{Timer::leftover});
  ASSERT_EQ(woken.wakes.size(), 2U);
  EXPECT_EQ(woken.wakes[0].pod, "default/a");
  EXPECT_EQ(woken.wakes[1].pod, "default/c");
  EXPECT_EQ(does(play, FlushCommand{Timer::leftover}).wakes.size(), 0U);
}

// QUE-FLUSH-2: an active group is not left over.
TEST(QueuedGroups, AreNotLeftOverWhileTheyAreActive) {
  Play play = with_group(4000);
  play.advances(301'000);
  EXPECT_FALSE(does(play, FlushCommand{Timer::leftover}).clauses.contains("QUE-FLUSH-2"));
}

// QUE-FLUSH-2, QUE-ENTITY-6: an attempt ends what the timer remembers, but a success with failed pods keeps
// the time of the group.
TEST(QueuedGroups, ForgetTheTimerByAnAttempt) {
  for (const bool is_flushed_before : {false, true}) {
    Play play = with_queued_groups();
    play.node("n1", 2000);
    writes(play, group_of(2));
    for (const char* name : {"a", "b"}) writes(play, member(name));
    writes(play, gated("big"));
    if (is_flushed_before) {
      play.world.now_ns = 300'500'000'000;
      EXPECT_FALSE(does(play, FlushCommand{Timer::leftover}).wakes.empty());
    }
    writes(play, member("big", 3000), Verb::update);
    EXPECT_EQ(place_of(play, "big"), "active");
    play.holds(CallKind::patch, "big");
    EXPECT_EQ(cycles(play), CycleOutcome::open);
    writes(play, gated("c"));
    answers(play, CallKind::patch, "big", CallResult::ok);
    EXPECT_EQ(place_of(play, "big"), "unschedulable");
    if (!is_flushed_before) play.world.now_ns = 300'000'000'001;
    EXPECT_EQ(does(play, FlushCommand{Timer::leftover}).wakes.size(), 2U) << is_flushed_before;
  }
}

// QUE-ENTITY-6, QUE-BACKOFF-3: a success ends the count of failures, and it is no backoff.
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

// QUE-ENTITY-6: the longest backoff grows with the pods that the group had when it was put back.
TEST(QueuedGroups, BackOffByTheNumberOfTheirPods) {
  Play play = with_group(500);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(cycles(play), CycleOutcome::none);
    play.advances(20'000).flushes_backoff();
  }
  const StepAnswer fifth = does(play, CycleCommand{});
  EXPECT_EQ(fifth.state.backoff_ends_ns.at("default/a"), fifth.state.now_ns + 14'000'000'000);
}

// QUE-ENTITY-10: a deleted pod of the group is counted as long as the scheduler sees it, and a pod that names
// another scheduler by now counts it, too.
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

// QUE-ENTITY-10, EVT-POD-4: a pod that begins to terminate while it waits counts until it is gone.
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
// it. A cycle of a group in which no pod fails does not end what p has missed: p is put back as a woken pod.
TEST(QueuedGroups, LeaveOtherPodsInFlight) {
  Play play = with_queued_groups();
  play.node("n1", 4000);
  writes(play, single("v", 1, 4000, "n1"));
  PodObject waiting = single("p", 20, 1000);
  waiting.annotations = {{"touchstone.dev/permit-seconds", "60"}};
  writes(play, waiting);
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

}  // namespace touchstone::tests::queued_group_more_test
