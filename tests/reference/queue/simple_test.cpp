#include <gtest/gtest.h>

#include "tests/support/play.hpp"

/// The queue, the cycle and the nominations of v1.13.0.
namespace touchstone::tests::simple_queue_test {

using Calls = std::vector<std::string>;

Pod labelled(Pod pod) {
  pod.labels["a"] = "b";
  return pod;
}

Pod nominated_to(Pod pod, const std::string& node) {
  pod.nominated_node_name = node;
  return pod;
}

/// n1 has 1 CPU, and v with this priority fills it. p (priority 10) waits.
Play full(Quantity priority_of_v) {
  Play play("v1.13.0");
  play.node("n1", 1000).creates(placed(pod("v", priority_of_v, 1000), "n1")).creates(pod("p", 10, 1000));
  return play;
}

// QUE-SIMPLE-1: there is no backoff.
TEST(SimpleQueue, MovesEachPodToTheActivePart) {
  Play play = full(20);
  play.cycle();
  EXPECT_EQ(play.place("p"), "unschedulable");
  EXPECT_EQ(play.removes("v").place("p"), "active");
}

// QUE-SIMPLE-2: pods of equal priority are popped in any order.
TEST(SimpleQueue, MayPopTheLaterOfTwoEqualPods) {
  Play play("v1.13.0");
  play.creates(pod("a", 0, 1000)).advances(1000).creates(pod("b", 0, 1000)).creates(pod("c", -1, 1000));
  std::set<std::string> popped;
  explore(
      [&](Choices& choices) { popped.insert(reference::next_to_pop(play.world, choices)->object.pod.name); },
      10);
  EXPECT_EQ(popped, (std::set<std::string>{"a", "b"}));
}

// QUE-SIMPLE-3: no timer moves a pod.
TEST(SimpleQueue, HasNoTimers) {
  Play play = full(20);
  play.cycle();
  play.advances(3'600'000).flushes_leftover().flushes_backoff();
  EXPECT_EQ(play.place("p"), "unschedulable");
}

// QUE-LIMBO-1: the pod is put back while the loop waits, and not beside a queued pod.
TEST(SimpleQueue, PutsAPodBackBesideTheLoop) {
  Play play = full(0);
  play.holds(CallKind::remove, "v");
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::open);
  EXPECT_EQ(play.place("p"), "unschedulable");
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::busy);
  play.answers(CallKind::remove, "v", CallResult::ok);
  EXPECT_EQ(play.world.ended->outcome, CycleOutcome::nominated);
}

// QUE-LIMBO-1: a pod that is gone, or has a node, is not put back.
TEST(SimpleQueue, PutsNoPodBackThatIsGoneOrBound) {
  Play gone = full(20);
  gone.holds(WatchedKind::pod).removes("p");
  gone.cycle();
  EXPECT_EQ(gone.place("p"), "");
  Play bound = full(20);
  bound.holds(WatchedKind::pod);
  reference::find_pod(bound.world.stored.pods, "default", "p")->pod.node_name = "n1";
  bound.cycle();
  EXPECT_EQ(bound.place("p"), "");
}

// QUE-LIMBO-1: a pod with a queued pod of its name is not put back.
TEST(SimpleQueue, PutsNoPodBackBesideAQueuedOne) {
  Play play = full(0);
  play.cycle();
  reference::put_back_as_read(play.world, *reference::find_pod(play.world.stored.pods, "default", "p"));
  EXPECT_EQ(play.world.queue.active.size() + play.world.queue.unschedulable.size(), 1u);
}

// QUE-LIMBO-1: the pod is read by its name and namespace.
TEST(SimpleQueue, PutsThePodOfItsNamespaceBack) {
  Play play = full(20);
  Pod elsewhere = pod("p", 10, 1000);
  elsewhere.ns = "another";
  elsewhere.uid = "another";
  elsewhere.node_name = "n1";
  play.creates(elsewhere);
  play.world.stored.pods.insert(play.world.stored.pods.begin(), play.world.stored.pods.back());
  play.world.stored.pods.pop_back();
  play.cycle();
  EXPECT_EQ(play.place("p"), "unschedulable");
}

