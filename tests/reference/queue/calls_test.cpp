#include "reference/queue/calls.hpp"

#include <gtest/gtest.h>

#include "tests/reference/queue/pending_pods.hpp"
#include "tests/support/topology.hpp"

namespace touchstone::tests::calls_test {

using namespace pending_pods;
using Names = std::vector<std::string>;

constexpr const char* k_32 = "v1.32.2";
constexpr const char* k_33 = "v1.33.13";
constexpr const char* k_34 = "v1.34.4";
constexpr const char* k_35 = "v1.35.4";
constexpr const char* k_36 = "v1.36.3";

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

// NOM-PATCH-1: an attempt without nodes clears the own nomination once, with the status.
TEST(OwnNomination, IsClearedOnceWithoutNodes) {
  Play play(k_32);
  Pod nominated = pod("p", 10, 1000);
  nominated.nominated_node_name = "n1";
  play.creates(nominated).cycle();
  EXPECT_EQ(play.calls(), Names{"patch p "});
  EXPECT_FALSE(play.world.cited.contains("NOM-PATCH-1"));
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

// QUE-CALL-2: a call that was answered is not cancelled.
TEST(Calls, ThatWereAnsweredAreNotCancelled) {
  Play play(k_36);
  play.creates(pod("p", 0, 100));
  std::optional call = reference::make_call(play.world, reference::clearing_patch(play.stored("p")));
  reference::cancel(play.world, *call);
  EXPECT_FALSE(play.world.cited.contains("QUE-CALL-2"));
  EXPECT_EQ(reference::take_result(play.world, call), CallResult::ok);
  EXPECT_FALSE(call.has_value());
}

// QUE-CALL-1: an answer is for the first call of this pod that waits.
TEST(Calls, AreAnsweredOneByOne) {
  Play play(k_36);
  std::vector<reference::CallId> ids;
  play.creates(pod("p", 0, 100)).creates(pod("q", 0, 100));
  for (const char* name : {"p", "q", "q"}) {
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

// QUE-BIND-2, EVT-POD-4: up to v1.34 no pod is woken if the cache no longer has the pod.
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

// QUE-BIND-2: another client bound p before the binding of the scheduler fails. If p is still there, the
// cache has it as a bound pod, and no pod is woken. If p is gone, q is woken from v1.35 on.
TEST(Binding, ThatFailsAfterAnotherClientBoundThePod) {
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

// A cycle skips what a decision does not model, and says why: here a term with operator In and no values.
TEST(Cycle, SaysWhyItSkips) {
  Pod repelled = pod("p", 10, 1000);
  repelled.pod_anti_affinity = {by("kubernetes.io/hostname", "")};
  repelled.pod_anti_affinity[0].label_selector = LabelSelector{{}, {{"app", "In", {}}}};
  Play play(k_36);
  const CycleResult result = play.node("n1", 4000).creates(repelled).cycle();
  EXPECT_EQ(result.outcome, CycleOutcome::skipped);
  EXPECT_TRUE(result.skipped.starts_with("InterPodAffinity: pod default/p has a")) << result.skipped;
}

}  // namespace touchstone::tests::calls_test
