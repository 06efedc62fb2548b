#include <gtest/gtest.h>

#include "tests/support/pod_groups.hpp"

namespace touchstone::tests::group_test {

using namespace pod_groups;

// QUE-GROUP-1
TEST(PodGroups, HaveTwoGatesThatAreModelled) {
  const Release base = release("v1.36.3");
  EXPECT_EQ(with_gates_over_time(base, {{"GangScheduling", true}}, "").error().code, "refused-feature-gate");
  EXPECT_EQ(
      with_gates_over_time(
          base, {{"GenericWorkload", true}, {"GangScheduling", true}, {"WorkloadAwarePreemption", true}}, "")
          .value()
          .unmodelled_gate,
      "WorkloadAwarePreemption=true");
  EXPECT_FALSE(with_gates_over_time(base, {{"GenericWorkload", true}}, "").value().gangs_wait);
}

// QUE-GROUP-1
TEST(PodGroups, GateTheirPodsUntilTheyAreComplete) {
  Play play = with_groups();
  play.node("n1", 4000);
  writes(play, member("a", 9));
  EXPECT_EQ(play.entry("a").gated_by, "GangScheduling");
  writes(play, group_of(2, "other"));
  EXPECT_EQ(play.entry("a").gated_by, "GangScheduling");
  PodGroupObject elsewhere = group_of(1);
  elsewhere.ns = "elsewhere";
  writes(play, elsewhere);
  EXPECT_EQ(play.entry("a").gated_by, "GangScheduling");
  writes(play, group_of(2));
  EXPECT_EQ(play.entry("a").gated_by, "GangScheduling");
  PodObject stranger = member("s", 1);
  stranger.pod.scheduler_name = "other";
  writes(play, stranger);
  PodObject namesake = member("n", 1);
  namesake.pod.ns = "elsewhere";
  writes(play, namesake);
  EXPECT_EQ(play.place("a"), "unschedulable");
  writes(play, member("b", 8));
  EXPECT_EQ(play.place("a"), "active");
  EXPECT_EQ(play.place("b"), "active");
}

// QUE-GROUP-1: the pods of another scheduler count on nodes alone.
TEST(PodGroups, CountPodsOnNodes) {
  Play play = with_groups();
  play.node("n1", 4000);
  writes(play, group_of(2));
  PodObject running = member("s", 1);
  running.pod.scheduler_name = "other";
  running.pod.node_name = "n1";
  writes(play, running);
  writes(play, member("a", 9));
  EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
  EXPECT_EQ(play.stored("a").node_name, "n1");
}

// QUE-GROUP-1: a pending pod of another scheduler does not count, also if it comes before the others.
TEST(PodGroups, DoNotCountAPodOfAnotherScheduler) {
  Play play = with_groups();
  writes(play, group_of(2));
  PodObject stranger = member("s", 1);
  stranger.pod.scheduler_name = "other";
  writes(play, stranger);
  writes(play, member("a", 9));
  EXPECT_EQ(play.entry("a").gated_by, "GangScheduling");
}

// QUE-GROUP-1, EVT-HINT-1: neither another PodGroup of the namespace nor one of this name elsewhere wakes a
// pod.
TEST(PodGroups, AreNotWokenByOtherPodGroups) {
  Play play = with_groups();
  writes(play, member("a", 9));
  EXPECT_TRUE(writes(play, group_of(1, "other")).wakes.empty());
  PodGroupObject elsewhere = group_of(1);
  elsewhere.ns = "elsewhere";
  EXPECT_TRUE(writes(play, elsewhere).wakes.empty());
  EXPECT_EQ(writes(play, group_of(2)).wakes.size(), 1U);
}

// QUE-GROUP-1: a PodGroup is of one namespace. One of this name elsewhere does not replace it.
TEST(PodGroups, KeepTheirObjectBesideANamesake) {
  Play play = with_groups();
  writes(play, group_of(1));
  PodGroupObject elsewhere = group_of(1);
  elsewhere.ns = "elsewhere";
  writes(play, elsewhere);
  writes(play, member("a", 9));
  EXPECT_EQ(play.place("a"), "active");
}

// QUE-GROUP-2, QUE-GANG-3
TEST(PodGroups, AreScheduledInOneCycle) {
  Play play = with_group(4000);
  const CycleResult result = *does(play, CycleCommand{}).cycle;
  EXPECT_EQ(result.outcome, CycleOutcome::scheduled);
  EXPECT_EQ(result.pod, "default/a");
  EXPECT_TRUE(result.node.empty());
  EXPECT_EQ(play.stored("a").node_name, "n1");
  EXPECT_EQ(play.stored("b").node_name, "n1");
  // One more does not wait.
  writes(play, member("c", 1));
  EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
  EXPECT_EQ(play.stored("c").node_name, "n1");
}

// QUE-GROUP-2: without GangScheduling no PodGroup is needed.
TEST(PodGroups, NeedNoObjectWithoutGangs) {
  Play play = with_groups({{"GenericWorkload", true}});
  play.node("n1", 1000);
  writes(play, member("a", 9));
  writes(play, member("b", 8));
  EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
  EXPECT_EQ(play.stored("a").node_name, "n1");
  EXPECT_EQ(play.place("b"), "backoff");
}

// QUE-GROUP-1, QUE-GROUP-2: without the gate GenericWorkload, the scheduler ignores the pod group of a pod.
TEST(PodGroups, AreIgnoredWithoutTheirGate) {
  Play play("v1.36.3");
  play.node("n1", 4000);
  writes(play, member("a", 9));
  EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
  EXPECT_EQ(play.stored("a").node_name, "n1");
}

// QUE-GROUP-2: the order is by priority, then by time in the active part.
TEST(PodGroups, TryTheMostImportantPodsFirst) {
  Play play = with_groups();
  play.node("n1", 1000);
  writes(play, group_of(std::nullopt));
  writes(play, member("late", 5));
  play.advances(1000);
  writes(play, member("later", 5));
  writes(play, member("high", 6));
  cycles(play);
  EXPECT_EQ(play.stored("high").node_name, "n1");
  play.node("n2", 1000);
  waits_and_flushes(play);
  cycles(play);
  EXPECT_EQ(play.stored("late").node_name, "n2");
}

// QUE-GROUP-2: pods of the same priority and time are tried in the order of their creation.
TEST(PodGroups, TryEqualPodsInTheOrderOfTheirCreation) {
  Play play = with_groups();
  play.node("n1", 2000);
  writes(play, group_of({}));
  for (const char* name : {"c", "b", "a"}) writes(play, member(name, 9));
  EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
  EXPECT_EQ(play.stored("c").node_name, "n1");
  EXPECT_EQ(play.stored("b").node_name, "n1");
  EXPECT_EQ(play.stored("a").node_name, "");
}

// QUE-GROUP-2: a gated pod stays, and one in backoff comes along.
TEST(PodGroups, BringAlongWhatIsNotGated) {
  Play play = with_group(1000);
  PodObject gated = member("c", 7);
  gated.pod.scheduling_gates = {"x"};
  writes(play, gated);
  EXPECT_EQ(cycles(play), CycleOutcome::none);
  EXPECT_EQ(play.place("a"), "backoff");
  EXPECT_EQ(play.place("b"), "backoff");
  EXPECT_EQ(play.place("c"), "unschedulable");
  play.node("n2", 1000);
  EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
  EXPECT_EQ(play.stored("b").node_name, "n2");
  EXPECT_EQ(play.place("c"), "unschedulable");
}

// QUE-GROUP-2, QUE-ACTIVATE-1: a pod of the group that is on a node is not activated.
TEST(PodGroups, DoNotActivateAPodOnANode) {
  Play play = with_groups();
  play.node("n1", 4000);
  writes(play, group_of(2));
  PodObject running = member("r", 1);
  running.pod.node_name = "n1";
  writes(play, running);
  writes(play, member("a", 9));
  const StepAnswer answer = does(play, CycleCommand{});
  EXPECT_EQ(answer.cycle->outcome, CycleOutcome::scheduled);
  EXPECT_TRUE(answer.clauses.contains("QUE-GROUP-2"));
  EXPECT_FALSE(answer.clauses.contains("QUE-ACTIVATE-1"));
}

// QUE-GROUP-2, QUE-POP-3
TEST(PodGroups, DropPodsThatTerminate) {
  Play play = with_group(4000);
  for (const char* name : {"a", "b"}) {
    PodObject& queued = std::find_if(play.world.queue.active.begin(), play.world.queue.active.end(),
                                     [name](const Entry& entry) { return entry.object.pod.name == name; })
                            ->object;
    queued.pod.terminating = true;
  }
  EXPECT_EQ(cycles(play), CycleOutcome::dropped);
  EXPECT_EQ(play.place("a"), "");
  EXPECT_EQ(play.place("b"), "");
}

// QUE-POP-3: the answer cites the clause for pods that are dropped.
TEST(PodGroups, CiteThePodsThatTheyDrop) {
  Play play = with_groups();
  play.node("n1", 4000);
  writes(play, group_of(2));
  for (const char* name : {"a", "b"}) {
    PodObject terminating = member(name, 9);
    terminating.pod.terminating = true;
    writes(play, terminating);
  }
  const StepAnswer answer = does(play, CycleCommand{});
  EXPECT_EQ(answer.cycle->outcome, CycleOutcome::dropped);
  EXPECT_TRUE(answer.clauses.contains("QUE-POP-3"));
}

// QUE-GROUP-2: a cycle of a group takes no node.
TEST(PodGroups, AreNotToldANode) {
  Play play = with_group(4000);
  const World before = play.world;
  EXPECT_EQ(does(play, CycleCommand{"n1"}).error->code, "not-admissible");
  EXPECT_EQ(play.world.queue, before.queue);
}

// QUE-GROUP-3, QUE-GROUP-4, QUE-GROUP-5
TEST(PodGroups, ThatDoNotFitLeaveNothingAssumed) {
  Play play = with_group(1000);
  EXPECT_EQ(cycles(play), CycleOutcome::none);
  EXPECT_TRUE(reference::observe(play.world).assumed.empty());
  EXPECT_TRUE(play.entry("a").rejectors.empty());
  EXPECT_EQ(play.entry("b").rejectors, (std::set<std::string>{"NodeResourcesFit"}));
  EXPECT_EQ(play.place("a"), "backoff");
  EXPECT_EQ(play.place("b"), "backoff");
}

// QUE-GROUP-4, QUE-GANG-3: part of a group is enough.
TEST(PodGroups, LeaveOutWhatDoesNotFit) {
  Play play = with_group(2000);
  writes(play, member("c", 20, 3000));
  EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
  EXPECT_EQ(play.stored("a").node_name, "n1");
  EXPECT_EQ(play.stored("b").node_name, "n1");
  EXPECT_EQ(play.place("c"), "active");  // a, which waits in Permit, activated it
}

// QUE-GROUP-4: an error of one is the error of all.
TEST(PodGroups, ErrIfTheirObjectIsGone) {
  Play play = with_group(1000);
  writes(play, member("c", 7));
  writes(play, member("big", 10, 3000));
  writes(play, group_of(2), Verb::remove);
  EXPECT_EQ(cycles(play), CycleOutcome::error);
  for (const char* name : {"a", "b", "c", "big"}) EXPECT_EQ(play.place(name), "unschedulable");
  EXPECT_EQ(play.message("a"), "running Permit plugin \"GangScheduling\": failed to get podGroup default/g");
  for (const char* name : {"b", "big"})
    EXPECT_EQ(play.message(name), "failed to schedule other pod from a pod group: " + play.message("a"));
}

// QUE-GANG-4, QUE-GROUP-4, QUE-CACHE-2: the PodGroup goes before its pod is bound. The pod leaves the
// cache, which forgets its port.
TEST(PodGroups, ErrIfTheyAreGoneBeforeTheBinding) {
  Play play = with_groups();
  play.node("n1", 2000);
  writes(play, group_of(1));
  writes(play, member("big", 9, 3000));
  PodObject bound = member("a", 8);
  bound.pod = with_host_port(bound.pod, 80, "", "TCP");
  writes(play, bound);
  play.holds(CallKind::patch, "big");
  EXPECT_EQ(cycles(play), CycleOutcome::open);
  writes(play, group_of(1), Verb::remove);
  const StepAnswer answer = does(play, AnswerCommand{CallKind::patch, "default/big", CallResult::ok});
  EXPECT_TRUE(answer.clauses.contains("QUE-GANG-4"));
  EXPECT_TRUE(answer.clauses.contains("QUE-CACHE-2"));
  EXPECT_TRUE(answer.state.assumed.empty());
  EXPECT_EQ(play.message("a"), "running Permit plugin \"GangScheduling\": failed to get podGroup default/g");
}

// QUE-BIND-2: a refused binding is that of one pod alone.
TEST(PodGroups, BindEachPodByItself) {
  Play play = with_group(4000);
  play.holds(CallKind::bind, "b");
  EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
  play.answers(CallKind::bind, "b", CallResult::error);
  EXPECT_EQ(play.stored("a").node_name, "n1");
  EXPECT_EQ(play.place("b"), "backoff");
  waits_and_flushes(play);
  EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
  EXPECT_EQ(play.stored("b").node_name, "n1");
}

// QUE-GROUP-4, QUE-FLIGHT-1: a pod that waits for the rest of its gang is in flight after the cycle, until
// its nomination is written.
TEST(PodGroups, LeaveTheirWaitingPodsInFlight) {
  Play play = with_group(4000);
  play.holds(CallKind::patch, "a");
  const StepAnswer answer = does(play, CycleCommand{});
  EXPECT_EQ(answer.cycle->outcome, CycleOutcome::scheduled);
  EXPECT_EQ(answer.state.waiting, Names{"default/a"});
  EXPECT_EQ(answer.state.in_flight, Names{"default/a"});
}

// QUE-GROUP-4: the loop waits for each patch, and the group may go meanwhile.
TEST(PodGroups, AreHandledOneAfterTheOther) {
  Play play = with_group(2000);
  writes(play, member("c", 20, 3000));
  play.holds(CallKind::patch, "c");
  EXPECT_EQ(cycles(play), CycleOutcome::open);
  EXPECT_EQ(play.place("a"), "in flight");
  EXPECT_EQ(cycles(play), CycleOutcome::busy);
  writes(play, group_of(2), Verb::remove);
  play.answers(CallKind::patch, "c", CallResult::ok);
  EXPECT_EQ(play.world.ended->outcome, CycleOutcome::scheduled);
  EXPECT_EQ(play.place("a"), "unschedulable");
  EXPECT_EQ(play.stored("a").node_name, "");
}

// QUE-GROUP-4, QUE-FAIL-2: a pod that is gone is not put back.
TEST(PodGroups, ForgetPodsThatAreGone) {
  Play play = with_group(1000);
  writes(play, member("c", 7));
  play.holds(CallKind::patch, "a");
  EXPECT_EQ(cycles(play), CycleOutcome::open);
  play.removes("b").removes("c");
  writes(play, member("c", 7));
  play.answers(CallKind::patch, "a", CallResult::ok);
  EXPECT_EQ(play.place("b"), "");
  EXPECT_TRUE(play.world.queue.in_flight.empty());
}

// QUE-GROUP-4, QUE-CALL-3: the same for a pod whose second failure needs no patch.
TEST(PodGroups, ForgetPodsThatAreGoneWithoutAPatch) {
  Play play = with_group(1000);
  cycles(play);
  play.removes("a");
  writes(play, member("a", 9));
  play.holds(CallKind::patch, "a");
  EXPECT_EQ(cycles(play), CycleOutcome::open);
  play.removes("b").answers(CallKind::patch, "a", CallResult::ok);
  EXPECT_EQ(play.calls(), Names{});
  EXPECT_TRUE(play.world.queue.in_flight.empty());
}

// QUE-CALL-3: a second failure that changes nothing needs no patch.
TEST(PodGroups, DoNotRepeatTheirPatches) {
  Play play = with_group(1000);
  cycles(play);
  waits_and_flushes(play);
  EXPECT_TRUE(does(play, CycleCommand{}).calls.empty());
}

// QUE-GANG-2
TEST(PodGroups, NominateAPodThatAnAdditionActivates) {
  Play play = with_groups();
  play.node("n1", 4000);
  writes(play, group_of(2));
  PodObject nominated = member("a", 9);
  nominated.pod.nominated_node_name = "n1";
  writes(play, nominated);
  EXPECT_EQ(play.nominated("a"), "");
  writes(play, member("b", 8));
  EXPECT_EQ(play.nominated("a"), "n1");
}

TEST(PodGroups, AreStored) {
  Play play = with_groups();
  EXPECT_FALSE(writes(play, group_of(2)).error);
  EXPECT_EQ(writes(play, group_of(2)).error->code, "exists");
  EXPECT_FALSE(writes(play, group_of(1), Verb::update).error);
  EXPECT_EQ(play.world.seen.pod_groups.at(0).least_pods, 1);
  EXPECT_FALSE(writes(play, group_of(2), Verb::remove).error);
  EXPECT_EQ(writes(play, group_of(2), Verb::update).error->code, "not-found");
  EXPECT_EQ(writes(play, group_of(2), Verb::remove).error->code, "not-found");
  PodGroupObject named = group_of(2, "h");
  named.uid = "u-h";
  EXPECT_FALSE(writes(play, group_of(2)).error);
  EXPECT_FALSE(writes(play, named).error);
  EXPECT_EQ(play.world.stored.pod_groups.at(1).uid, "u-h");
  PodGroupObject elsewhere = named;
  elsewhere.ns = "elsewhere";
  EXPECT_FALSE(writes(play, elsewhere).error);
  EXPECT_FALSE(writes(play, named, Verb::remove).error);
  EXPECT_EQ(play.world.stored.pod_groups.size(), 2U);
}

}  // namespace touchstone::tests::group_test
