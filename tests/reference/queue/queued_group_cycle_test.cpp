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

// QUE-ENTITY-5
TEST(QueuedGroups, AreNotModelledLikeTheirPods) {
  Play play = with_group(4000);
  PodObject with_claims = member("c");
  with_claims.pod.resource_claims = {"c"};
  writes(play, with_claims);
  EXPECT_EQ(cycles(play), CycleOutcome::skipped);
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
  PodObject patient = member("a");
  patient.annotations["touchstone.dev/permit-seconds"] = "5";
  writes(play, patient);
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

}  // namespace touchstone::tests::queued_group_cycle_test
