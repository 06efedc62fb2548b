#include "reference/queue/calls.hpp"

#include <gtest/gtest.h>

#include "reference/queue/preemption_run.hpp"
#include "tests/support/play.hpp"

namespace touchstone::tests::calls_test {

using Names = std::vector<std::string>;

constexpr const char* k_32 = "v1.32.2";
constexpr const char* k_33 = "v1.33.13";
constexpr const char* k_34 = "v1.34.4";
constexpr const char* k_35 = "v1.35.4";
constexpr const char* k_36 = "v1.36.3";

/// v fills n1, and p, with a higher priority, is pending.
Play preempting(const char* release) {
  Play play(release);
  play.node("n1", 1000).creates(placed(pod("v", 0, 1000), "n1")).creates(pod("p", 10, 1000));
  return play;
}

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

// NOM-PATCH-1: two patches up to v1.33 if no node can be helped.
TEST(OwnNomination, IsClearedTwiceUpToV1_33) {
  for (const char* release : {k_33, k_34}) {
    Play play(release);
    Node tainted = node_with("n1", 1000);
    tainted.taints = {{"k", "", "NoSchedule"}};
    Pod nominated = pod("p", 10, 1000);
    nominated.nominated_node_name = "n1";
    play.creates(tainted).creates(nominated);
    if (release == k_33) {
      play.holds(CallKind::patch, "p");
      EXPECT_EQ(play.cycle().outcome, CycleOutcome::open);
      play.answers(CallKind::patch, "p", CallResult::ok);
      EXPECT_EQ(play.world.ended->outcome, CycleOutcome::none);
    } else {
      EXPECT_EQ(play.cycle().outcome, CycleOutcome::none);
      EXPECT_EQ(play.calls(), Names{"patch p "});
    }
    EXPECT_EQ(play.stored("p").nominated_node_name, "");
  }
}

// QUE-FAIL-1, QUE-CALL-3, NOM-FAIL-1: one patch; none if nothing changes; the loop waits for it.
TEST(FailureHandler, PatchesWhatChanges) {
  Play play(k_36);
  play.node("n1", 100).creates(pod("p", 10, 1000)).holds(CallKind::patch, "p");
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::none);
  EXPECT_EQ(play.place("p"), "unschedulable");
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::busy);
  play.answers(CallKind::patch, "p", CallResult::ok);
  EXPECT_EQ(play.stored("p").conditions[0].reason, "Unschedulable");
  reference::activate(play.world, play.entry("p").object);
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::none);
  EXPECT_TRUE(play.calls().empty());
  EXPECT_TRUE(play.world.cited.contains("QUE-CALL-3"));
}

// QUE-CALL-3: only the fields that change.
TEST(ConditionPatch, HasTheFieldsThatChange) {
  PodObject known;
  const auto patch = [&known](const char* reason, const char* message) {
    return reference::condition_patch(known, "T", "False", reason, message);
  };
  EXPECT_EQ(patch("r", "m")->status, "False");
  known.pod.conditions = {{"T", "False", "r"}};
  EXPECT_EQ(patch("r", "m")->message, "m");
  EXPECT_FALSE(patch("r", "m")->reason);
  EXPECT_EQ(patch("s", "")->reason, "s");
  known.messages["T"] = "m";
  EXPECT_FALSE(patch("r", "m"));
  known.pod.conditions[0].status = "True";
  EXPECT_EQ(patch("r", "m")->status, "False");
}

// QUE-CALL-1: a patch that meets a conflict is made again from v1.36 on, four times in all.
TEST(Calls, RepeatAPatchThatMeetsAConflictFromV1_36On) {
  for (const char* release : {k_35, k_36}) {
    Play play(release);
    play.node("n1", 100).creates(pod("p", 10, 1000));
    for (int i = 0; i < 4; ++i) play.holds(CallKind::patch, "p");
    play.cycle();
    for (int i = 0; i < (release == k_36 ? 3 : 0); ++i) {
      play.answers(CallKind::patch, "p", CallResult::conflict);
      EXPECT_EQ(play.calls(), Names{"patch p waits"});
    }
    play.answers(CallKind::patch, "p", CallResult::conflict);
    EXPECT_TRUE(play.calls().empty()) << release;
    EXPECT_TRUE(play.stored("p").conditions.empty());
    EXPECT_EQ(play.cycle().outcome, CycleOutcome::idle);
  }
}