// QUE-LIMBO-2: without the condition, or after a move request, the pod goes to the active part.
TEST(SimpleQueue, ReadsTheConditionOfAPod) {
  Play first = full(0);
  first.holds(CallKind::patch, "p");
  EXPECT_EQ(first.cycle().outcome, CycleOutcome::open);
  EXPECT_EQ(first.place("p"), "active");
  for (const bool is_moved : {true, false}) {
    Play play = full(20);
    play.cycle();
    play.removes("v");
    reference::pop(play.world, Entry(play.entry("p")));
    if (is_moved) play.node("n2", 0);
    reference::put_back_as_read(play.world, *reference::find_pod(play.world.stored.pods, "default", "p"));
    EXPECT_EQ(play.place("p"), is_moved ? "active" : "unschedulable");
  }
}

// QUE-LIMBO-2: only condition PodScheduled that is false and says "Unschedulable" counts.
TEST(SimpleQueue, ReadsTypeStatusAndReasonOfTheCondition) {
  const auto part = [](const Condition& condition) {
    Play play("v1.13.0");
    PodObject read{pod("p", 10, 1000), 30, {}};
    read.pod.conditions = {condition};
    reference::put_back_as_read(play.world, read);
    return play.place("p");
  };
  EXPECT_EQ(part({"PodScheduled", "False", "Unschedulable"}), "unschedulable");
  EXPECT_EQ(part({"Ready", "False", "Unschedulable"}), "active");
  EXPECT_EQ(part({"PodScheduled", "True", "Unschedulable"}), "active");
  EXPECT_EQ(part({"PodScheduled", "False", "BindingRejected"}), "active");
}

// QUE-STATUS-1, QUE-STATUS-3: first the condition, then the nomination, then the victims.
TEST(EarlyCycle, PreemptsAfterTheCondition) {
  Play play = full(0);
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::nominated);
  EXPECT_EQ(play.calls(), (Calls{"patch p", "patch p n1", "delete v"}));
  EXPECT_EQ(play.nominated("p"), "n1");
  // The condition is there already; v terminates on the nominated node.
  play.node("n2", 500);
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::ineligible);
}

// QUE-STATUS-1: what happened while the condition was sent counts for preemption.
TEST(EarlyCycle, PreemptsByTheCacheOfThatMoment) {
  Play play = full(0);
  play.holds(CallKind::patch, "p").cycle();
  play.removes("v").answers(CallKind::patch, "p", CallResult::ok);
  EXPECT_EQ(play.calls(), (Calls{"patch p n1"}));
  Play without_nodes = full(0);
  without_nodes.holds(CallKind::patch, "p").cycle();
  without_nodes.removes_node("n1").answers(CallKind::patch, "p", CallResult::ok);
  EXPECT_EQ(without_nodes.world.ended->outcome, CycleOutcome::error);
}

// QUE-STATUS-1: the pod is read from the API; a node that is new has no reason, and may help.
TEST(EarlyCycle, PreemptsForThePodInTheApi) {
  Play play = full(0);
  play.holds(WatchedKind::pod).removes("p");
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::error);
  Play later = full(20);
  later.holds(CallKind::patch, "p").cycle();
  later.node("n2", 1000).creates(placed(pod("w", 0, 1000), "n2"));
  later.answers(CallKind::patch, "p", CallResult::ok);
  EXPECT_EQ(later.world.ended->node, "n2");
}

// QUE-STATUS-1: a pod waits for victims on a node that is gone.
TEST(EarlyCycle, WaitsForVictimsOfANodeThatIsGone) {
  Play play = full(0);
  play.cycle();
  play.removes_node("n1").node("n2", 500);
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::ineligible);
}

// QUE-STATUS-1: only for terminating pods of lower priority.
TEST(EarlyCycle, DoesNotWaitForATerminatingPodOfItsPriority) {
  for (const Quantity priority : {9, 10}) {
    Play play("v1.13.0");
    play.node("n1", 2000).creates(placed(pod("v", priority, 1000), "n1"));
    play.creates(placed(pod("w", 0, 1000), "n1"))
        .creates(nominated_to(pod("p", 10, 1000), "n1"))
        .deletes("v");
    EXPECT_EQ(play.cycle().outcome, priority == 9 ? CycleOutcome::ineligible : CycleOutcome::nominated);
  }
}

