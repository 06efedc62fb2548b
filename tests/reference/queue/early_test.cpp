#include <gtest/gtest.h>

#include "tests/support/play.hpp"

/// The queue of v1.28 to v1.31, which has no hints.
namespace touchstone::tests::early_queue_test {

constexpr const char* k_28 = "v1.28.15";
constexpr const char* k_29 = "v1.29.6";
constexpr const char* k_30 = "v1.30.14";
constexpr const char* k_31 = "v1.31.0";

/// n1 is full of v, and p, of the same priority, has failed.
Play failed_early(Pod p = pod("p", 10, 1000)) {
  Play play(k_29);
  play.node("n1", 1000).creates(placed(pod("v", 10, 1000), "n1")).creates(std::move(p));
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::none);
  return play;
}

Pod labelled(Pod pod, const std::string& app) {
  pod.labels["app"] = app;
  return pod;
}

Pod with_toleration(Pod pod) {
  pod.tolerations = {{"t", "Exists", "", ""}};
  return pod;
}

Pod near(Pod pod, const std::string& app) {
  PodAffinityTerm term;
  term.label_selector = LabelSelector{{{"app", app}}, {}};
  term.topology_key = "kubernetes.io/hostname";
  pod.pod_affinity = {term};
  return pod;
}

// QUE-NUMBER-1: a move request during an attempt wakes the pod, even one that looks at no pod: here the patch
// of the victim. Without one the pod is unschedulable.
TEST(EarlyQueue, ComparesTheNumbersOfAttempts) {
  Play play(k_29);
  play.node("n1", 1000).creates(placed(pod("v", 0, 1000), "n1")).creates(pod("p", 10, 1000));
  play.holds(CallKind::remove, "v");
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::open);
  play.answers(CallKind::remove, "v", CallResult::ok);
  EXPECT_EQ(play.place("p"), "backoff");
  EXPECT_EQ(failed_early().place("p"), "unschedulable");
}

// QUE-NUMBER-1: an update of a pod in flight adds it to the queue, and its put-back changes nothing.
TEST(EarlyQueue, AddsAPodInFlightThatIsUpdated) {
  Play play(k_29);
  play.node("n1", 1000).creates(placed(pod("v", 0, 1000), "n1")).creates(pod("p", 10, 1000));
  play.holds(CallKind::remove, "v").cycle();
  play.updates(labelled(pod("p", 10, 1000), "a"));
  EXPECT_EQ(play.place("p"), "active");
  play.answers(CallKind::remove, "v", CallResult::ok);
  EXPECT_EQ(play.place("p"), "active");
  EXPECT_EQ(play.entry("p").attempts, 0);
}

// QUE-NUMBER-2: from v1.29 on a pod without rejectors backs off.
TEST(EarlyQueue, PutsAPodWithoutRejectorsBack) {
  for (const char* release : {k_28, k_29}) {
    Play play(release);
    play.creates(pod("p", 10, 1000));
    play.cycle();
    EXPECT_EQ(play.place("p"), release == k_28 ? "unschedulable" : "backoff");
  }
}

// QUE-NUMBER-3: a gated pod does not back off, even after an attempt.
TEST(EarlyQueue, LetsAGatedPodBecomeActiveAtOnce) {
  Pod gated = pod("p", 10, 1000);
  gated.scheduling_gates = {"g"};
  Play play(k_31);
  play.creates(gated).updates(pod("p", 10, 1000));
  EXPECT_EQ(play.place("p"), "active");

  Play failed = failed_early();
  failed.advances(2000).updates(gated);
  EXPECT_EQ(failed.entry("p").gated_by, "SchedulingGates");
  failed.world.now_ns = failed.entry("p").since_ns;
  failed.updates(pod("p", 10, 1000));
  EXPECT_EQ(failed.place("p"), "active");
}

// NOM-ADD-1: a pod that enters gated holds no room.
TEST(EarlyQueue, DoesNotNominateAGatedPod) {
  Pod gated = pod("p", 10, 1000);
  gated.scheduling_gates = {"g"};
  gated.nominated_node_name = "n1";
  Play play(k_29);
  play.node("n1", 1000).creates(gated);
  EXPECT_EQ(play.nominated("p"), "");
}