// QUE-BIND-1, NOM-ASSUME-1, QUE-CACHE-1, EVT-STORE-3: a pod is assumed until its binding is seen.
TEST(Binding, AssumesThePod) {
  for (const char* release : {k_34, k_35}) {
    Play play(release);
    Pod nominated = pod("p", 10, 1000);
    nominated.nominated_node_name = "n1";
    play.node("n1", 1000).creates(nominated).holds(WatchedKind::pod);
    EXPECT_EQ(play.cycle().outcome, CycleOutcome::scheduled);
    EXPECT_EQ(play.calls(), Names{"bind p"});
    EXPECT_TRUE(play.world.cache.assumed.contains("u-p"));
    EXPECT_EQ(play.nominated("p"), "");
    EXPECT_EQ(play.stored("p").nominated_node_name, release == k_35 ? "" : "n1");
    play.delivers(WatchedKind::pod);
    EXPECT_TRUE(play.world.cache.assumed.empty());
    EXPECT_EQ(play.world.cache.pods.at("n1").size(), 1U);
  }
}

// QUE-BIND-2: a failed binding forgets the pod and wakes others.
TEST(Binding, ThatFailsWakesOtherPods) {
  Play play(k_36);
  play.node("n1", 1000).creates(pod("p", 10, 1000)).holds(CallKind::bind, "p").holds(CallKind::patch, "p");
  play.cycle();
  play.creates(pod("q", 5, 1000));
  play.cycle();
  EXPECT_EQ(play.place("q"), "unschedulable");
  play.answers(CallKind::bind, "p", CallResult::conflict);
  EXPECT_EQ(play.place("p"), "backoff");
  EXPECT_EQ(play.place("q"), "backoff");
  play.answers(CallKind::patch, "p", CallResult::ok);
  EXPECT_EQ(play.stored("p").conditions[0].reason, "SchedulerError");
  EXPECT_TRUE(play.world.bindings.empty());
}