// QUE-CYCLE-2: the node of a preemption is chosen after the condition.
TEST(EarlyCycle, TakesTheNodeThatIsTold) {
  for (const char* node : {"n1", "n2"}) {
    Play play = full(0);
    play.node("n2", 1000).creates(placed(pod("w", 0, 1000), "n2"));
    EXPECT_EQ(play.cycle(node).node, node);
    Play empty("v1.13.0");
    empty.node("n1", 1000).node("n2", 1000).creates(pod("p", 10, 1000));
    EXPECT_EQ(empty.cycle(node).node, node);
  }
  Play play = full(0);
  const World before = play.world;
  CanonicalChoices choices;
  EXPECT_EQ(reference::cycle(play.world, "n2", choices).error().code, "not-admissible");
  EXPECT_EQ(play.world.stored, before.stored);
  EXPECT_EQ(reference::cycle(play.world, "n1", choices).value().outcome, CycleOutcome::nominated);
}

// QUE-STATUS-2: a status made from an older pod, or from another one, is a conflict.
TEST(EarlyCycle, SendsStatusesThatMeetConflicts) {
  Play play = full(20);
  play.holds(WatchedKind::pod).updates(labelled(pod("p", 10, 1000)));
  play.cycle();
  EXPECT_TRUE(play.stored("p").conditions.empty());
  Play again = full(20);
  again.holds(CallKind::patch, "p").cycle();
  again.removes("p");
  Pod other = pod("p", 10, 1000);
  other.uid = "another";
  again.creates(other).answers(CallKind::patch, "p", CallResult::ok);
  EXPECT_TRUE(again.stored("p").conditions.empty());
}

// QUE-STATUS-3: after a call that failed the rest is not made.
TEST(EarlyCycle, EndsPreemptionWhenACallFails) {
  Play play("v1.13.0");
  play.node("n1", 2000).creates(placed(pod("v", 1, 1000), "n1")).creates(placed(pod("w", 0, 1000), "n1"));
  play.creates(pod("p", 10, 2000)).holds(CallKind::remove, "v");
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::open);
  play.answers(CallKind::remove, "v", CallResult::error);
  EXPECT_EQ(play.world.ended->outcome, CycleOutcome::error);
  EXPECT_FALSE(play.stored("w").terminating);
  EXPECT_EQ(play.nominated("p"), "n1");
}

// QUE-STATUS-3: lower nominations are cleared last, and a failure of that is ignored.
TEST(EarlyCycle, ClearsLowerNominations) {
  Play play("v1.13.0");
  play.node("n1", 1000).creates(placed(pod("v", 0, 1000), "n1")).creates(pod("q", 5, 1000));
  play.cycle();
  play.creates(pod("p", 10, 1000)).holds(CallKind::patch, "q");
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::open);
  EXPECT_EQ(play.calls().back(), "patch q  waits");
  play.answers(CallKind::patch, "q", CallResult::error);
  EXPECT_EQ(play.world.ended->outcome, CycleOutcome::nominated);
}

// QUE-STATUS-3: the own nomination is cleared if no node can be helped, and only if there is one.
TEST(EarlyCycle, ClearsTheOwnNomination) {
  for (const bool is_nominated : {true, false}) {
    Play play("v1.13.0");
    Pod p = pod("p", 10, 1000);
    p.node_selector = {{"x", "y"}};
    if (is_nominated) p.nominated_node_name = "n1";
    play.node("n1", 1000).creates(p);
    EXPECT_EQ(play.cycle().outcome, CycleOutcome::none);
    EXPECT_EQ(play.calls(), is_nominated ? (Calls{"patch p", "patch p "}) : Calls{"patch p"});
  }
}

// QUE-STATUS-3: the nomination is sent even if the pod has it.
TEST(EarlyCycle, SendsTheSameNominationAgain) {
  Play play = full(0);
  play.cycle();
  play.removes("v").creates(placed(pod("w", 0, 1000), "n1"));
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::nominated);
  EXPECT_EQ(play.calls(), (Calls{"patch p", "delete w"}));
}