// NOM-COUNT-1: a nominated pod that was dropped keeps its room up to v1.30.
TEST(EarlyQueue, HoldsTheRoomOfADroppedPod) {
  for (const char* release : {k_30, k_31}) {
    Pod dropped = pod("p", 10, 1000);
    dropped.nominated_node_name = "n1";
    dropped.terminating = true;
    Play play(release);
    play.node("n1", 1000).creates(dropped).creates(pod("q", 5, 1000));
    EXPECT_EQ(play.cycle().outcome, CycleOutcome::dropped);
    EXPECT_EQ(play.cycle().outcome, release == k_30 ? CycleOutcome::none : CycleOutcome::scheduled);
  }
  Play unseen(k_30);
  unseen.world.nominations["n1"].push_back({"u-x", "default", "x"});
  EXPECT_TRUE(reference::nominated_pods(unseen.world, "n1")[0].pod.containers.empty());
}

// QUE-EARLY-1: an update that changes more than the status moves a pod.
TEST(EarlyQueue, MovesAPodWhoseObjectChanges) {
  Play play = failed_early();
  Pod conditioned = pod("p", 10, 1000);
  conditioned.conditions = {{"PodScheduled", "False", "Unschedulable"}, {"X", "True", ""}};
  play.updates(conditioned, true);
  EXPECT_EQ(play.place("p"), "unschedulable");
  play.advances(2000).updates(labelled(conditioned, "a"));
  EXPECT_EQ(play.place("p"), "active");
}

// QUE-EARLY-1: the time to end counts, too.
TEST(EarlyQueue, MovesAPodWhoseGracePeriodChanges) {
  Play play = failed_early();
  reference::update(play.world, PodObject{pod("p", 10, 1000), 5, {}}, false);
  play.flushes_backoff();
  EXPECT_EQ(play.place("p"), "backoff");
}

// QUE-EARLY-1: so does an annotation.
TEST(EarlyQueue, MovesAPodWhoseAnnotationsChange) {
  Play play = failed_early();
  reference::update(play.world, PodObject{pod("p", 10, 1000), 30, {}, {{"x", "1"}}}, false);
  play.flushes_backoff();
  EXPECT_EQ(play.place("p"), "backoff");
}

// EVT-EARLY-1, EVT-EARLY-3: any change of a node on which the pod could run wakes a pod that lacked room.
TEST(EarlyEvents, OfNodesLookAtPodsThatCouldRunThere) {
  Play play = failed_early();
  Node tainted = node_with("n2", 1000);
  tainted.taints = {{"t", "", "NoSchedule"}};
  play.creates(tainted);
  EXPECT_EQ(play.place("p"), "unschedulable");
  Node evicting = tainted;
  evicting.taints = {{"t", "", "PreferNoSchedule"}};
  play.updates(evicting);
  EXPECT_EQ(play.place("p"), "backoff");

  Pod tolerates = pod("p", 10, 1000);
  tolerates.tolerations = {{"t", "Exists", "", ""}};
  Play tolerating = failed_early(tolerates);
  tolerating.creates(tainted);
  EXPECT_EQ(tolerating.place("p"), "backoff");

  Play small = failed_early();
  small.creates(node_with("n2", 500)).updates(node_with("n1", 1500));
  EXPECT_EQ(small.place("p"), "unschedulable");
  small.updates(node_with("n1", 2000));
  EXPECT_EQ(small.place("p"), "backoff");

  Play same = failed_early();
  same.updates(node_with("n1", 1000));
  EXPECT_EQ(same.place("p"), "unschedulable");
}