// QUE-CALL-3: the message has the API's reason, so another reason is another patch.
TEST(MessageOfAFailedCall, HasTheReasonOfTheApi) {
  Play play(k_36);
  play.node("n1", 1000).creates(pod("p", 10, 1000));
  for (const CallResult result : {CallResult::error, CallResult::conflict, CallResult::conflict}) {
    play.holds(CallKind::bind, "p").advances(20'000).flushes_backoff();
    EXPECT_EQ(play.cycle().outcome, CycleOutcome::scheduled);
    const std::string before = play.message("p");
    play.answers(CallKind::bind, "p", result);
    EXPECT_EQ(play.calls().empty(), play.message("p") == before);
  }
  EXPECT_EQ(play.message("p"), "running Bind plugin \"DefaultBinder\": Conflict");
  Play synchronous = preempting(k_32);
  synchronous.holds(CallKind::patch, "v");
  synchronous.cycle();
  synchronous.answers(CallKind::patch, "v", CallResult::not_found);
  EXPECT_TRUE(synchronous.message("p").ends_with(" preemption: NotFound")) << synchronous.message("p");
}

// QUE-BIND-2, EVT-POD-4: up to v1.34 nobody is woken if the cache no longer has the pod.
TEST(Binding, OfADeletedPodFails) {
  for (const char* release : {k_34, k_35}) {
    Play play(release);
    play.node("n1", 1000).creates(pod("p", 10, 1000)).holds(CallKind::bind, "p");
    play.cycle();
    play.deletes("p");
    EXPECT_EQ(play.world.cache.assumed.size(), release == k_34 ? 1U : 0U);
    play.answers(CallKind::bind, "p", CallResult::not_found);
    EXPECT_TRUE(play.world.cache.assumed.empty());
    Play bound(release);
    bound.node("n1", 1000).creates(pod("q", 10, 1000)).holds(CallKind::bind, "q");
    bound.cycle();
    bound.world.cache.assumed.clear();
    bound.answers(CallKind::bind, "q", CallResult::error);
    EXPECT_EQ(bound.place("q"), "backoff");
    Play forgotten(release);
    forgotten.node("n1", 1000).creates(pod("q", 10, 1000)).holds(CallKind::bind, "q");
    forgotten.cycle();
    forgotten.world.cache = reference::Cache{};
    forgotten.world.cited.clear();
    forgotten.answers(CallKind::bind, "q", CallResult::error);
    EXPECT_EQ(forgotten.place("q"), "backoff");
  }
}

// QUE-CYCLE-2: take.
TEST(Cycle, TakesTheNamedNode) {
  Play play(k_36);
  play.node("n1", 1000).node("n2", 1000).creates(pod("p", 10, 1000));
  CanonicalChoices choices;
  EXPECT_FALSE(reference::cycle(play.world, "n3", choices));
  EXPECT_EQ(play.place("p"), "active");
  EXPECT_EQ(play.cycle("n2").node, "n2");
  play.creates(pod("q", 10, 1000));
  EXPECT_EQ(play.cycle("n1").node, "n1");
  play.creates(pod("h", 20, 1000));
  EXPECT_EQ(play.cycle("n2").node, "n2");
}

// QUE-CYCLE-3: rejectors and reasons.
TEST(Cycle, NotesThePluginsThatRejected) {
  Play play(k_36);
  Node tainted = node_with("n2", 1000);
  tainted.taints = {{"k", "", "NoSchedule"}};
  play.node("n1", 100).creates(tainted).creates(pod("p", 10, 1000));
  play.cycle();
  EXPECT_EQ(play.entry("p").rejectors, (std::set<std::string>{"NodeResourcesFit", "TaintToleration"}));
  Play pinned(k_36);
  Pod to_n3 = pod("p", 10, 1000);
  to_n3.node_affinity = {{{{}, {{"metadata.name", "In", {"n3"}}}}}};
  pinned.node("n1", 1000).node("n3", 100).creates(to_n3);
  pinned.cycle();
  EXPECT_EQ(pinned.entry("p").rejectors, (std::set<std::string>{"NodeAffinity", "NodeResourcesFit"}));
  Play early("v1.30.14");
  early.node("n1", 1000).node("n3", 100).creates(to_n3);
  early.cycle();
  EXPECT_EQ(early.entry("p").rejectors, (std::set<std::string>{"NodeResourcesFit"}));
  Play ineligible(k_36);
  Pod never = pod("p", 10, 1000);
  never.preemption_policy = "Never";
  ineligible.node("n1", 1000).creates(placed(pod("v", 0, 1000), "n1")).creates(never);
  EXPECT_EQ(ineligible.cycle().outcome, CycleOutcome::ineligible);
}

// QUE-CYCLE-3: an error has no rejectors.
TEST(Cycle, EndsAsAnErrorOrIsNotModelled) {
  Play play(k_36);
  Pod with_claims = pod("p", 10, 100);
  with_claims.resource_claims = {"c"};
  play.node("n1", 1000).creates(with_claims);
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::skipped);
  Play errs(k_36);
  Pod asks = pod("q", 10, 100);
  asks.volumes.push_back({});
  asks.volumes[0].source.kind = "persistentVolumeClaim";
  asks.volumes[0].source.id = "missing";
  errs.node("n1", 1000).creates(asks);
  const CycleOutcome outcome = errs.cycle().outcome;
  EXPECT_TRUE(outcome == CycleOutcome::none || outcome == CycleOutcome::error);
}

}  // namespace touchstone::tests::calls_test
