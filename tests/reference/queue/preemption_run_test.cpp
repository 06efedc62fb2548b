#include "reference/queue/preemption_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "reference/queue/cycle_run.hpp"
#include "tests/reference/queue/pending_pods.hpp"

/// The calls of a preemption, in the loop or beside it.
namespace touchstone::tests::preemption_run_test {

using namespace pending_pods;
using reference::StepId;
using Names = std::vector<std::string>;

constexpr const char* k_32 = "v1.32.2";
constexpr const char* k_33 = "v1.33.13";
constexpr const char* k_34 = "v1.34.4";
constexpr const char* k_35 = "v1.35.4";
constexpr const char* k_36 = "v1.36.3";

namespace {

constexpr StepId k_preempts{StepId::Kind::preemption, 0, 0, false};
constexpr StepId k_first{StepId::Kind::victim, 0, 0, false};
constexpr StepId k_second{StepId::Kind::victim, 0, 1, false};

/// p, with a higher priority, is pending beside three victims of 300 milli-CPU each. Their deletions will
/// wait.
Play preempting_three(const char* release) {
  Play play(release);
  play.node("n1", 1000);
  for (const char* name : {"v1", "v2", "v3"}) {
    play.creates(started(placed(pod(name, 0, 300), "n1"), name[1]));
    play.holds(CallKind::remove, name);
  }
  play.creates(pod("p", 10, 1000));
  return play;
}

/// v, which has run, and p, which failed before and is nominated to n9.
Play with_statuses(const char* release) {
  Pod v = started(placed(pod("v", 0, 1000), "n1"), 1);
  v.conditions = {{"PodScheduled", "True", ""}, {"Ready", "True", ""}};
  Pod p = pod("p", 10, 1000);
  p.conditions = {{"PodScheduled", "False", "Unschedulable"}};
  p.nominated_node_name = "n9";
  Play play(release);
  play.node("n1", 1000).creates(v).creates(p);
  return play;
}

/// p has begun to preempt pods of n1. The first victim may be gone from the API.
World begun(const char* release, const Names& victims, bool is_first_gone = false) {
  Play play(release);
  play.node("n1", 3000);
  for (const std::string& name : victims)
    play.creates(placed(pod(name, 0, 3000 / static_cast<Quantity>(victims.size())), "n1"));
  play.creates(pod("p", 10, 3000));
  CanonicalChoices choices;
  EXPECT_TRUE(reference::begin_cycle(play.world, "", choices));
  const Pod first = play.world.preemptions.at(0).victims.at(0).pod;
  if (is_first_gone) reference::remove_pod(play.world, first.ns, first.name);
  for (int i = 0; i < 2; ++i) reference::take_step(play.world, k_preempts, choices);
  return play.world;
}

World with_a_missing_victim(const char* release) { return begun(release, {"a", "b", "c"}, true); }

bool is_enabled(const World& world, const StepId& step) {
  const std::vector<StepId> steps = reference::enabled_steps(world);
  return std::find(steps.begin(), steps.end(), step) != steps.end();
}

}  // namespace

// QUE-PREEMPT-1, QUE-PREEMPT-4, QUE-CYCLE-1: v1.32 evicts in the loop, and patches the pod last.
TEST(SynchronousPreemption, EvictsBeforeTheAttemptEnds) {
  Play play = preempting(k_32);
  const CycleResult result = play.cycle();
  EXPECT_EQ(result.outcome, CycleOutcome::nominated);
  EXPECT_EQ(result.node, "n1");
  EXPECT_EQ(result.victims, Names{"default/v"});
  EXPECT_EQ(play.calls(), (Names{"patch v", "delete v", "patch p n1"}));
  EXPECT_EQ(play.stored("v").conditions[0].reason, "PreemptionByScheduler");
  EXPECT_TRUE(play.stored("v").terminating);
  EXPECT_EQ(play.place("p"), "unschedulable");
}

// QUE-PREEMPT-1, QUE-CALL-2: a refused call ends it as an error, and the nomination stays as it was.
TEST(SynchronousPreemption, FailsIfACallFails) {
  Play play = preempting_three(k_32);
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::open);
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::busy);
  play.answers(CallKind::remove, "v1", CallResult::error);
  ASSERT_TRUE(play.world.ended);
  EXPECT_EQ(play.world.ended->outcome, CycleOutcome::error);
  EXPECT_EQ(play.nominated("p"), "");
  EXPECT_TRUE(play.world.calls.empty());
  play.answers(CallKind::remove, "v2", CallResult::ok);
  EXPECT_TRUE(play.error);
}

