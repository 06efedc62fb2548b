#include "reference/queue/early_cycle.hpp"

#include <gtest/gtest.h>

#include "reference/queue/play.hpp"
#include "tests/reference/queue/simple_queue.hpp"
#include "tests/support/topology.hpp"

/// The cycle of v1.13.0.
namespace touchstone::tests::early_cycle_test {

using namespace simple_queue;

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

// QUE-STATUS-1: a pod waits only for terminating pods of lower priority on its nominated node.
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

// QUE-STATUS-1: a pod without a nominated node waits for no pod, although other pods are assumed.
TEST(EarlyCycle, WaitsForNoPodWithoutANomination) {
  Play play("v1.13.0");
  play.node("n1", 4000);
  for (const char* name : {"a", "b", "c"}) {
    play.creates(pod(name, 10, 1000)).holds(CallKind::bind, name);
    EXPECT_EQ(play.cycle().outcome, CycleOutcome::scheduled);
  }
  EXPECT_EQ(play.creates(pod("p", 10, 5000)).cycle().outcome, CycleOutcome::none);
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

// QUE-CYCLE-2: a cycle whose command names no node may choose any of the best ones.
TEST(EarlyCycle, ChoosesAmongTheBestNodes) {
  class LastChoices final : public Choices {
   public:
    std::size_t pick(std::size_t n, std::string_view) override { return n - 1; }
  };
  Play play("v1.13.0");
  play.node("n1", 1000).node("n2", 1000);
  const auto node_of = [&](const char* name, Choices& choices) {
    play.creates(pod(name, 10, 100));
    return reference::play(play.world, CycleCommand{}, choices).cycle->node;
  };
  CanonicalChoices first;
  LastChoices last;
  const Play before = play;
  const std::string node = node_of("p", first);
  play = before;
  EXPECT_NE(node_of("p", last), node);
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

// QUE-STATUS-4: the loop waits for the call that sets the condition of a pod whose attempt was an error.
TEST(EarlyCycle, WaitsForTheStatusOfAnError) {
  Play play("v1.13.0");
  play.creates(pod("p", 10, 1000)).creates(pod("q", 10, 1000));
  EXPECT_EQ(play.holds(CallKind::patch, "p").cycle().outcome, CycleOutcome::error);
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::busy);
  play.answers(CallKind::patch, "p", CallResult::ok);
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::error);
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

// QUE-STATUS-4: the result says what is not modelled.
TEST(EarlyCycle, SaysThatAffinityIsUnclear) {
  const Pod drawn = near(pod("p", 10, 1000), {by("kubernetes.io/hostname", "x")});
  Play play("v1.13.0");
  const CycleResult result =
      play.node("n1", 4000).creates(placed(pod("v", 0, 1000), "gone")).creates(drawn).cycle();
  EXPECT_EQ(result.outcome, CycleOutcome::skipped);
  EXPECT_EQ(result.skipped, "affinity, while a pod is on a node that the scheduler does not know");
}

// A cycle skips what a decision does not model: here a term with operator In and no values.
TEST(EarlyCycle, SkipsWhatADecisionSkips) {
  Pod p = pod("p", 10, 1000);
  PodAffinityTerm term;
  term.topology_key = "kubernetes.io/hostname";
  term.label_selector = LabelSelector{{}, {{"app", "In", {}}}};
  p.pod_anti_affinity = {term};
  Play play("v1.13.0");
  const CycleResult result = play.node("n1", 4000).creates(p).cycle();
  EXPECT_EQ(result.outcome, CycleOutcome::skipped);
  EXPECT_TRUE(result.skipped.starts_with("InterPodAffinity: pod default/p has a")) << result.skipped;
}

}  // namespace touchstone::tests::early_cycle_test
