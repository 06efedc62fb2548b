#include <gtest/gtest.h>

#include "tests/reference/queue/simple_queue.hpp"

/// The queue, the cache and the nominations of v1.13.0.
namespace touchstone::tests::simple_queue_test {

using namespace simple_queue;

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

// QUE-GATE-1: the API of the release has no scheduling gates.
TEST(EarlyStore, DropsSchedulingGates) {
  Play play("v1.13.0");
  Pod p = pod("p", 10, 1000);
  p.scheduling_gates = {"g"};
  EXPECT_EQ(play.creates(p).place("p"), "active");
}

}  // namespace touchstone::tests::simple_queue_test