// EVT-EARLY-3: node affinity and host ports count, too.
TEST(EarlyEvents, OfNodesTestAffinityAndPorts) {
  Pod selects = pod("p", 10, 1000);
  selects.node_selector = {{"disk", "ssd"}};
  Play by_labels = failed_early(selects);
  by_labels.creates(node_with("n2", 1000));
  EXPECT_EQ(by_labels.place("p"), "unschedulable");

  Pod with_port = with_host_port(pod("p", 10, 1000), 80);
  Play by_port = failed_early(with_port);
  by_port.creates(placed(with_host_port(pod("w", 10, 100), 80), "n2")).creates(node_with("n2", 4000));
  EXPECT_EQ(by_port.place("p"), "unschedulable");
}

// EVT-EARLY-1: a plug-in that did not register the event wakes no pod.
TEST(EarlyEvents, WakeOnlyRejectorsThatRegisteredThem) {
  Play play(k_29);
  Node cordoned = node_with("n1", 1000);
  cordoned.unschedulable = true;
  play.creates(cordoned).creates(placed(pod("v", 0, 100), "n1")).creates(pod("p", 10, 100));
  play.cycle();
  play.removes("v");
  EXPECT_EQ(play.place("p"), "unschedulable");
  play.updates(node_with("n1", 1000));
  EXPECT_EQ(play.place("p"), "backoff");
  Play room = failed_early();
  room.removes("v");
  EXPECT_EQ(room.place("p"), "backoff");
}

// EVT-EARLY-2: an added or changed pod is looked at only by pods with a matching term of affinity.
TEST(EarlyEvents, OfPodsLookAtPodsThatWantThem) {
  Play play(k_29);
  play.node("n1", 4000).creates(near(pod("p", 10, 100), "a"));
  play.cycle();
  play.creates(placed(pod("x", 0, 0), "n1"));
  EXPECT_EQ(play.place("p"), "unschedulable");
  play.updates(labelled(placed(pod("x", 0, 0), "n1"), "a"));
  EXPECT_EQ(play.place("p"), "backoff");
}

// EVT-EARLY-2: in v1.31 lowered requests are looked at by all pods.
TEST(EarlyEvents, OfLoweredRequestsLookAtAllPods) {
  for (const char* release : {k_29, k_31}) {
    Play play(release);
    play.node("n1", 4000)
        .creates(placed(labelled(pod("v", 20, 1000), "b"), "n1"))
        .creates(near(pod("p", 10, 100), "a"));
    play.cycle();
    play.updates(labelled(placed(pod("v", 20, 500), "n1"), "b"));
    EXPECT_EQ(play.place("p"), release == k_31 ? "backoff" : "unschedulable");
  }
}

// EVT-EARLY-1, EVT-EARLY-2: in v1.31 an added pod is looked at by pods that PodTopologySpread rejected, if it
// is in their namespace. A change of neither labels nor requests is no event.
TEST(EarlyEvents, OfPodsWakeSpreadPodsOfV131) {
  TopologySpreadConstraint constraint;
  constraint.max_skew = 1;
  constraint.topology_key = "missing";
  constraint.when_unsatisfiable = "DoNotSchedule";
  constraint.label_selector = LabelSelector{{{"app", "a"}}, {}};
  Pod spread = pod("p", 10, 100);
  spread.topology_spread = {constraint};
  for (const char* release : {k_30, k_31}) {
    Play play(release);
    play.node("n1", 4000).creates(spread).creates(near(pod("q", 10, 100), "a"));
    play.cycle();
    play.cycle();
    Pod elsewhere = placed(pod("x", 0, 10), "n1");
    elsewhere.ns = "other";
    play.creates(elsewhere);
    EXPECT_EQ(play.place("p"), "unschedulable");
    play.creates(placed(pod("y", 0, 10), "n1"));
    EXPECT_EQ(play.place("p"), release == k_31 ? "backoff" : "unschedulable");
    play.updates(with_toleration(placed(pod("y", 0, 10), "n1")));
    EXPECT_EQ(play.place("q"), "unschedulable");
    Pod labels = placed(labelled(pod("y", 0, 10), "a"), "n1");
    play.updates(labels);
    EXPECT_EQ(play.place("q"), "backoff");
  }
}

