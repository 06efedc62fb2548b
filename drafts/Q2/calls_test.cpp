// goes into tests/reference/queue/calls_test.cpp
#include "reference/queue/calls.hpp"

#include <gtest/gtest.h>

#include "reference/queue/cycle_run.hpp"
#include "reference/queue/play.hpp"
#include "reference/queue/preemption_run.hpp"
#include "tests/support/play.hpp"

namespace touchstone::tests::calls_test {

using Names = std::vector<std::string>;

constexpr const char* k_32 = "v1.32.2";
constexpr const char* k_33 = "v1.33.13";
constexpr const char* k_34 = "v1.34.4";
constexpr const char* k_35 = "v1.35.4";
constexpr const char* k_36 = "v1.36.3";

/// The same with three victims of 300 milli-CPU each.
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

// ---- new from here on ----

// QUE-CALL-2: a call that was answered is not cancelled.
TEST(Calls, ThatWereAnsweredAreNotCancelled) {
  Play play(k_36);
  play.creates(pod("p", 0, 100));
  const reference::CallId id = reference::make_call(play.world, reference::clearing_patch(play.stored("p")));
  reference::cancel(play.world, id);
  EXPECT_FALSE(play.world.cited.contains("QUE-CALL-2"));
  EXPECT_EQ(reference::take_result(play.world, id), CallResult::ok);
}

// QUE-CALL-1: an answer is for the first call of this pod that waits.
TEST(Calls, AreAnsweredOneByOne) {
  Play play(k_36);
  std::vector<reference::CallId> ids;
  for (const char* name : {"p", "q", "q"}) {
    if (ids.size() < 2) play.creates(pod(name, 0, 100));
    play.holds(CallKind::patch, name);
    ids.push_back(reference::make_call(play.world, reference::clearing_patch(play.stored(name))));
  }
  const auto answered = [&] {
    std::vector<bool> all;
    for (const reference::CallId id : ids) all.push_back(reference::is_answered(play.world, id));
    return all;
  };
  EXPECT_FALSE(reference::answer_call(play.world, CallKind::patch, "default/q", CallResult::ok));
  EXPECT_EQ(answered(), (std::vector<bool>{false, true, false}));
  EXPECT_FALSE(reference::answer_call(play.world, CallKind::patch, "default/q", CallResult::ok));
  EXPECT_EQ(answered(), (std::vector<bool>{false, true, true}));
  EXPECT_TRUE(reference::answer_call(play.world, CallKind::patch, "default/q", CallResult::ok));
}

// QUE-PREEMPT-1, QUE-CALL-2: the message names the first failure, not the calls that it cancels.
TEST(SynchronousPreemption, NamesItsFirstFailure) {
  Play play = preempting_three(k_32);
  play.cycle();
  play.answers(CallKind::remove, "v2", CallResult::conflict);
  const std::string message = play.message("p");
  EXPECT_EQ(message.substr(message.find(" preemption: Conf")), " preemption: Conflict");
}

// QUE-PREEMPT-4: in v1.29 a victim gets the conditions of its preemptor and loses its own, but for
// DisruptionTarget.
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

// NOM-PATCH-1: an attempt without nodes clears the own nomination once, with the status.
TEST(OwnNomination, IsClearedOnceWithoutNodes) {
  Play play(k_32);
  Pod nominated = pod("p", 10, 1000);
  nominated.nominated_node_name = "n1";
  play.creates(nominated).cycle();
  EXPECT_EQ(play.calls(), Names{"patch p "});
  EXPECT_FALSE(play.world.cited.contains("NOM-PATCH-1"));
}

// What is not modelled in a decision is not modelled here, and the result says why.
TEST(Cycle, SaysWhyItSkips) {
  Pod repelled = pod("p", 10, 1000);
  PodAffinityTerm term;
  term.topology_key = "kubernetes.io/hostname";
  term.label_selector = LabelSelector{{}, {{"app", "In", {}}}};
  repelled.pod_anti_affinity = {term};
  Play play(k_36);
  const CycleResult result = play.node("n1", 4000).creates(repelled).cycle();
  EXPECT_EQ(result.outcome, CycleOutcome::skipped);
  EXPECT_EQ(result.skipped.substr(0, 37), "InterPodAffinity: pod default/p has a");
}

// QUE-BIND-2: the failed binding of a pod that is neither assumed nor cached counts as a pod that is gone,
// from v1.35 on. Another client has bound the pod meanwhile.
TEST(Binding, ThatFailsAfterThePodWasBoundElsewhere) {
  for (const char* release : {k_34, k_35}) {
    for (const bool is_gone : {false, true}) {
      Play play(release);
      play.node("n1", 1000).creates(pod("p", 0, 600));
      play.holds(CallKind::bind, "p").cycle();
      Call bind = play.world.made.back();
      EXPECT_EQ(reference::perform(play.world, bind), CallResult::ok);
      play.creates(placed(pod("w", 0, 400), "n1"));
      if (is_gone) play.removes("p");
      play.creates(pod("q", 0, 5000)).cycle();
      EXPECT_EQ(play.place("q"), "unschedulable") << release;
      play.world.wakes.clear();
      play.answers(CallKind::bind, "p", CallResult::error);
      EXPECT_EQ(play.world.wakes.size(), is_gone && release == k_35 ? 1U : 0U) << release << is_gone;
    }
  }
}

namespace {

constexpr reference::StepId k_preempts{reference::StepId::Kind::preemption, 0, 0, false};
constexpr reference::StepId k_first{reference::StepId::Kind::victim, 0, 0, false};
constexpr reference::StepId k_second{reference::StepId::Kind::victim, 0, 1, false};

/// p preempts pods of n1, and the preemption has begun to evict them.
World begun(const char* release, const Names& victims, const std::string& missing = "") {
  Play play(release);
  play.node("n1", 3000);
  for (const std::string& name : victims)
    play.creates(placed(pod(name, 0, 3000 / static_cast<Quantity>(victims.size())), "n1"));
  play.creates(pod("p", 10, 3000));
  CanonicalChoices choices;
  EXPECT_TRUE(reference::begin_cycle(play.world, "", choices));
  if (!missing.empty()) reference::remove_pod(play.world, "default", missing);
  for (int i = 0; i < 2; ++i) reference::take_step(play.world, k_preempts, choices);
  return play.world;
}

bool is_enabled(const World& world, const reference::StepId& step) {
  const std::vector<reference::StepId> steps = reference::enabled_steps(world);
  return std::find(steps.begin(), steps.end(), step) != steps.end();
}

}  // namespace

// QUE-PREEMPT-2: a preemption with one victim begins with the last one, in the same step.
TEST(AsynchronousPreemption, BeginsWithItsOnlyVictim) {
  EXPECT_TRUE(is_enabled(begun(k_36, {"v"}), k_first));
}

// QUE-PREEMPT-2, QUE-CALL-2: after a failure the preemption ends without its last victim, in the same step.
TEST(AsynchronousPreemption, EndsWithoutItsLastVictimAfterAFailure) {
  const World before = begun(k_34, {"a", "b", "c"});
  const std::string first = before.preemptions.at(0).victims.at(0).pod.name;
  World world = begun(k_34, {"a", "b", "c"}, first);
  CanonicalChoices choices;
  for (const reference::StepId& step : {k_first, k_first, k_second, k_preempts})
    reference::take_step(world, step, choices);
  EXPECT_TRUE(world.preemptions.empty());
}

// QUE-SETTLE-1: each pod that is put back beside the loop may be the first one.
TEST(Steps, AreThoseOfEachPodThatIsPutBack) {
  Play play("v1.13.0");
  play.world.put_backs = {{"default", "p"}, {"default", "q"}};
  EXPECT_EQ(reference::enabled_steps(play.world).size(), 2U);
}

// EVT-WATCH-1: the scheduler handles all events that were held, when the hold ends.
TEST(Watch, DeliversAllEventsInTheEnd) {
  Play play(k_36);
  play.holds(WatchedKind::pod).creates(pod("p", 0, 100)).creates(pod("q", 0, 100));
  EXPECT_EQ(play.world.queue.active.size(), 0U);
  CanonicalChoices choices;
  EXPECT_FALSE(reference::deliver(play.world, WatchedKind::pod, {}, choices));
  EXPECT_EQ(play.world.queue.active.size(), 2U);
}

// QUE-SETTLE-1, QUE-FAIL-2: what follows from an event happens before the next event. The deletion of a pod
// that waits in Permit ends its attempt, before the scheduler sees that the pod was made again.
TEST(Watch, DeliversOneEventAfterTheOther) {
  Play play(k_36);
  PodObject waiting;
  waiting.pod = pod("p", 0, 100);
  waiting.pod.uid = "u-p";
  waiting.annotations = {{"touchstone.dev/permit-seconds", "60"}};
  CanonicalChoices choices;
  const auto run = [&](const TimelineCommand& command) {
    return reference::play(play.world, command, choices);
  };
  play.node("n1", 1000);
  run(WriteCommand{Verb::create, waiting});
  run(CycleCommand{});
  run(HoldWatchCommand{WatchedKind::pod});
  play.removes("p");
  waiting.pod.uid = "again";
  run(WriteCommand{Verb::create, waiting});
  const StepAnswer answer = run(DeliverCommand{WatchedKind::pod, 2});
  EXPECT_EQ(answer.state.active, Names{"default/p"});
  EXPECT_TRUE(answer.clauses.contains("QUE-PERMIT-6"));
  EXPECT_FALSE(answer.clauses.contains("QUE-FAIL-2"));
}

}  // namespace touchstone::tests::calls_test