// QUE-STATUS-4: without nodes the outcome is error; a second attempt changes nothing.
TEST(EarlyCycle, FailsWithoutNodes) {
  Play play("v1.13.0");
  play.creates(pod("p", 10, 1000));
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::error);
  EXPECT_EQ(play.stored("p").conditions[0].reason, "Unschedulable");
  EXPECT_EQ(play.place("p"), "unschedulable");
  play.updates(labelled(pod("p", 10, 1000)));
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::error);
  EXPECT_EQ(play.calls(), Calls{});
}

// QUE-STATUS-4: a binding that failed; a second time the condition is there already.
TEST(EarlyCycle, SaysThatABindingWasRejected) {
  Play play("v1.13.0");
  play.node("n1", 1000).creates(nominated_to(pod("p", 10, 1000), "n1"));
  for (const bool is_first : {true, false}) {
    play.holds(CallKind::bind, "p").cycle();
    EXPECT_EQ(play.nominated("p"), "");
    play.answers(CallKind::bind, "p", CallResult::error);
    EXPECT_EQ(play.calls(), is_first ? Calls{"patch p"} : Calls{});
    EXPECT_EQ(play.stored("p").conditions[0].reason, "BindingRejected");
    EXPECT_EQ(play.place("p"), "active");
    EXPECT_EQ(play.nominated("p"), "n1");
  }
}

// QUE-ASSUME-1, EVT-POD-5: an assumed pod that gets a label is tried again, beside itself.
TEST(EarlyCycle, TriesAnAssumedPodAgain) {
  for (const Quantity cpu : {2000, 1000}) {
    Play play("v1.13.0");
    play.node("n1", cpu).creates(pod("p", 10, 1000)).holds(CallKind::bind, "p").cycle();
    play.updates(labelled(pod("p", 10, 1000)));
    EXPECT_EQ(play.place("p"), "active");
    EXPECT_EQ(play.cycle().outcome, cpu == 2000 ? CycleOutcome::error : CycleOutcome::none);
    EXPECT_EQ(play.stored("p").conditions[0].reason, cpu == 2000 ? "SchedulerError" : "Unschedulable");
  }
}

// EVT-POD-5: an annotation of an assumed pod adds it to no part of the queue.
TEST(EarlyEvents, PassOverAnnotationsOfAssumedPods) {
  Play play("v1.13.0");
  play.node("n1", 1000).creates(pod("p", 10, 1000)).holds(CallKind::bind, "p").cycle();
  PodObject annotated = *reference::find_pod(play.world.stored.pods, "default", "p");
  annotated.annotations["a"] = "b";
  reference::update(play.world, annotated, true);
  CanonicalChoices choices;
  reference::settle(play.world, choices);
  EXPECT_EQ(play.place("p"), "");
}

// EVT-POD-5: a condition without a message is the same, whether a message was written for it or not.
TEST(EarlyEvents, PassOverWritesThatChangeNothing) {
  Play play("v1.13.0");
  play.node("n1", 1000).creates(pod("p", 10, 1000)).holds(CallKind::bind, "p").cycle();
  play.answers(CallKind::bind, "p", CallResult::error).holds(CallKind::bind, "p").cycle();
  PodObject written = *reference::find_pod(play.world.stored.pods, "default", "p");
  EXPECT_EQ(written.pod.conditions[0].reason, "BindingRejected");
  EXPECT_TRUE(written.messages.empty());
  reference::update(play.world, written, true);
  CanonicalChoices choices;
  reference::settle(play.world, choices);
  EXPECT_EQ(play.place("p"), "");
}

// QUE-CACHE-3: a binding that is seen leaves the pods of a node in their order.
TEST(EarlyCache, ConfirmsAPodAtItsPlace) {
  Play play("v1.13.0");
  play.node("n1", 2000).creates(pod("p", 10, 1000)).holds(CallKind::bind, "p").cycle();
  play.creates(placed(pod("x", 0, 1000), "n1")).answers(CallKind::bind, "p", CallResult::ok);
  EXPECT_TRUE(play.world.cache.assumed.empty());
  EXPECT_EQ(play.world.cache.pods.at("n1")[0].pod.name, "p");
}