// EVT-EARLY-1: from v1.30 on NodeUnschedulable hears of all changes of a node.
TEST(EarlyEvents, WakePodsThatNodeUnschedulableRejected) {
  for (const char* release : {k_29, k_30}) {
    Node cordoned = node_with("n1", 1000);
    cordoned.unschedulable = true;
    Play play(release);
    play.creates(cordoned).creates(pod("p", 10, 100));
    play.cycle();
    cordoned.labels["x"] = "y";
    play.updates(cordoned);
    EXPECT_EQ(play.place("p"), release == k_30 ? "backoff" : "unschedulable");
  }
}

/// The numbers of pops at the last move request, after a pod is bound where a profile has NodeName alone.
Quantity pops_at_event(const char* name) {
  Play play(name);
  play.world.release.filter_groups = {{Filter::node_name}};
  play.node("n1", 1000).creates(pod("p", 10, 100));
  play.cycle();
  play.creates(placed(pod("x", 0, 10), "n2"));
  return play.world.queue.pops_at_event;
}

// EVT-EARLY-1: from v1.30 on an event that no plug-in registered is no move request.
TEST(EarlyEvents, ThatNoPluginRegisteredDoNothingFromV130On) {
  EXPECT_EQ(pops_at_event(k_29), 1);
  EXPECT_NE(pops_at_event(k_30), 1);
}

// EVT-EARLY-1: from v1.30 on InterPodAffinity hears of taints.
TEST(EarlyEvents, ThatPluginsOfV130Registered) {
  for (const char* release : {k_29, k_30}) {
    Play play(release);
    play.node("n1", 1000).creates(near(pod("p", 10, 100), "a"));
    play.cycle();
    Node tainted = node_with("n1", 1000);
    tainted.taints = {{"t", "", "PreferNoSchedule"}};
    play.updates(tainted);
    EXPECT_EQ(play.place("p"), release == k_30 ? "backoff" : "unschedulable");
  }
}

// EVT-EARLY-4: from v1.30 on each change of a node is an event.
TEST(EarlyEvents, OfNodesAreEachChangeFromV130On) {
  Play wants(k_30);
  wants.node("n1", 1000).creates(near(pod("p", 10, 100), "a"));
  wants.cycle();
  Node changed = node_with("n1", 2000);
  changed.labels["x"] = "y";
  wants.updates(changed);
  EXPECT_EQ(wants.place("p"), "backoff");
}

// EVT-EARLY-4: the first change of a node is its event; a deleted node is none.
TEST(EarlyEvents, OfNodesAreOneForEachChange) {
  Play play = failed_early(near(pod("p", 10, 100), "a"));
  Node changed = node_with("n1", 2000);
  changed.labels["x"] = "y";
  play.updates(changed);
  EXPECT_EQ(play.place("p"), "backoff");  // NodeResourcesFit registered it

  Play wants(k_29);
  wants.node("n1", 1000).creates(near(pod("p", 10, 100), "a"));
  wants.cycle();
  wants.updates(changed);
  EXPECT_EQ(wants.place("p"), "unschedulable");
  Node other = changed;
  other.labels["x"] = "z";
  wants.updates(other);
  EXPECT_EQ(wants.place("p"), "backoff");

  Play gone = failed_early();
  gone.removes_node("n1");
  EXPECT_EQ(gone.place("p"), "unschedulable");
}

// EVT-EARLY-2, EVT-EARLY-3, EVT-EARLY-4: updates of a pod on a node, and of a node, cite their clauses.
TEST(EarlyEvents, CiteTheirClauses) {
  Play play(k_28);
  play.node("n1", 1000).creates(placed(pod("v", 0, 100), "n1"));
  play.world.cited.clear();
  play.updates(labelled(placed(pod("v", 0, 100), "n1"), "x"));
  EXPECT_TRUE(play.world.cited.contains("EVT-EARLY-2"));
  play.world.cited.clear();
  play.updates(node_with("n1", 2000));
  EXPECT_TRUE(play.world.cited.contains("EVT-EARLY-3"));
  EXPECT_TRUE(play.world.cited.contains("EVT-EARLY-4"));
}

}  // namespace touchstone::tests::early_queue_test