// QUE-PREEMPT-1: what is over does not keep two equal states of an exploration apart.
TEST(SynchronousPreemption, LeavesNothingBehind) {
  Play play = preempting_three(k_32);
  play.cycle();
  EXPECT_TRUE(play.world.loop.preemption);
  EXPECT_TRUE(play.world.loop.is_open);
  for (const char* victim : {"v1", "v2", "v3"}) play.answers(CallKind::remove, victim, CallResult::ok);
  ASSERT_TRUE(play.world.ended);
  EXPECT_EQ(play.world.ended->outcome, CycleOutcome::nominated);
  EXPECT_FALSE(play.world.loop.preemption);
  EXPECT_FALSE(play.world.loop.is_open);
}

// QUE-PREEMPT-1, QUE-CALL-2: the message names the first failure, not the calls that it cancels.
TEST(SynchronousPreemption, NamesItsFirstFailure) {
  Play play = preempting_three(k_32);
  play.cycle();
  play.answers(CallKind::remove, "v2", CallResult::conflict);
  const std::string message = play.message("p");
  EXPECT_EQ(message.substr(message.find(" preemption: Conf")), " preemption: Conflict");
}

// QUE-PREEMPT-2, QUE-GATE-3: the loop goes on, and the last victim is evicted last.
TEST(AsynchronousPreemption, EvictsTheLastVictimLast) {
  Play play = preempting_three(k_33);
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::nominated);
  EXPECT_EQ(play.calls(),
            (Names{"patch p n1", "patch v1", "delete v1 waits", "patch v2", "delete v2 waits"}));
  play.answers(CallKind::remove, "v1", CallResult::ok).answers(CallKind::remove, "v2", CallResult::not_found);
  EXPECT_EQ(play.calls(), (Names{"patch v3", "delete v3 waits"}));
  play.answers(CallKind::remove, "v3", CallResult::ok);
  EXPECT_TRUE(play.world.preemptions.empty());
  EXPECT_EQ(play.place("p"), "unschedulable");
}

// QUE-PREEMPT-2, QUE-CALL-2, QUE-ACTIVATE-1: after an error the last victim is spared, and the pod is
// activated.
TEST(AsynchronousPreemption, ActivatesThePodAfterAnError) {
  Play play = preempting_three(k_36);
  play.cycle();
  play.answers(CallKind::remove, "v2", CallResult::error);
  EXPECT_TRUE(play.calls().empty());
  EXPECT_EQ(play.place("p"), "active");
  EXPECT_FALSE(play.stored("v1").terminating);
}

// QUE-GATE-3: up to v1.34 the gate opens before the last call.
TEST(AsynchronousPreemption, GatesThePodUntilTheLastCall) {
  for (const auto& [release, gated_by] :
       {std::pair(k_33, ""), std::pair(k_34, ""), std::pair(k_35, "DefaultPreemption")}) {
    Play play = preempting(release);
    play.creates(placed(pod("other", 20, 0), "n1")).holds(CallKind::remove, "v");
    play.cycle();
    play.removes("other");
    EXPECT_EQ(play.place("p"), *gated_by == '\0' ? "backoff" : "unschedulable") << release;
    EXPECT_EQ(play.entry("p").gated_by, gated_by) << release;
  }
}

// QUE-GATE-3: a last victim that terminates, or is gone, opens the gate, although its call waits.
TEST(AsynchronousPreemption, OpensTheGateWhenTheLastVictimIsSeenToTerminate) {
  for (const bool is_gone : {false, true}) {
    Play play = preempting(k_35);
    play.creates(placed(pod("other", 20, 0), "n1")).holds(CallKind::remove, "v");
    play.cycle();
    is_gone ? play.removes("v") : play.deletes("v").removes("other");
    EXPECT_EQ(play.place("p"), "backoff");
  }
  Play first = preempting_three(k_35);
  first.creates(placed(pod("other", 20, 0), "n1"));
  first.cycle();
  first.removes("other");
  EXPECT_EQ(first.entry("p").gated_by, "DefaultPreemption");
}

// QUE-PREEMPT-2: a preemption with one victim begins with the last one, in the same step.
TEST(AsynchronousPreemption, BeginsWithItsOnlyVictim) {
  EXPECT_TRUE(is_enabled(begun(k_36, {"v"}), k_first));
}

// QUE-PREEMPT-2, QUE-CALL-2: after a failure the preemption ends without its last victim, in the same step.
TEST(AsynchronousPreemption, EndsWithoutItsLastVictimAfterAFailure) {
  World world = with_a_missing_victim(k_34);
  CanonicalChoices choices;
  for (const StepId& step : {k_first, k_first, k_second, k_preempts})
    reference::take_step(world, step, choices);
  EXPECT_TRUE(world.preemptions.empty());
}

