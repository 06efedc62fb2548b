#include <gtest/gtest.h>

#include "tests/support/queued_groups.hpp"

namespace touchstone::tests::queued_group_preemption_test {

using namespace queued_groups;

namespace {

/// A group of a and b, and v of lower priority on n1 with so many milli-CPU.
Play with_victim(Quantity cpu) {
  Play play = with_queued_groups();
  play.node("n1", cpu);
  writes(play, single("v", 1, 1000, "n1"));
  writes(play, group_of(2));
  writes(play, member("a"));
  writes(play, member("b"));
  return play;
}

}  // namespace

// QUE-ENTITY-5, QUE-ENTITY-7: a pod that fits without victims is nominated, too.
TEST(QueuedGroups, NominateAPodThatFitsAlready) {
  Play play = with_victim(2000);
  EXPECT_EQ(cycles(play), CycleOutcome::nominated);
  EXPECT_EQ(play.nominated("a"), "n1");
  EXPECT_EQ(play.nominated("b"), "n1");
  EXPECT_TRUE(play.stored("v").terminating);
  EXPECT_EQ(play.message("a").rfind("minCount", 0), 0U);
}

// QUE-ENTITY-7, QUE-FLUSH-2: while its victim terminates, the group waits.
TEST(QueuedGroups, WaitForTheirVictims) {
  Play play = with_victim(2000);
  EXPECT_EQ(cycles(play), CycleOutcome::nominated);
  play.advances(301'000).flushes_leftover();
  EXPECT_EQ(cycles(play), CycleOutcome::nominated);
  EXPECT_NE(play.message("a").find("ongoing preemption on nominated nodes"), std::string::npos);
  EXPECT_EQ(play.nominated("a"), "n1");
  EXPECT_EQ(play.nominated("b"), "n1");
  EXPECT_TRUE(play.world.preemptions.empty());
}

// QUE-ENTITY-7: only pods of lower priority that are preempted are waited for.
TEST(QueuedGroups, DoNotWaitForOtherPods) {
  for (const bool has_pod : {false, true}) {
    Play play = with_queued_groups();
    play.node("n1", 1000).node("n2", 1000);
    writes(play, single("v", 1, 1000, "n2"));
    if (has_pod) writes(play, single("high", 20, 0, "n1"));
    writes(play, group_of(2));
    PodObject nominated = member("a");
    nominated.pod.nominated_node_name = "n1";
    writes(play, nominated);
    writes(play, member("b"));
    EXPECT_EQ(cycles(play), CycleOutcome::nominated);
    EXPECT_TRUE(play.stored("v").terminating);
    EXPECT_NE(play.message("a").find("preempting 1 victims"), std::string::npos);
  }
}

// QUE-ENTITY-7: a pod that the second trial does not place is not nominated.
TEST(QueuedGroups, PreemptForTheirPlacedPods) {
  Play play = with_victim(2000);
  writes(play, member("big", 9000));
  EXPECT_EQ(cycles(play), CycleOutcome::nominated);
  EXPECT_EQ(play.nominated("a"), "n1");
  EXPECT_EQ(play.nominated("b"), "n1");
  EXPECT_EQ(play.nominated("big"), "");
}

// QUE-ENTITY-7: anti-affinity counts when victims are put back.
TEST(QueuedGroups, DoNotReprieveWhatTheyKeepAway) {
  Play play = with_queued_groups();
  play.node("n1", 4000);
  PodObject victim = single("v", 1, 0, "n1");
  victim.pod.labels = {{"app", "v"}};
  writes(play, victim);
  writes(play, single("w", 1, 0, "n1"));
  writes(play, group_of({}));
  PodObject lonely = member("a");
  PodAffinityTerm term;
  term.label_selector = LabelSelector{{{"app", "v"}}, {}};
  term.topology_key = "kubernetes.io/hostname";
  lonely.pod.pod_anti_affinity = {term};
  writes(play, lonely);
  EXPECT_EQ(cycles(play), CycleOutcome::nominated);
  EXPECT_TRUE(play.stored("v").terminating);
  EXPECT_FALSE(play.stored("w").terminating);
}

// QUE-ENTITY-7: the second trial goes further than the first.
TEST(QueuedGroups, MayNotBeModelledWithoutTheirVictims) {
  Play play = with_victim(2000);
  writes(play, group_of(3), Verb::update);
  PodObject with_claims = member("c");
  with_claims.pod.resource_claims = {"c"};
  writes(play, with_claims);
  EXPECT_EQ(cycles(play), CycleOutcome::skipped);
  EXPECT_FALSE(play.stored("v").terminating);
}

// QUE-ENTITY-7: a running pod whose PodGroup is not seen has its own priority as a victim.
TEST(QueuedGroups, LendNoPriorityWithoutTheirPodGroup) {
  Play play = with_queued_groups();
  play.node("n1", 1000);
  PodObject running = single("v", 1, 1000, "n1");
  running.pod_group = "g";
  writes(play, running);
  writes(play, single("p", 5));
  EXPECT_EQ(cycles(play), CycleOutcome::nominated);
}

// QUE-ENTITY-8, QUE-ENTITY-1: a group whose PodGroup is gone is not activated.
TEST(QueuedGroups, AreNotActivatedWithoutTheirPodGroup) {
  Play play = with_victim(2000);
  play.holds(CallKind::remove, "v");
  EXPECT_EQ(cycles(play), CycleOutcome::nominated);
  EXPECT_EQ(place_of(play, "a"), "unschedulable");
  writes(play, group_of(2), Verb::remove);
  play.answers(CallKind::remove, "v", CallResult::error);
  EXPECT_EQ(place_of(play, "a"), "incomplete");
  EXPECT_EQ(place_of(play, "b"), "incomplete");
}

}  // namespace touchstone::tests::queued_group_preemption_test