// EVT-NODE-2: an update of a node that changes nothing wakes all; a deletion wakes none.
TEST(EarlyEvents, WakeAtEachUpdateOfANode) {
  Play play = full(20);
  play.cycle();
  EXPECT_EQ(play.updates(node_with("n1", 1000)).place("p"), "active");
  play.cycle();
  EXPECT_EQ(play.removes_node("n1").place("p"), "unschedulable");
}

// NOM-OBJECT-1: a pod in no part of the queue that gets another nomination keeps the old one for good.
TEST(EarlyNominations, MayBeLeftBehind) {
  Play play("v1.13.0");
  play.node("n1", 1000).node("n2", 1000);
  for (const char* node : {"n1", "n2"}) play.creates(placed(pod(std::string("v-") + node, 20, 1000), node));
  play.creates(nominated_to(pod("p", 10, 1000), "n1")).holds(WatchedKind::pod).holds(CallKind::patch, "p");
  const Entry popped = *reference::pop(play.world, play.entry("p"));
  play.updates(nominated_to(pod("p", 10, 1000), "n2"), true).delivers(WatchedKind::pod);
  EXPECT_EQ(play.world.nominations.size(), 2u);
  play.removes("p");
  EXPECT_EQ(play.world.nominations.size(), 1u);
  EXPECT_TRUE(play.world.nominations.contains("n1"));
}

// NOM-OBJECT-2: a nominated pod counts as it was.
TEST(EarlyNominations, KeepThePodAsItWas) {
  Play play = full(0);
  play.cycle();
  const PodObject first = reference::nominated_pods(play.world, "n1")[0];
  reference::nominate(play.world, *reference::find_pod(play.world.stored.pods, "default", "p"), std::nullopt);
  EXPECT_EQ(play.world.nominations.at("n1").size(), 1u);
  EXPECT_EQ(reference::nominated_pods(play.world, "n1")[0], first);
  play.updates(labelled(nominated_to(pod("p", 10, 1000), "n1")), true);
  EXPECT_EQ(reference::nominated_pods(play.world, "n1")[0].pod.labels.at("a"), "b");
}

// QUE-STATUS-4: not modelled: affinity, while a pod is on a node that the scheduler does not know.
TEST(EarlyCycle, SkipsAffinityBesidePodsOnUnknownNodes) {
  PodAffinityTerm term;
  term.topology_key = "kubernetes.io/hostname";
  Pod drawn = pod("p", 10, 1000);
  drawn.pod_affinity = {term};
  Pod repelled = pod("p", 10, 1000);
  repelled.pod_anti_affinity = {term};
  for (const Pod& p : {drawn, repelled}) {
    for (const char* node : {"n1", "gone"}) {
      for (const bool is_removed : {false, true}) {
        Play play("v1.13.0");
        play.node("n1", 4000).creates(placed(pod("v", 0, 1000), node));
        if (is_removed) play.removes("v");
        const bool is_unclear = node == std::string("gone") && !is_removed;
        EXPECT_EQ(play.creates(p).cycle().outcome == CycleOutcome::skipped, is_unclear);
      }
    }
  }
}

// What is not modelled in a decision is not modelled here.
TEST(EarlyCycle, SkipsWhatADecisionSkips) {
  Pod p = pod("p", 10, 1000);
  PodAffinityTerm term;
  term.topology_key = "kubernetes.io/hostname";
  term.label_selector = LabelSelector{{}, {{"app", "In", {}}}};
  p.pod_anti_affinity = {term};
  Play play("v1.13.0");
  const CycleResult result = play.node("n1", 4000).creates(p).cycle();
  EXPECT_EQ(result.outcome, CycleOutcome::skipped);
  EXPECT_EQ(result.skipped.substr(0, 37), "InterPodAffinity: pod default/p has a");
}

// QUE-GATE-1: the API of the release has no scheduling gates.
TEST(EarlyStore, DropsSchedulingGates) {
  Play play("v1.13.0");
  Pod p = pod("p", 10, 1000);
  p.scheduling_gates = {"g"};
  EXPECT_EQ(play.creates(p).place("p"), "active");
}

}  // namespace touchstone::tests::simple_queue_test