// QUE-CALL-2: a call of another victim that was answered already is not cancelled, and is its last one.
TEST(VictimsBesideEachOther, MayFailWhenAnotherCallWasAnswered) {
  World world = with_a_missing_victim(k_34);
  CanonicalChoices choices;
  for (const StepId& step : {k_first, k_second, k_first, k_second})
    reference::take_step(world, step, choices);
  const reference::Preemption& preemption = world.preemptions[0];
  EXPECT_TRUE(preemption.failed && preemption.cancelled);
  EXPECT_EQ(preemption.running[1].phase, reference::VictimRun::Phase::done);
  EXPECT_EQ(world.made.size(), 3u);  // the patch of p, and one of each victim
}

// QUE-CALL-2: no call is made for a victim that has not begun.
TEST(VictimsBesideEachOther, DoNotBeginAfterAFailure) {
  World world = with_a_missing_victim(k_34);
  CanonicalChoices choices;
  for (const StepId& step : {k_first, k_first, k_second}) reference::take_step(world, step, choices);
  EXPECT_EQ(world.made.size(), 2u);
  EXPECT_TRUE(reference::has_step(world, world.preemptions[0]));
}

TEST(EndedPreemption, HasNoStep) {
  World world = with_a_missing_victim(k_36);
  reference::Preemption ended;
  ended.phase = reference::Preemption::Phase::done;
  EXPECT_FALSE(reference::has_step(world, ended));
}

// QUE-PREEMPT-3: victims that terminate already.
TEST(Victims, ThatTerminateAreLeftOutFromV1_35On) {
  const PodObject preemptor{pod("p", 10, 1000), 30, {}};
  PodObject victim{pod("v", 0, 1000), 30, {}};
  victim.pod.terminating = true;
  EXPECT_TRUE(reference::preemption_of(preemptor, "n1", {victim}, release(k_34)));
  EXPECT_FALSE(reference::preemption_of(preemptor, "n1", {victim}, release(k_35)));
  for (const char* release : {k_34, k_35}) {
    Play play = preempting(release);
    play.deletes("v");
    EXPECT_EQ(play.cycle().outcome, CycleOutcome::nominated);
    EXPECT_EQ(play.calls().size(), release == k_35 ? 1U : 3U) << release;
  }
}

// QUE-PREEMPT-4: a condition patch that finds no pod.
TEST(Victims, ThatAreMissingFailTheirPatchUpToV1_34) {
  for (const char* release : {k_34, k_35}) {
    Play play = preempting(release);
    play.holds(CallKind::patch, "v");
    play.cycle();
    play.answers(CallKind::patch, "v", CallResult::not_found);
    EXPECT_EQ(play.place("p"), release == k_35 ? "unschedulable" : "active") << release;
    EXPECT_TRUE(play.world.preemptions.empty());
  }
}

// QUE-PREEMPT-4: a deletion that finds no pod.
TEST(Victims, ThatAreGoneFailTheirDeletionUpToV1_31) {
  for (const char* release : {"v1.31.14", k_32}) {
    Play play = preempting(release);
    play.holds(CallKind::remove, "v");
    play.cycle();
    play.answers(CallKind::remove, "v", CallResult::not_found);
    ASSERT_TRUE(play.world.ended);
    EXPECT_EQ(play.world.ended->outcome, release == k_32 ? CycleOutcome::nominated : CycleOutcome::error);
    EXPECT_EQ(play.nominated("p"), release == k_32 ? "n1" : "");
  }
}

// QUE-PREEMPT-4: a victim that has the condition already is deleted at once.
TEST(Victims, ThatHaveTheConditionAreDeletedAtOnce) {
  Play play = preempting(k_36);
  play.holds(CallKind::remove, "v");
  play.cycle();
  play.answers(CallKind::remove, "v", CallResult::error);
  play.cycle();
  EXPECT_EQ(play.calls(), Names{"delete v"});
}

