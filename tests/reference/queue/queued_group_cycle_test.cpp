#include <gtest/gtest.h>

#include "tests/support/queued_groups.hpp"

namespace touchstone::tests::queued_group_cycle_test {

using namespace queued_groups;

// QUE-ENTITY-3, QUE-ENTITY-5: a pod of another namespace is not of the group.
TEST(QueuedGroups, AreOfOneNamespace) {
  Play play = with_queued_groups();
  play.node("n1", 4000);
  PodObject elsewhere = single("s", 1, 1000, "n1");
  elsewhere.pod.ns = "elsewhere";
  elsewhere.pod_group = "g";
  writes(play, elsewhere);
  writes(play, group_of({}));
  writes(play, member("a"));
  EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
}

// QUE-ENTITY-5: a pod of this group name in another namespace is of another group.
TEST(QueuedGroups, DoNotCountAPodOfAnotherNamespaceOnANode) {
  Play play = with_queued_groups();
  play.node("n1", 2000);
  writes(play, group_of(2));
  PodObject running = member("r");
  running.pod.ns = "elsewhere";
  running.pod.node_name = "n1";
  writes(play, running);
  writes(play, member("a"));
  writes(play, member("b"));
  EXPECT_EQ(cycles(play), CycleOutcome::none);
}

// QUE-ENTITY-3: a pod of the group on a node has another scheduler.
TEST(QueuedGroups, HaveOneScheduler) {
  Play play = with_queued_groups();
  play.node("n1", 4000);
  PodObject stranger = member("s");
  stranger.pod.scheduler_name = "other";
  stranger.pod.node_name = "n1";
  writes(play, stranger);
  writes(play, group_of({}));
  writes(play, member("a"));
  EXPECT_EQ(cycles(play), CycleOutcome::error);
  EXPECT_EQ(play.message("a"),
            "all pods in a single pod group should have the same .spec.schedulerName set, got: \"other\" and "
            "\"default-scheduler\"");
}

// QUE-ENTITY-3
TEST(QueuedGroups, HaveOnePriority) {
  Play play = with_queued_groups();
  play.node("n1", 4000);
  PodGroupObject group = group_of({});
  group.priority = 120;
  writes(play, group);
  PodObject low = member("a");
  low.pod.priority = -5;
  writes(play, low);
  EXPECT_EQ(cycles(play), CycleOutcome::error);
  EXPECT_EQ(
      play.message("a"),
      "all pods in a single pod group should have the same priority as the pod group's priority, got -5 and "
      "120");
}

// QUE-ENTITY-3: the error names the policy of the pod that differs, and then that of the first pod.
TEST(QueuedGroups, ErrByThePolicyOfTheirFirstPod) {
  Play play = with_queued_groups();
  play.node("n1", 4000);
  writes(play, group_of(2));
  PodObject first = member("a");
  first.pod.preemption_policy = "Never";
  writes(play, first);
  writes(play, member("b"));
  EXPECT_EQ(cycles(play), CycleOutcome::error);
  EXPECT_EQ(play.message("a"),
            "all pods in a single pod group should have the same preemption policy, got PreemptLowerPriority "
            "and Never");
}

// QUE-ENTITY-5: the trial runs the filters of a pod alone, so its message says nothing about preemption.
TEST(QueuedGroups, TryTheirPodsWithoutPreemption) {
  Play play = with_queued_groups();
  play.node("n1", 1000);
  writes(play, group_of({}));
  writes(play, member("a", 3000));
  EXPECT_EQ(cycles(play), CycleOutcome::none);
  EXPECT_EQ(play.message("a"), "0/1 nodes are available: 1 Insufficient cpu.");
}

// QUE-ENTITY-5, NOM-COUNT-1: a pod that the trial placed is counted once, although it was nominated.
TEST(QueuedGroups, CountAPlacedPodWithoutItsNomination) {
  Play play = with_queued_groups();
  Node room_for_two = node_with("n1", 4000);
  room_for_two.allocatable["pods"] = 2;
  play.creates(room_for_two);
  PodGroupObject group = group_of(2);
  group.priority = 0;  // a nominated pod that is in no part of the queue has this priority
  writes(play, group);
  for (PodObject object : {nominated("a", "n1"), member("b")}) {
    object.pod.priority = 0;
    writes(play, object);
  }
  EXPECT_EQ(play.nominated("a"), "n1");
  EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
}

// QUE-ENTITY-5, NOM-FAIL-1: if preemption does not help, a pod that fits loses its nomination, and one that
// does not fit keeps it.
TEST(QueuedGroups, KeepTheNominationOfAPodThatDoesNotFit) {
  Play play = with_queued_groups();
  play.node("n1", 1000);
  writes(play, group_of(2));
  writes(play, nominated("a", "n1"));
  writes(play, nominated("b", "n1"));
  EXPECT_EQ(cycles(play), CycleOutcome::none);
  EXPECT_EQ(play.stored("a").nominated_node_name, "");
  EXPECT_EQ(play.nominated("a"), "");
  EXPECT_EQ(play.stored("b").nominated_node_name, "n1");
  EXPECT_EQ(play.nominated("b"), "n1");
}

// QUE-ENTITY-5: an error of one is the error of all.
TEST(QueuedGroups, ErrLikeTheirPods) {
  Play play = with_group(4000);
  writes(play, member("0", 9000));
  play.node("n2", 4000);
  play.world.release.prescore_error = "no state";
  EXPECT_EQ(cycles(play), CycleOutcome::error);
  const std::string error = play.message("a");
  EXPECT_FALSE(error.empty());
  for (const char* name : {"0", "b"})
    EXPECT_EQ(play.message(name), "failed to schedule other pod from a pod group: " + error);
  EXPECT_EQ(place_of(play, "a"), "backoff");
  EXPECT_EQ(place_of(play, "b"), "backoff");
}

// QUE-ENTITY-5: the error of one pod is that of the group, also if the pods after it would fit. The next
// attempt forgets it.
TEST(QueuedGroups, EndTheTrialAtAnError) {
  Play play = with_queued_groups();
  play.node("n1", 4000).node("n2", 4000);
  play.world.release.prescore_error = "no state";  // for a alone: b has one node to choose
  writes(play, group_of({}));
  writes(play, member("a"));
  writes(play, on("n1", member("b")));
  EXPECT_EQ(cycles(play), CycleOutcome::error);
  EXPECT_EQ(play.stored("b").node_name, "");
  play.world.release.prescore_error = "";
  waits_and_flushes(play);
  EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
  EXPECT_NE(play.stored("a").node_name, "");
}

// QUE-ENTITY-5
TEST(QueuedGroups, AreNotModelledLikeTheirPods) {
  Play play = with_group(4000);
  writes(play, with_claims(member("c")));
  EXPECT_EQ(cycles(play), CycleOutcome::skipped);
}

// QUE-ENTITY-5: a pod that is not modelled ends the trial. A pod that it placed is nominated as before, and
// so is one that fits nowhere.
TEST(QueuedGroups, EndTheTrialAtAPodThatIsNotModelled) {
  Play play = with_queued_groups();
  play.node("n1", 4000);
  writes(play, group_of({}));
  writes(play, nominated("a", "n1"));
  writes(play, with_claims(member("b")));
  writes(play, member("c", 9000));
  const StepAnswer answer = does(play, CycleCommand{});
  EXPECT_EQ(answer.cycle->outcome, CycleOutcome::skipped);
  EXPECT_FALSE(answer.clauses.contains("QUE-CYCLE-3"));
  EXPECT_EQ(play.nominated("a"), "n1");
  Play failing = with_queued_groups();
  failing.node("n1", 4000);
  writes(failing, group_of({}));
  writes(failing, nominated("a", "n1", 9000));
  writes(failing, with_claims(member("b")));
  EXPECT_FALSE(does(failing, CycleCommand{}).clauses.contains("NOM-ADD-1"));
  EXPECT_EQ(failing.nominated("a"), "n1");
}

// QUE-ENTITY-5, QUE-FAIL-2: a pod that is gone is not put back.
TEST(QueuedGroups, ForgetPodsThatAreGone) {
  Play play = with_group(1000);
  play.holds(CallKind::patch, "a");
  EXPECT_EQ(cycles(play), CycleOutcome::open);
  play.removes("b").answers(CallKind::patch, "a", CallResult::ok);
  EXPECT_EQ(place_of(play, "a"), "unschedulable");
  EXPECT_EQ(place_of(play, "b"), "elsewhere");
  EXPECT_TRUE(play.world.queue.in_flight.empty());
}

// QUE-ENTITY-5, QUE-CALL-3: the same for a pod whose second failure needs no patch.
TEST(QueuedGroups, ForgetPodsThatAreGoneWithoutAPatch) {
  Play play = with_group(1000);
  EXPECT_EQ(cycles(play), CycleOutcome::none);
  writes(play, member("a"), Verb::update);  // its status is lost
  waits_and_flushes(play);
  play.holds(CallKind::patch, "a");
  EXPECT_EQ(cycles(play), CycleOutcome::open);
  play.removes("b").answers(CallKind::patch, "a", CallResult::ok);
  EXPECT_TRUE(play.calls().empty());
  EXPECT_TRUE(play.world.queue.in_flight.empty());
}

// QUE-ENTITY-10: a deleted pod counts for its own group alone.
TEST(QueuedGroups, DoNotCountADeletedPodOfAnotherGroup) {
  Play play = with_queued_groups();
  play.node("n1", 4000);
  writes(play, group_of({}));
  writes(play, patient(member("a")));
  EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
  play.removes("a");
  EXPECT_EQ(play.world.forgotten_in_gangs.size(), 1U);
  writes(play, group_of(2, "h"));
  writes(play, member("x", 1000, "h"));
  EXPECT_EQ(place_of(play, "x"), "unschedulable");
  writes(play, group_of(2), Verb::update);
  writes(play, member("b"));
  EXPECT_EQ(place_of(play, "b"), "active");
}

// QUE-ENTITY-10: in v1.37 a forgotten pod stays when a pod that also has a workloadRef is deleted, which
// v1.36 dropped from the API.
TEST(QueuedGroups, RememberADeletedPodBesideAWorkloadRef) {
  Play play = with_queued_groups();
  play.node("n1", 4000);
  writes(play, group_of({}));
  writes(play, patient(member("a")));
  EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
  play.removes("a");
  PodObject foreign = gated("f");
  foreign.workload_ref = WorkloadRef{"w", "g", ""};
  foreign.pod.scheduler_name = "other";
  writes(play, foreign);
  play.removes("f");
  EXPECT_EQ(play.world.forgotten_in_gangs.size(), 1U);
}

}  // namespace touchstone::tests::queued_group_cycle_test
