// goes into tests/reference/queue/queued_group_preemption_test.cpp (preemption), queued_group_cycle_test.cpp
// (trials)
#include <gtest/gtest.h>

#include "tests/support/queued_groups.hpp"

namespace touchstone::tests::queued_group_cycle_more_test {

using namespace queued_groups;

namespace {

PodAffinityTerm term_of(const std::string& app) {
  PodAffinityTerm term;
  term.label_selector = LabelSelector{{{"app", app}}, {}};
  term.topology_key = "kubernetes.io/hostname";
  return term;
}

PodObject with_claims(const std::string& name) {
  PodObject object = member(name);
  object.pod.resource_claims = {"c"};
  return object;
}

PodObject nominated(const std::string& name, const std::string& node, Quantity cpu = 1000) {
  PodObject object = member(name, cpu);
  object.pod.nominated_node_name = node;
  return object;
}

PodObject on(const std::string& node, PodObject object) {
  object.pod.node_selector = {{"kubernetes.io/hostname", node}};
  return object;
}

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

bool says(const Play& play, const std::string& name, const std::string& text) {
  return play.message(name).find(text) != std::string::npos;
}

}  // namespace

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
  EXPECT_EQ(
      play.message("a"),
      "all pods in a single pod group should have the same preemption policy, got PreemptLowerPriority and "
      "Never");
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

// QUE-ENTITY-5: the trial of a pod ends with its filters, so its message says nothing about preemption.
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

// QUE-ENTITY-5: a pod that is not modelled ends the trial. A pod that it placed is nominated as before, and
// the nomination of one that fits nowhere did not end.
TEST(QueuedGroups, EndTheTrialAtAPodThatIsNotModelled) {
  Play play = with_queued_groups();
  play.node("n1", 4000);
  writes(play, group_of({}));
  writes(play, nominated("a", "n1"));
  writes(play, with_claims("b"));
  writes(play, member("c", 9000));
  const StepAnswer answer = does(play, CycleCommand{});
  EXPECT_EQ(answer.cycle->outcome, CycleOutcome::skipped);
  EXPECT_FALSE(answer.clauses.contains("QUE-CYCLE-3"));
  EXPECT_EQ(play.nominated("a"), "n1");
  Play failing = with_queued_groups();
  failing.node("n1", 4000);
  writes(failing, group_of({}));
  writes(failing, nominated("a", "n1", 9000));
  writes(failing, with_claims("b"));
  EXPECT_FALSE(does(failing, CycleCommand{}).clauses.contains("NOM-ADD-1"));
  EXPECT_EQ(failing.nominated("a"), "n1");
}

// QUE-ENTITY-5: the error of one pod is that of the group, also if the pods after it would fit. It
// is forgotten in the next attempt.
TEST(QueuedGroups, EndTheTrialAtAnError) {
  Play play = with_queued_groups();
  play.node("n1", 4000).node("n2", 4000);
  play.world.release.prescore_error = "no state";  // two nodes are scored, one is not
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

// QUE-ENTITY-7: victims are waited for if they are on a node that the scheduler knows, have a lower priority
// than the group, and terminate because of a preemption.
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

// QUE-ENTITY-7: a node on which no pod ever was has no victims to wait for, although pods are assumed
// elsewhere.
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

// QUE-ENTITY-7, NOM-FAIL-1: while their victims terminate, pods keep the nomination that they had at the
// beginning of the cycle, although a user has cleared it meanwhile.
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

// QUE-ENTITY-7: the least important victims are evicted, and no more than the group needs. n1 is too small
// for them.
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
  victim.pod.pod_anti_affinity = {term_of("b")};
  writes(play, victim);
  writes(play, group_of(2));
  PodObject lonely = on("n1", member("a"));
  lonely.pod.pod_anti_affinity = {term_of("b")};
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
  EXPECT_TRUE(says(play, "a", "pod group preemption: No preemption victims found for incoming preemptor"));
}

// QUE-ENTITY-7: one pod that spreads is enough.
TEST(QueuedGroups, SkipPreemptionIfOneOfTheirPodsSpreads) {
  Play play = with_victim(2000);
  PodObject spreading = member("c");
  TopologySpreadConstraint constraint;
  constraint.topology_key = "kubernetes.io/hostname";
  constraint.when_unsatisfiable = "DoNotSchedule";
  constraint.max_skew = 5;
  constraint.label_selector = LabelSelector{};
  spreading.pod.topology_spread = {constraint};
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

}  // namespace touchstone::tests::queued_group_cycle_more_test