// QUE-PREEMPT-4: some releases give the victim the status of its preemptor.
TEST(Victims, GetTheStatusOfTheirPreemptorInSomeReleases) {
  const std::vector<Condition> marked = {{"PodScheduled", "False", "Unschedulable"},
                                         {"DisruptionTarget", "True", "PreemptionByScheduler"}};
  for (const char* release : {"v1.28.4", "v1.28.13", "v1.29.0", "v1.29.8", "v1.30.4", "v1.31.0"}) {
    Play play = with_statuses(release);
    EXPECT_EQ(play.cycle().outcome, CycleOutcome::nominated);
    EXPECT_EQ(play.calls(), (Names{"patch v n9", "delete v", "patch p n1"})) << release;
    EXPECT_EQ(play.stored("v").conditions, marked) << release;
    EXPECT_EQ(play.stored("v").nominated_node_name, "n9");
    EXPECT_FALSE(play.stored("v").start_time_ns);
  }
  for (const char* release : {"v1.28.3", "v1.28.14", "v1.29.9", "v1.30.5", "v1.31.1", "v1.32.0"}) {
    Play play = with_statuses(release);
    EXPECT_EQ(play.cycle().outcome, CycleOutcome::nominated);
    EXPECT_EQ(play.calls(), (Names{"patch v", "delete v", "patch p n1"})) << release;
    EXPECT_EQ(play.stored("v").conditions.size(), 3U) << release;
    EXPECT_TRUE(play.stored("v").start_time_ns);
  }
}

// QUE-PREEMPT-4: in v1.29 a victim gets the conditions of its preemptor, and keeps only DisruptionTarget
// of its own.
TEST(Victims, GetTheConditionsOfTheirPreemptor) {
  Play play("v1.29.6");
  Pod victim = placed(pod("v", 0, 1000), "n1");
  victim.conditions = {
      {"DisruptionTarget", "False", "PreemptionByScheduler"}, {"Old", "True", ""}, {"Ready", "False", ""}};
  Pod preemptor = pod("p", 10, 1000);
  preemptor.conditions = {{"Held", "True", ""}, {"Ready", "True", ""}};
  play.node("n1", 1000).creates(victim).creates(preemptor).cycle();
  std::vector<std::string> seen;
  for (const Condition& each : play.stored("v").conditions)
    seen.push_back(each.type + " " + each.status + " " + each.reason);
  EXPECT_EQ(seen, (Names{"DisruptionTarget True PreemptionByScheduler", "Ready True ", "Held True "}));
  EXPECT_EQ(reference::find_pod(play.world.stored.pods, "default", "v")->messages.at("DisruptionTarget"),
            "default-scheduler: preempting to accommodate a higher priority pod");
}

// QUE-PREEMPT-4: these releases patch a victim again, although nothing but times changes.
TEST(Victims, ThatHaveTheStatusOfTheirPreemptorArePatchedAgain) {
  Play play("v1.31.0");
  play.node("n1", 1000).creates(placed(pod("v", 0, 1000), "n1")).creates(pod("p", 10, 1000));
  for (int i = 0; i < 3; ++i) {
    play.holds(CallKind::remove, "v");
    play.cycle();
    EXPECT_EQ(play.calls(), (Names{"patch v", "delete v waits"}));
    play.answers(CallKind::remove, "v", CallResult::error);
    play.creates(placed(pod("x", 0, 0), "n2")).removes("x").advances(11'000).flushes_backoff();
  }
  EXPECT_EQ(play.stored("v").conditions.size(), 2U);
}

// QUE-PREEMPT-5, NOM-COUNT-1: the nomination of a lower pod is cleared; one in memory alone gets no patch.
TEST(LowerNominations, AreClearedInTheApi) {
  for (const char* release : {k_32, k_36}) {
    Play play = preempting(release);
    play.cycle();
    play.removes("v").creates(placed(pod("w", 15, 1000), "n1")).creates(pod("h", 20, 1000));
    play.cycle();
    const Names calls = play.calls();
    EXPECT_EQ(std::count(calls.begin(), calls.end(), "patch p "), 1) << release;
    EXPECT_EQ(play.stored("p").nominated_node_name, "") << release;
  }
  Play refused = preempting(k_36);
  refused.cycle();
  refused.removes("v").creates(placed(pod("w", 15, 1000), "n1")).creates(pod("h", 20, 1000));
  refused.holds(CallKind::patch, "p");
  refused.cycle();
  refused.answers(CallKind::patch, "p", CallResult::error);
  EXPECT_EQ(refused.place("h"), "active");
  Play in_memory = preempting(k_36);
  in_memory.holds(CallKind::patch, "p");
  in_memory.cycle();
  in_memory.answers(CallKind::patch, "p", CallResult::error).removes("v");
  in_memory.creates(placed(pod("w", 15, 1000), "n1")).creates(pod("h", 20, 1000));
  in_memory.cycle();
  for (const std::string& call : in_memory.calls()) EXPECT_FALSE(call.starts_with("patch p")) << call;
}

}  // namespace touchstone::tests::preemption_run_test
