#include <gtest/gtest.h>

#include "reference/queue/cycle_run.hpp"
#include "reference/queue/handlers.hpp"
#include "reference/queue/hints.hpp"
#include "reference/queue/play.hpp"
#include "reference/queue/preemption_run.hpp"
#include "tests/support/play.hpp"

/// Rare paths of a scheduler over time: other orders of steps, other namespaces, errors.
namespace touchstone::tests::rare_test {

Pod in_namespace(Pod pod, const std::string& ns) {
  pod.ns = ns;
  pod.uid = "u-" + ns + "-" + pod.name;
  return pod;
}

// QUE-CALL-3: a patch that changes the nomination alone.
TEST(StatusPatch, MayNameTheNominationAlone) {
  Play play("v1.36.3");
  play.node("n1", 1000).creates(placed(pod("v", 10, 1000), "n1")).creates(pod("p", 10, 1000));
  play.cycle();
  PodObject nominated = *std::find_if(play.world.stored.pods.begin(), play.world.stored.pods.end(),
                                      [](const PodObject& each) { return each.pod.name == "p"; });
  nominated.pod.nominated_node_name = "n9";
  reference::update(play.world, nominated, true);
  play.advances(400'000).flushes_leftover();
  play.cycle();
  ASSERT_EQ(play.world.made.size(), 1u);
  EXPECT_TRUE(play.world.made[0].conditions.empty());
  EXPECT_EQ(play.world.made[0].nominated_node, "");
}

// QUE-FAIL-1: a failed pod that was bound during its attempt is not put back.
TEST(FailedPod, ThatWasBoundIsNotPutBack) {
  Play play("v1.32.2");
  play.node("n1", 1000).creates(placed(pod("v", 0, 1000), "n1")).creates(pod("p", 10, 1000));
  play.holds(CallKind::remove, "v").cycle();
  Call bind;
  bind.kind = CallKind::bind;
  bind.ns = "default";
  bind.name = "p";
  bind.uid = "u-p";
  bind.node = "n1";
  EXPECT_EQ(reference::perform(play.world, bind), CallResult::ok);
  play.creates(pod("other", 0, 0));  // delivers the event
  play.answers(CallKind::remove, "v", CallResult::ok);
  EXPECT_NE(play.place("p"), "unschedulable");
  EXPECT_NE(play.place("p"), "backoff");
}

// EVT-POD-4, QUE-DELETE-1, EVT-STORE-1: pods and PDBs of other namespaces with the same name are others.
TEST(Namespaces, KeepObjectsOfOneNameApart) {
  Play play("v1.36.3");
  play.node("n1", 100);
  for (const char* ns : {"default", "other"}) {
    play.creates(in_namespace(pod("p", 0, 1000), ns));
    play.creates(PodDisruptionBudget{ns, "b", {}, 0, {}});
  }
  play.cycle();
  play.cycle();
  EXPECT_EQ(play.world.queue.unschedulable.size(), 2u);
  Pod labelled = in_namespace(pod("p", 0, 1000), "other");
  labelled.labels["x"] = "y";
  play.updates(labelled);
  reference::remove_pod(play.world, "other", "p");
  play.creates(PodDisruptionBudget{"other", "c", {}, 0, {}});
  reference::remove_pdb(play.world, "other", "b");
  play.creates(pod("q", 0, 0));
  EXPECT_EQ(play.world.seen.pdbs.size(), 2u);
  EXPECT_EQ(play.world.queue.unschedulable.size(), 1u);
}

// EVT-CHANGE-1: an event about an object that the scheduler never saw changes nothing.
TEST(Handlers, IgnoreTheEndOfWhatTheyNeverSaw) {
  Play play("v1.36.3");
  reference::WatchEvent event;
  event.kind = WatchedKind::pdb;
  event.old_pdb = PodDisruptionBudget{"default", "b", {}, 0, {}};
  play.handles(event);
  EXPECT_TRUE(play.world.seen.pdbs.empty());
}

/// An update of a pod that changes nothing.
reference::WatchEvent same_again(const Pod& pod) {
  reference::WatchEvent event;
  event.old_pod = PodObject{pod, 30, {}};
  event.new_pod = event.old_pod;
  return event;
}

// EVT-POD-4, QUE-CACHE-1: updates of an assumed pod that terminates already, and of a pod that is not
// cached.
TEST(Handlers, IgnoreUpdatesThatChangeNothing) {
  Play play("v1.36.3");
  play.node("n1", 1000).creates(pod("p", 0, 100));
  play.holds(CallKind::bind, "p").cycle();
  Pod assumed = pod("p", 0, 100);
  assumed.uid = "u-p";
  assumed.terminating = true;
  play.handles(same_again(assumed));
  EXPECT_EQ(play.world.cache.assumed.size(), 1u);
  Pod unknown = placed(pod("x", 0, 100), "n1");
  unknown.uid = "u-x";
  play.handles(same_again(unknown));
  EXPECT_EQ(play.world.cache.pods["n1"].size(), 1u);
}

// EVT-STORE-3: a patch of a condition may leave its message.
TEST(Store, PatchesAReasonWithoutAMessage) {
  Play play("v1.36.3");
  play.creates(pod("p", 0, 100));
  Call patch;
  patch.ns = "default";
  patch.name = "p";
  patch.conditions = {{"Ready", "False", {}, {}}};
  EXPECT_EQ(reference::perform(play.world, patch), CallResult::ok);
  EXPECT_EQ(play.stored("p").conditions[0].status, "False");
}

// EVT-POD-1: pods that are not this scheduler's, or have ended, are not pending.
TEST(Observed, ArePendingPodsOfThisScheduler) {
  Pod ended = pod("e", 0, 100);
  ended.phase = "Failed";
  Pod foreign = pod("f", 0, 100);
  foreign.scheduler_name = "other";
  Play play("v1.36.3");
  play.creates(ended).creates(foreign);
  play.world.calls[7].result = CallResult::ok;
  const Observation seen = reference::observe(play.world);
  EXPECT_FALSE(seen.pods.at("default/e").pending || seen.pods.at("default/f").pending);
  EXPECT_TRUE(seen.held_calls.empty());
}

// QUE-ADD-1: the scheduler's own name counts as none.
TEST(Queue, HasPodsThatNameTheDefaultScheduler) {
  Pod named = pod("p", 0, 100);
  named.scheduler_name = "default-scheduler";
  Play play("v1.36.3");
  play.creates(named);
  EXPECT_EQ(play.place("p"), "active");
}

// EVT-SPREAD-2: an exchanged toleration, with each of its fields.
TEST(SpreadHint, ComparesEachFieldOfATolerations) {
  const Toleration base{"k", "Equal", "v", "NoSchedule"};
  for (const Toleration& other :
       {Toleration{"x", "Equal", "v", "NoSchedule"}, Toleration{"k", "Exists", "v", "NoSchedule"},
        Toleration{"k", "Equal", "x", "NoSchedule"}, Toleration{"k", "Equal", "v", "NoExecute"}, base}) {
    Pod before = pod("p", 0, 100);
    TopologySpreadConstraint spread;
    spread.topology_key = "zone";
    spread.when_unsatisfiable = "DoNotSchedule";
    spread.max_skew = 1;
    spread.label_selector = LabelSelector{};
    spread.node_taints_policy = "Honor";
    before.topology_spread = {spread};
    before.tolerations = {base};
    Pod now = before;
    now.tolerations = {other};
    before.uid = now.uid = "u-p";
    reference::ClusterEvent event;
    event.type = reference::EventType::pod_tolerations;
    event.old_pod = PodObject{before, 30, {}};
    event.new_pod = PodObject{now, 30, {}};
    EXPECT_EQ(reference::spread_hint_of_pod(now, event, release("v1.36.3")), !(other == base));
  }
}

// EVT-STORE-1: the end of a PDB leaves the others of its namespace.
TEST(Store, RemovesOneBudget) {
  Play play("v1.36.3");
  for (const char* name : {"b", "c"}) play.creates(PodDisruptionBudget{"default", name, {}, 0, {}});
  EXPECT_FALSE(reference::remove_pdb(play.world, "default", "b"));
  EXPECT_FALSE(reference::remove_pdb(play.world, "default", "c"));
}

// QUE-GATE-1: without GangScheduling, the order of plug-ins that gate a pod is no chance. No API server
// admits the update, but a timeline may contain it.
TEST(Gates, OfAPodThatPreemptsAreInAFixedOrder) {
  for (const char* release : {"v1.35.4", "v1.36.3", "v1.37.2"}) {
    Play play(release);
    play.node("n1", 1000).creates(placed(pod("v", 0, 1000), "n1")).creates(pod("p", 10, 1000));
    play.holds(CallKind::remove, "v").cycle();
    PodObject gated;
    gated.pod = pod("p", 10, 900);
    gated.pod.uid = "u-p";
    gated.pod.scheduling_gates = {"wait"};
    ScriptedChoices choices({1});
    reference::play(play.world, WriteCommand{Verb::update, gated, false}, choices);
    EXPECT_EQ(play.entry("p").gated_by, "SchedulingGates") << release;
  }
}

// QUE-SETTLE-1: each pod that is put back beside the loop may be the first one.
TEST(Steps, AreThoseOfEachPodThatIsPutBack) {
  Play play("v1.13.0");
  play.world.put_backs = {{"default", "p"}, {"default", "q"}};
  EXPECT_EQ(reference::enabled_steps(play.world).size(), 2U);
}

}  // namespace touchstone::tests::rare_test
