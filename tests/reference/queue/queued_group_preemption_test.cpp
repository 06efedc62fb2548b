#include <gtest/gtest.h>

#include <algorithm>

#include "reference/queue/cycle_run.hpp"
#include "tests/support/queued_groups.hpp"
#include "tests/support/topology.hpp"

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

// QUE-PREEMPT-4, QUE-ENTITY-8: the message of a victim says that its preemptor is a group.
TEST(QueuedGroups, MarkTheirVictims) {
  Play play = with_queued_groups();
  play.node("n1", 1000);
  writes(play, single("v", 1, 1000, "n1"));
  writes(play, group_of({}));
  writes(play, member("a"));
  EXPECT_EQ(cycles(play), CycleOutcome::nominated);
  EXPECT_EQ(reference::find_pod(play.world.stored.pods, "default", "v")->messages.at("DisruptionTarget"),
            "default-scheduler: preempting to accommodate a higher priority podgroup");
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

// QUE-ENTITY-7, NOM-FAIL-1: while their victims terminate, pods keep the nomination that they had when the
// cycle began, although a user clears it during the cycle.
TEST(QueuedGroups, KeepTheirNominationsWhileTheyWait) {
  Play play = with_victim(2000);
  EXPECT_EQ(cycles(play), CycleOutcome::nominated);
  play.advances(301'000).flushes_leftover();
  play.holds(CallKind::patch, "a");
  EXPECT_EQ(cycles(play), CycleOutcome::open);
  PodObject cleared = *reference::find_pod(play.world.stored.pods, "default", "b");
  cleared.pod.nominated_node_name.clear();
  writes(play, cleared, Verb::update);
  play.answers(CallKind::patch, "a", CallResult::ok);
  EXPECT_EQ(play.stored("b").nominated_node_name, "n1");
  EXPECT_EQ(play.nominated("b"), "n1");
}

// QUE-ENTITY-7: only pods of lower priority that are preempted are waited for.
TEST(QueuedGroups, DoNotWaitForOtherPods) {
  for (const bool has_pod : {false, true}) {
    Play play = with_queued_groups();
    play.node("n1", 1000).node("n2", 1000);
    writes(play, single("v", 1, 1000, "n2"));
    if (has_pod) writes(play, single("high", 20, 0, "n1"));
    writes(play, group_of(2));
    writes(play, nominated("a", "n1"));
    writes(play, member("b"));
    EXPECT_EQ(cycles(play), CycleOutcome::nominated);
    EXPECT_TRUE(play.stored("v").terminating);
    EXPECT_NE(play.message("a").find("preempting 1 victims"), std::string::npos);
  }
}

// QUE-ENTITY-7: the group waits for pods that terminate because of a preemption, if their priority is
// lower than its own and the scheduler knows their node.
TEST(QueuedGroups, WaitForNoPodThatIsNoVictim) {
  enum class Case { victim, of_their_priority, node_is_gone };
  for (const Case each : {Case::victim, Case::of_their_priority, Case::node_is_gone}) {
    Play play = with_queued_groups();
    play.node("n1", 1000).node("n2", 2000);
    PodObject ending = single("e", each == Case::of_their_priority ? 9 : 1, 1000, "n1");
    ending.pod.terminating = true;
    ending.pod.conditions = {{"DisruptionTarget", "True", "PreemptionByScheduler"}};
    writes(play, ending);
    writes(play, single("v", 1, 2000, "n2"));
    if (each == Case::node_is_gone) play.removes_node("n1");
    writes(play, group_of(2));
    writes(play, member("a"));
    writes(play, nominated("b", "n1"));  // a is not nominated
    EXPECT_EQ(cycles(play), CycleOutcome::nominated);
    EXPECT_EQ(play.stored("v").terminating, each != Case::victim);
  }
}

// QUE-ENTITY-7: a node that never had a pod has no victims to wait for, although pods are assumed on
// another node.
TEST(QueuedGroups, WaitForNoPodOnANodeWithoutPods) {
  Play play = with_queued_groups();
  play.node("n1", 100).node("n2", 4000);
  for (const char* name : {"x", "y", "z"}) {
    play.holds(CallKind::bind, name);
    writes(play, on("n2", single(name, 20)));
    cycles(play);
  }
  EXPECT_EQ(reference::observe(play.world).assumed.size(), 3U);
  writes(play, single("v", 1, 1000, "n2"));
  writes(play, group_of({}));
  writes(play, nominated("a", "n1"));
  EXPECT_EQ(cycles(play), CycleOutcome::nominated);
  EXPECT_TRUE(play.stored("v").terminating);
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

// QUE-ENTITY-7: the pod that comes first fits nowhere, also without the victims. The others are nominated.
TEST(QueuedGroups, PreemptAlthoughTheirFirstPodFitsNowhere) {
  Play play = with_victim(2000);
  writes(play, member("0-big", 9000));
  const StepAnswer answer = does(play, CycleCommand{});
  EXPECT_EQ(answer.cycle->outcome, CycleOutcome::nominated);
  EXPECT_TRUE(answer.clauses.contains("QUE-ENTITY-7"));
  EXPECT_EQ(play.nominated("a"), "n1");
  EXPECT_EQ(play.nominated("b"), "n1");
  EXPECT_TRUE(play.stored("v").terminating);
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
  lonely.pod.pod_anti_affinity = {by("kubernetes.io/hostname", "v")};
  writes(play, lonely);
  EXPECT_EQ(cycles(play), CycleOutcome::nominated);
  EXPECT_TRUE(play.stored("v").terminating);
  EXPECT_FALSE(play.stored("w").terminating);
}

// QUE-ENTITY-7: the group evicts the least important victims, and no more than it needs. n1 is too small
// for its pods.
TEST(QueuedGroups, ReprieveTheMostImportantVictims) {
  Play play = with_queued_groups();
  play.node("n1", 100).node("n2", 5000);
  for (const auto& [name, priority] :
       {std::pair("v1", 1), std::pair("v2", 2), std::pair("v3", 3), std::pair("v4", 4)})
    writes(play, single(name, priority, 1000, "n2"));
  writes(play, group_of(2));
  writes(play, member("a"));
  writes(play, member("b"));
  EXPECT_EQ(cycles(play), CycleOutcome::nominated);
  EXPECT_EQ(play.nominated("a"), "n2");
  EXPECT_EQ(play.nominated("b"), "n2");
  EXPECT_TRUE(play.stored("v1").terminating);
  for (const char* name : {"v2", "v3", "v4"}) EXPECT_FALSE(play.stored(name).terminating) << name;
}

// QUE-ENTITY-7: a, on n1, keeps b away from it. So the affinity of b is not skipped, and v, which keeps b
// away from n2, is not put back.
TEST(QueuedGroups, CheckAffinityBesideTheirOtherPods) {
  Play play = with_queued_groups();
  play.node("n1", 4000).node("n2", 4000);
  PodObject victim = single("v", 1, 0, "n2");
  victim.pod.pod_anti_affinity = {by("kubernetes.io/hostname", "b")};
  writes(play, victim);
  writes(play, group_of(2));
  PodObject lonely = on("n1", member("a"));
  lonely.pod.pod_anti_affinity = {by("kubernetes.io/hostname", "b")};
  writes(play, lonely);
  PodObject other = on("n2", member("b"));
  other.pod.labels = {{"app", "b"}};
  writes(play, other);
  EXPECT_EQ(cycles(play), CycleOutcome::nominated);
  EXPECT_TRUE(play.stored("v").terminating);
}

// QUE-ENTITY-7: the message says why preemption found nothing.
TEST(QueuedGroups, SayThatThereAreNoVictims) {
  Play play = with_group(1000);
  EXPECT_EQ(cycles(play), CycleOutcome::none);
  const std::string why = "pod group preemption: No preemption victims found for incoming preemptor";
  EXPECT_NE(play.message("a").find(why), std::string::npos);
}

// QUE-ENTITY-7: one pod that spreads is enough.
TEST(QueuedGroups, SkipPreemptionIfOneOfTheirPodsSpreads) {
  Play play = with_victim(2000);
  PodObject spreading = member("c");
  spreading.pod.topology_spread = {over("kubernetes.io/hostname", "a")};
  spreading.pod.topology_spread[0].max_skew = 5;
  spreading.pod.topology_spread[0].label_selector = LabelSelector{};
  writes(play, spreading);
  EXPECT_EQ(cycles(play), CycleOutcome::skipped);
}

// QUE-ENTITY-7: a profile without DefaultPreemption evicts nothing.
TEST(QueuedGroups, EvictNothingWithoutThePlugin) {
  Play play = with_victim(2000);
  play.world.release.preempts = false;
  const StepAnswer answer = does(play, CycleCommand{});
  EXPECT_EQ(answer.cycle->outcome, CycleOutcome::none);
  EXPECT_FALSE(play.stored("v").terminating);
  EXPECT_FALSE(answer.clauses.contains("QUE-ENTITY-7"));
}

// QUE-ENTITY-7: the second trial goes further than the first.
TEST(QueuedGroups, MayNotBeModelledWithoutTheirVictims) {
  Play play = with_victim(2000);
  writes(play, group_of(3), Verb::update);
  writes(play, with_claims(member("c")));
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

// QUE-SETTLE-1, QUE-ENTITY-8: each step is enabled once, also that of the preemption of a group.
TEST(QueuedGroups, HaveOneStepForTheirPreemption) {
  Play play = with_queued_groups();
  play.node("n1", 1000);
  writes(play, single("v", 1, 1000, "n1"));
  writes(play, group_of({}));
  writes(play, member("a"));
  CanonicalChoices choices;
  ASSERT_TRUE(reference::begin_cycle(play.world, "", choices));
  const std::vector<reference::StepId> steps = reference::enabled_steps(play.world);
  const reference::StepId preempts{reference::StepId::Kind::preemption, 0, 0, false};
  EXPECT_EQ(std::count(steps.begin(), steps.end(), preempts), 1);
}

// QUE-ENTITY-8, QUE-PREEMPT-2: a group preempts while the preemption of a pod waits.
TEST(QueuedGroups, PreemptBesideAPod) {
  Play play = with_queued_groups();
  play.node("n1", 1000).node("n2", 1000);
  writes(play, single("v", 1, 1000, "n1"));
  writes(play, single("w", 5, 1000, "n2"));
  writes(play, single("p", 20));
  play.holds(CallKind::remove, "v");
  EXPECT_EQ(cycles(play), CycleOutcome::nominated);
  ASSERT_EQ(play.nominated("p"), "n1");
  writes(play, group_of({}));
  writes(play, member("a"));
  EXPECT_EQ(cycles(play), CycleOutcome::nominated);
  EXPECT_TRUE(play.stored("w").terminating);
}

// QUE-ENTITY-8: the preemption of a group clears nominations of lower pods to a node of the name "cluster",
// even if there is none, and to no other node.
TEST(QueuedGroups, ClearLowerNominationsToCluster) {
  for (const auto& [node, priority] :
       {std::pair("cluster", 1), std::pair("cluster", 9), std::pair("n2", 1)}) {
    Play play = with_queued_groups();
    play.node("n1", 1000);
    writes(play, single("v", 1, 1000, "n1"));
    PodObject low = single("low", priority);
    low.pod.nominated_node_name = node;
    low.pod.scheduling_gates = {"x"};
    writes(play, low);
    writes(play, group_of({}));
    writes(play, member("a"));
    EXPECT_EQ(cycles(play), CycleOutcome::nominated);
    const bool is_cleared = node == std::string("cluster") && priority < 9;
    EXPECT_EQ(play.stored("low").nominated_node_name.empty(), is_cleared) << node << " " << priority;
  }
}

}  // namespace touchstone::tests::queued_group_preemption_test
