#include "reference/queue/gang.hpp"

#include <gtest/gtest.h>

#include "tests/reference/queue/choices_at.hpp"
#include "tests/support/gangs.hpp"
#include "tests/support/topology.hpp"

/// Which pods of gangs are gated, and what wakes them. gang_wait_test.cpp is about their waits in Permit.
namespace touchstone::tests::gang_test {

using namespace gangs;

// QUE-GATE-1: two plug-ins gate a. Either counts, and goes on to count.
TEST(Gangs, GateAPodThatAnotherPluginGates) {
  PodObject gated = member("a", 9);
  gated.pod.scheduling_gates = {"wait"};
  for (const char* first : {"SchedulingGates", "GangScheduling"}) {
    Play play = with_gangs();
    CanonicalChoices canonical;
    LastChoiceAt last("QUE-GATE-1");
    Choices& choices = first == std::string("SchedulingGates") ? static_cast<Choices&>(canonical) : last;
    reference::play(play.world, WriteCommand{Verb::create, gated}, choices);
    EXPECT_EQ(play.entry("a").gated_by, first);
    EXPECT_EQ(play.entry("a").rejectors, std::set<std::string>{first});
    writes(play, gang_of(2));
    EXPECT_EQ(play.entry("a").gated_by, first);
  }
}

// QUE-GATE-1: chance decides anew in each command.
TEST(Gangs, GateByTheChanceOfOneCommand) {
  Play play = with_gangs();
  for (const std::size_t last : {1U, 0U}) {
    PodObject gated = member(last == 1 ? "a" : "b", 9);
    gated.pod.scheduling_gates = {"wait"};
    ScriptedChoices choices({last});
    reference::play(play.world, WriteCommand{Verb::create, gated}, choices);
    EXPECT_EQ(play.entry(gated.pod.name).gated_by, last == 1 ? "GangScheduling" : "SchedulingGates");
  }
}

// QUE-GATE-1: which plug-in gates a pod is a choice only if two plug-ins do.
TEST(Gangs, LeaveTheOrderOfThePluginsToChanceForTwoGates) {
  for (const std::size_t gates : {0U, 1U, 2U}) {
    Play play = with_gangs();
    PodObject object = member("a", 9);
    if (gates < 2) object.workload_ref.reset();
    if (gates > 0) object.pod.scheduling_gates = {"wait"};
    FirstChoiceAt choices("QUE-GATE-1");
    reference::play(play.world, WriteCommand{Verb::create, object}, choices);
    EXPECT_EQ(choices.counts.size(), gates == 2 ? 1U : 0U) << gates;
  }
}

// QUE-GANG-1
TEST(Gates, OverTimeAreThoseOfGangsAlone) {
  const Release base = release("v1.35.4");
  EXPECT_TRUE(with_gates_over_time(base, k_gates, "").value().gangs_wait);
  EXPECT_FALSE(with_gates_over_time(base, {{"GenericWorkload", true}}, "").value().gangs_wait);
  EXPECT_EQ(with_gates_over_time(base, {{"SchedulerAsyncPreemption", false}}, "").value().unmodelled_gate,
            "SchedulerAsyncPreemption=false");
  EXPECT_TRUE(with_gates_over_time(release("v1.36.3"), k_gates, "").value().groups_are_scheduled);
  EXPECT_TRUE(with_gates_over_time(release("v1.37.2"), {{"GenericWorkload", true}}, "").value().gangs_wait);
  EXPECT_EQ(with_gates_over_time(release("v1.34.4"), k_gates, "").error().code, "refused-feature-gate");
}

// QUE-GANG-2: the pod that a new pod of its gang moves is nominated as if it was new.
TEST(Gangs, NominateThePodThatANewPodMoves) {
  Play play = with_gangs();
  writes(play, gang_of(2));
  PodObject nominated = member("a", 9);
  nominated.pod.nominated_node_name = "n1";
  writes(play, nominated);
  EXPECT_TRUE(reference::observe(play.world).nominated.empty());
  writes(play, member("b", 8));
  EXPECT_EQ(reference::observe(play.world).nominated.at("n1"), Names{"default/a"});
}

// QUE-GANG-1, QUE-GANG-2
TEST(Gangs, GateTheirPodsUntilTheyAreComplete) {
  Play play = with_gangs();
  play.node("n1", 4000);
  writes(play, member("a", 9));
  EXPECT_EQ(play.entry("a").gated_by, "GangScheduling");
  writes(play, gang_of(2));
  EXPECT_EQ(play.entry("a").gated_by, "GangScheduling");
  writes(play, member("other", 9, "w", "none"));
  EXPECT_EQ(play.entry("other").gated_by, "GangScheduling");
  EXPECT_EQ(play.entry("a").gated_by, "GangScheduling");
  writes(play, member("b", 8));
  EXPECT_EQ(play.place("a"), "active");
  EXPECT_EQ(play.place("b"), "active");
}

// QUE-GANG-2
TEST(Gangs, HearOfTheirOwnWorkloadAlone) {
  Play play = with_gangs();
  writes(play, member("a", 9));
  writes(play, WorkloadGroups{"default", "other", {{"g", 1}}});
  EXPECT_EQ(play.place("a"), "unschedulable");
  writes(play, WorkloadGroups{"elsewhere", "w", {{"g", 1}}});
  EXPECT_EQ(play.place("a"), "unschedulable");
  writes(play, WorkloadGroups{"default", "w", {{"g", 2}}});
  EXPECT_EQ(play.place("a"), "unschedulable");
  writes(play, WorkloadGroups{"default", "w", {{"g", 1}}}, Verb::update);
  EXPECT_EQ(play.place("a"), "unschedulable");
  writes(play, WorkloadGroups{"default", "w", {}}, Verb::remove);
  writes(play, WorkloadGroups{"default", "w", {{"g", 1}}});
  EXPECT_EQ(play.place("a"), "active");
}

// QUE-GANG-2: neither another Workload of the namespace nor one of this name elsewhere wakes a pod.
TEST(Gangs, AreNotWokenByOtherWorkloads) {
  Play play = with_gangs();
  writes(play, member("a", 9));
  EXPECT_TRUE(writes(play, WorkloadGroups{"default", "other", {{"g", 1}}}).wakes.empty());
  EXPECT_TRUE(writes(play, WorkloadGroups{"elsewhere", "w", {{"g", 1}}}).wakes.empty());
  EXPECT_EQ(writes(play, gang_of(2)).wakes.size(), 1U);
}

// QUE-GANG-1: a gang is of one namespace.
TEST(Gangs, DoNotCountAPodOfAnotherNamespace) {
  Play play = with_gangs();
  play.node("n1", 4000);
  writes(play, gang_of(2));
  writes(play, member("a", 9));
  PodObject elsewhere = member("b", 8);
  elsewhere.pod.ns = "elsewhere";
  writes(play, elsewhere);
  EXPECT_EQ(play.entry("a").gated_by, "GangScheduling");
}

// QUE-GANG-2
TEST(Gangs, DoNotWakeAPodThatLeftThem) {
  Play play = with_gangs();
  writes(play, member("a", 9));
  PodObject left = member("a", 9);
  left.workload_ref.reset();
  writes(play, left, Verb::update);
  writes(play, member("b", 8));
  writes(play, gang_of(2));
  EXPECT_EQ(play.place("a"), "unschedulable");
}

// QUE-GANG-2: pods without a Workload are of no common gang. A pod that has left its gang is not woken by a
// pod of no gang.
TEST(Gangs, AreNotFormedByPodsWithoutWorkload) {
  Play play = with_gangs();
  writes(play, member("a", 9));
  PodObject left = member("a", 9);
  left.workload_ref.reset();
  writes(play, left, Verb::update);
  PodObject alone = member("x", 8);
  alone.workload_ref.reset();
  writes(play, alone);
  EXPECT_EQ(play.place("a"), "unschedulable");
}

// QUE-GANG-2, EVT-AFFINITY-1: a pod of the group wakes no pod that another plug-in than GangScheduling
// rejected.
TEST(Gangs, WakeByTheHintOfTheirPluginAlone) {
  Play play = with_gangs();
  play.node("n1", 4000);
  writes(play, gang_of({}));
  PodObject lonely = member("a", 9);
  lonely.pod.pod_affinity = {by("kubernetes.io/hostname", "none")};
  writes(play, lonely);
  EXPECT_EQ(cycles(play), CycleOutcome::none);
  EXPECT_EQ(play.entry("a").rejectors, std::set<std::string>{"InterPodAffinity"});
  PodObject bound = member("b", 8);
  bound.pod.node_name = "n1";
  writes(play, bound);
  EXPECT_EQ(play.place("a"), "unschedulable");
}

TEST(Workloads, AreStored) {
  Play play = with_gangs();
  EXPECT_FALSE(writes(play, gang_of(2)).error);
  EXPECT_EQ(writes(play, gang_of(2)).error->code, "exists");
  EXPECT_FALSE(writes(play, gang_of(2), Verb::remove).error);
  EXPECT_EQ(writes(play, gang_of(2), Verb::update).error->code, "not-found");
  EXPECT_EQ(writes(play, gang_of(2), Verb::remove).error->code, "not-found");
}

// QUE-GANG-2, QUE-ENTITY-9: a PodGroup that needs as many pods as before wakes no pod, and neither does the
// Workload that a pod has left.
TEST(Gangs, HearOfNothingThatHelpsNoPod) {
  const Release release = with_gangs().world.release;
  PodObject left = member("a", 9);
  reference::ClusterEvent added;
  added.type = reference::EventType::workload_added;
  added.new_workload = gang_of(2);
  EXPECT_TRUE(reference::gang_hint(left, added, release));
  left.workload_ref.reset();
  EXPECT_FALSE(reference::gang_hint(left, added, release));
  PodObject grouped = member("a", 9);
  grouped.pod_group = "g";
  reference::ClusterEvent changed;
  changed.type = reference::EventType::pod_group_changed;
  changed.old_pod_group = PodGroupObject{"default", "g", 2};
  for (const Quantity least : {1, 2, 3}) {
    changed.new_pod_group = PodGroupObject{"default", "g", least};
    EXPECT_EQ(reference::gang_hint(grouped, changed, release), least == 1) << least;
  }
}

// QUE-ENTITY-9: a PodGroup that is no gang any more wakes no pod.
TEST(Gangs, HearNothingWhenTheyEnd) {
  PodObject grouped = member("a", 9);
  grouped.pod_group = "g";
  reference::ClusterEvent changed;
  changed.type = reference::EventType::pod_group_changed;
  changed.old_pod_group = PodGroupObject{"default", "g", 2};
  changed.new_pod_group = PodGroupObject{"default", "g", 1};
  const Release release = with_gangs().world.release;
  EXPECT_TRUE(reference::gang_hint(grouped, changed, release));
  changed.new_pod_group->least_pods.reset();
  EXPECT_FALSE(reference::gang_hint(grouped, changed, release));
}

// QUE-GANG-2: another Workload of the namespace replaces none.
TEST(Gangs, KeepTheirWorkloadBesideAnother) {
  Play play = with_gangs();
  writes(play, gang_of(1));
  writes(play, WorkloadGroups{"default", "other", {{"g", 1}}});
  writes(play, member("a", 9));
  EXPECT_EQ(play.place("a"), "active");
}

// QUE-GANG-2: a Workload is of one namespace. One of this name elsewhere is not that of a pod.
TEST(Gangs, KeepTheirWorkloadBesideANamesake) {
  for (const bool elsewhere_first : {false, true}) {
    Play play = with_gangs();
    if (!elsewhere_first) writes(play, gang_of(1));
    const StepAnswer namesake = writes(play, WorkloadGroups{"elsewhere", "w", {{"g", 1}}});
    EXPECT_FALSE(namesake.error);
    EXPECT_TRUE(namesake.clauses.contains("QUE-GANG-2"));
    writes(play, member("a", 9));
    EXPECT_EQ(play.place("a"), elsewhere_first ? "unschedulable" : "active");
  }
}

}  // namespace touchstone::tests::gang_test
