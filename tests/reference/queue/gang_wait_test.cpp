#include <gtest/gtest.h>

#include "reference/queue/drive.hpp"
#include "tests/support/gangs.hpp"

/// The pods of a gang wait in Permit for each other, and may be deleted there.
namespace touchstone::tests::gang_wait_test {

using namespace gangs;

namespace {

Names waiting_in(const Play& play) { return reference::observe(play.world).waiting; }

/// A gang of a, b and c that needs all three. a waits in Permit and is deleted. The gang still has it among
/// its unscheduled pods (QUE-GANG-5).
Play with_forgotten_pod() {
  Play play = with_gang(3);
  writes(play, member("c", 7));
  cycles(play);
  EXPECT_EQ(waiting_in(play), Names{"default/a"});
  play.removes("a");
  EXPECT_EQ(play.world.forgotten_in_gangs.size(), 1U);
  return play;
}

}  // namespace

// QUE-GANG-3
TEST(Gangs, WaitForEachOther) {
  Play play = with_gang();
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::scheduled);
  EXPECT_EQ(waiting_in(play), Names{"default/a"});
  CanonicalChoices choices;
  EXPECT_TRUE(reference::play(play.world, PermitCommand{"default/a", true}, choices).error);
  EXPECT_FALSE(reference::play(play.world, AdvanceCommand{10'000'000'000}, choices).error);
  EXPECT_EQ(waiting_in(play), Names{"default/a"});
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::scheduled);
  EXPECT_TRUE(waiting_in(play).empty());
  EXPECT_EQ(play.stored("a").node_name, "n1");
  EXPECT_EQ(play.stored("b").node_name, "n1");
  // One more does not wait.
  writes(play, member("c", 1));
  play.cycle();
  EXPECT_EQ(play.stored("c").node_name, "n1");
}

// QUE-GANG-3: the pod that completes its gang counts itself. It waits for the plug-in of its annotation
// alone.
TEST(Gangs, CountThePodThatCompletesThem) {
  Play play = with_gangs();
  play.node("n1", 4000);
  writes(play, gang_of(2));
  writes(play, member("a", 9));
  writes(play, patient(member("b", 8)));
  cycles(play);
  EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
  EXPECT_EQ(waiting_in(play), Names{"default/b"});
}

// QUE-GANG-3: a pod of a group that is no gang lets no other pod go.
TEST(Gangs, AreNotAllowedByAPodOfAGroupWithoutGang) {
  Play play = with_gang(3);
  writes(play, member("c", 7));
  play.cycle();
  EXPECT_EQ(waiting_in(play), Names{"default/a"});
  writes(play, gang_of({}), Verb::update);
  play.cycle();
  EXPECT_EQ(waiting_in(play), Names{"default/a"});
  EXPECT_EQ(play.place("b"), "");
}

// QUE-GANG-3: a pod of no gang that waits is not allowed, and a pod may not wait for two reasons.
TEST(Gangs, LeaveOtherWaitsAlone) {
  Play play = with_gang();
  PodObject waiting = patient(member("x", 20));
  waiting.workload_ref.reset();
  writes(play, waiting);
  for (int i = 0; i < 3; ++i) play.cycle();
  EXPECT_EQ(waiting_in(play), Names{"default/x"});
  Play both = with_gang(3);
  writes(both, patient(member("y", 20)));
  EXPECT_EQ(both.cycle().outcome, CycleOutcome::skipped);
}

// QUE-GANG-3: a gang that is complete does not let another one go.
TEST(Gangs, AllowTheirOwnPodsAlone) {
  Play play = with_gangs();
  play.node("n1", 4000);
  writes(play, WorkloadGroups{"default", "w", {{"g", 2}, {"h", 2}}});
  for (const auto& [name, priority, group] :
       {std::tuple("x", 9, "h"), std::tuple("a", 8, "g"), std::tuple("b", 7, "g"), std::tuple("y", 6, "h")})
    writes(play, member(name, priority, "w", group));
  for (int i = 0; i < 3; ++i) play.cycle();
  EXPECT_EQ(waiting_in(play), Names{"default/x"});
  EXPECT_EQ(play.stored("a").node_name, "n1");
}

// QUE-PERMIT-5, QUE-SETTLE-1: a pod that was allowed and is being bound gets no second verdict. Its binding
// has one step.
TEST(Gangs, AllowAPodOnce) {
  Play play = with_gang();
  play.holds(CallKind::bind, "a");
  play.cycle();
  play.world.bindings.at(0).verdict = reference::PermitVerdict{true, false, "GangScheduling", ""};
  EXPECT_EQ(reference::enabled_steps(play.world).size(), 1U);
  play.cycle();
  EXPECT_TRUE(waiting_in(play).empty());
  writes(play, member("c", 7));
  CanonicalChoices choices;
  const StepAnswer answer = reference::play(play.world, CycleCommand{}, choices);
  EXPECT_EQ(answer.cycle->outcome, CycleOutcome::scheduled);
  EXPECT_FALSE(answer.clauses.contains("QUE-PERMIT-5"));
}

// QUE-GANG-3: a pod that is on a node counts, and is not activated.
TEST(Gangs, CountTheirPodsOnNodes) {
  Play play = with_gangs();
  play.node("n1", 4000);
  writes(play, gang_of(3));
  PodObject bound = member("bound", 7);
  bound.pod.node_name = "n1";
  writes(play, bound);
  writes(play, member("a", 9));
  writes(play, member("b", 8));
  play.cycle();
  EXPECT_EQ(waiting_in(play), Names{"default/a"});
  EXPECT_EQ(play.place("bound"), "");
  play.cycle();
  EXPECT_TRUE(waiting_in(play).empty());
}

// QUE-GANG-3, QUE-ACTIVATE-1: a pod of the gang that is on a node is not activated.
TEST(Gangs, DoNotActivateAPodOnANode) {
  Play play = with_gangs();
  play.node("n1", 4000);
  writes(play, gang_of(2));
  PodObject bound = member("bound", 7);
  bound.pod.node_name = "n1";
  writes(play, bound);
  writes(play, member("a", 9));
  writes(play, gang_of(3), Verb::update);
  const StepAnswer answer = does(play, CycleCommand{});
  EXPECT_EQ(waiting_in(play), Names{"default/a"});
  EXPECT_FALSE(answer.clauses.contains("QUE-ACTIVATE-1"));
}

// QUE-GANG-3: the others are activated.
TEST(Gangs, ActivateTheirOtherPods) {
  Play play = with_gangs();
  play.node("n1", 1000).creates(placed(pod("v", 20, 1000), "n1"));
  writes(play, gang_of(2));
  writes(play, member("a", 9));
  writes(play, member("b", 8));
  play.cycle();
  play.cycle();
  EXPECT_EQ(play.place("b"), "unschedulable");
  play.removes("v");
  EXPECT_EQ(play.place("b"), "backoff");
  play.cycle();
  EXPECT_EQ(waiting_in(play), Names{"default/a"});
  EXPECT_EQ(play.place("b"), "active");
}

// QUE-GANG-3
TEST(Gangs, WithoutALeastNumberDoNotWait) {
  Play play = with_gang(std::nullopt);
  play.cycle();
  EXPECT_EQ(play.stored("a").node_name, "n1");
}

// QUE-GANG-4
TEST(Gangs, ErrIfTheirGroupIsGone) {
  for (const bool has_workload : {false, true}) {
    Play play = with_gang();
    has_workload ? writes(play, WorkloadGroups{"default", "w", {}}, Verb::update)
                 : writes(play, WorkloadGroups{"default", "w", {}}, Verb::remove);
    EXPECT_EQ(play.cycle().outcome, CycleOutcome::error);
    EXPECT_EQ(play.place("a"), "unschedulable");
    EXPECT_EQ(play.message("a"), std::string("running Permit plugin \"GangScheduling\": ") +
                                     (has_workload ? "pod group \"g\" doesn't exist for a workload \"w\""
                                                   : "failed to get workload default/w"));
  }
}

// QUE-GANG-5
TEST(Gangs, CrashTheReleaseAfterADeletion) {
  Play play = with_gang(3);
  writes(play, member("c", 7));
  play.cycle();
  EXPECT_EQ(waiting_in(play), Names{"default/a"});
  play.removes("a");
  writes(play, member("d", 6));
  const CycleResult result = play.cycle();
  EXPECT_EQ(result.outcome, CycleOutcome::skipped);
  EXPECT_FALSE(result.skipped.empty());
  EXPECT_FALSE(play.world.forgotten_in_gangs.empty());
  for (const char* name : {"b", "c", "d"}) play.removes(name);
  EXPECT_TRUE(play.world.forgotten_in_gangs.empty());
}

// QUE-GANG-3, QUE-GANG-5: the result says why a cycle is skipped, and cites the clause.
TEST(Gangs, SayWhyTheyAreSkipped) {
  Play twice = with_gang(3);
  writes(twice, patient(member("y", 20)));
  EXPECT_EQ(twice.cycle().skipped, "two plug-ins that have one pod wait in Permit");

  Play play = with_forgotten_pod();
  writes(play, member("d", 6));
  const StepAnswer answer = does(play, CycleCommand{});
  EXPECT_EQ(answer.cycle->outcome, CycleOutcome::skipped);
  EXPECT_TRUE(answer.clauses.contains("QUE-GANG-5"));
}

// QUE-GANG-1, QUE-GANG-5: up to v1.36 a pod that was deleted in Permit does not count as a pod of its gang.
TEST(Gangs, AreNotCompletedByAForgottenPod) {
  Play play = with_forgotten_pod();
  play.removes("c");
  writes(play, member("d", 6));
  EXPECT_EQ(play.entry("d").gated_by, "GangScheduling");
}

// QUE-GANG-5: as long as the gang has a pod, the deletion of another one forgets nothing.
TEST(Gangs, RememberWhileTheyHaveAPod) {
  Play play = with_forgotten_pod();
  play.removes("c");
  EXPECT_EQ(cycles(play), CycleOutcome::skipped);
}

// QUE-GANG-5: a pod of no gang is not remembered.
TEST(Gangs, ForgetAPodOfNoGang) {
  Play play = with_gang();
  PodObject waiting = patient(member("x", 20));
  waiting.workload_ref.reset();
  writes(play, waiting);
  play.cycle();
  play.removes("x");
  EXPECT_TRUE(waiting_in(play).empty());
  EXPECT_TRUE(play.world.forgotten_in_gangs.empty());
}

// QUE-GANG-5: a gang without pods forgets all.
TEST(Gangs, MayEndByADeletion) {
  Play play = with_gang();
  play.cycle();
  play.removes("b").removes("a");
  EXPECT_TRUE(play.world.forgotten_in_gangs.empty());
  EXPECT_TRUE(play.world.bindings.empty());
}

// QUE-GANG-5, QUE-BIND-2: a pod of the gang whose binding fails is not deleted, so the release does not
// crash.
TEST(Gangs, KeepAPodWhoseBindingFails) {
  Play play = with_gang();
  play.holds(CallKind::bind, "a");
  play.cycle();
  play.cycle();
  play.answers(CallKind::bind, "a", CallResult::error);
  EXPECT_EQ(play.stored("b").node_name, "n1");
  writes(play, member("c", 7));
  writes(play, gang_of(3), Verb::update);
  play.advances(3'000).flushes_backoff();
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::scheduled);
  EXPECT_EQ(waiting_in(play), Names{"default/a"});
}

}  // namespace touchstone::tests::gang_wait_test
