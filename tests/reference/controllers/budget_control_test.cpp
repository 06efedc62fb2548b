#include "reference/controllers/budget_control.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "tests/reference/controllers/budgets.hpp"

/// When the disruption controller writes, and what follows. budget_status_test.cpp is about the status that
/// it writes.
namespace touchstone::tests::budget_control_test {

using namespace budgets;

namespace {

/// Pod p, whose condition DisruptionTarget has had this status since `since_ns`.
ControlledPod announced(Quantity since_ns, const std::string& status = "True") {
  ControlledPod made = pod("p");
  made.target = DisruptionTarget{status, "PreemptionByScheduler", since_ns};
  return made;
}

}  // namespace

// BUD-WRITE-1, BUD-QUEUE-3: a conflict is tried again after 5 ms, then after 10 ms.
TEST(DisruptionController, TriesAgainAfterAConflict) {
  BudgetControl control;
  ++control.armed[ControlCallKind::update_budget];
  put(control, budget(PodCount{0}));
  EXPECT_EQ(work(control, WorkKind::budgets), WorkOutcome::open);
  EXPECT_EQ(work(control, WorkKind::budgets), WorkOutcome::busy);
  ASSERT_FALSE(answer(control, ControlResult::conflict));
  EXPECT_TRUE(answer(control, ControlResult::ok));
  advance(control, 4'999'999);
  EXPECT_EQ(work(control, WorkKind::budgets), WorkOutcome::idle);
  advance(control, 1);
  EXPECT_EQ(work(control, WorkKind::budgets), WorkOutcome::done);
}

// BUD-FAIL-1: a write that fails otherwise is followed by one that allows nothing.
TEST(DisruptionController, FailsSafeAfterAnError) {
  for (const ControlResult result : {ControlResult::error, ControlResult::lost, ControlResult::not_found}) {
    BudgetControl control;
    ++control.armed[ControlCallKind::update_budget];
    put(control, budget(PodCount{0}));
    put(control, pod("p"));
    work(control, WorkKind::budgets);
    answer(control, result);
    const bool was_written = result == ControlResult::lost;  // then the second write conflicts
    EXPECT_EQ(status(control).condition->reason, was_written ? "SufficientPods" : "SyncFailed");
    EXPECT_EQ(control.queues.at(WorkKind::budgets).failures.size(), was_written ? 1u : 0u);
  }
}

// BUD-WRITE-1: an answer is for the oldest of the calls that wait. It is a conflict if the object has
// changed: here the budget has, and the pod has not.
TEST(DisruptionController, TakesAnAnswerForTheOldestCall) {
  BudgetControl control;
  control.now_ns = k_begin;
  ++control.armed[ControlCallKind::update_budget];
  ++control.armed[ControlCallKind::update_pod];
  put(control, budget(PodCount{0}));
  put(control, announced(k_begin - 120 * k_second));
  EXPECT_EQ(work(control, WorkKind::budgets), WorkOutcome::open);
  EXPECT_EQ(work(control, WorkKind::stale_pods), WorkOutcome::open);
  create_or_update(control, false, budget(PodCount{1}));  // the version changes
  ASSERT_FALSE(answer(control, ControlResult::ok));
  EXPECT_EQ(control.queues.at(WorkKind::budgets).failures.size(), 1U);
  EXPECT_EQ(control.stored.pods.at("p").target->status, "True");
  ASSERT_FALSE(answer(control, ControlResult::ok));
  EXPECT_EQ(control.stored.pods.at("p").target->status, "False");
  EXPECT_TRUE(control.queues.at(WorkKind::stale_pods).failures.empty());
}

// BUD-STALE-1: a disruption that does not come is taken back after 2 minutes.
TEST(DisruptionController, TakesBackAStaleDisruption) {
  BudgetControl control;
  control.now_ns = k_begin;
  ControlledPod stale = pod("p");
  stale.target = DisruptionTarget{"True", "PreemptionByScheduler", k_begin - 60 * k_second};
  put(control, stale);
  EXPECT_EQ(work(control, WorkKind::stale_pods), WorkOutcome::idle);
  advance(control, 60 * k_second);
  EXPECT_EQ(work(control, WorkKind::stale_pods), WorkOutcome::done);
  EXPECT_EQ(control.stored.pods.at("p").target->status, "False");
}

// BUD-STALE-1, BUD-QUEUE-2: if the condition gets a later time, the pod has 2 minutes from that time. The
// controller still looks at the first deadline, to the nanosecond.
TEST(DisruptionController, WaitsForADisruptionThatIsAnnouncedAnew) {
  BudgetControl control;
  control.now_ns = k_begin;
  put(control, announced(k_begin));
  advance(control, 60 * k_second);
  put(control, announced(k_begin + 60 * k_second));
  advance(control, 60 * k_second - 1);
  EXPECT_EQ(work(control, WorkKind::stale_pods), WorkOutcome::idle);
  advance(control, 1);
  EXPECT_TRUE(cites(control, "BUD-QUEUE-2"));
  EXPECT_EQ(work(control, WorkKind::stale_pods), WorkOutcome::done);
  EXPECT_TRUE(control.calls.empty());
  EXPECT_TRUE(control.queues.at(WorkKind::stale_pods).failures.empty());
  advance(control, 60 * k_second);
  EXPECT_EQ(work(control, WorkKind::stale_pods), WorkOutcome::done);
  EXPECT_EQ(control.calls.size(), 1U);
}

// BUD-STALE-1: a disruption that has one nanosecond left is not taken back. The first write queues the pod,
// and the second one changes it before the controller looks.
TEST(DisruptionController, WaitsForTheLastNanosecondOfADisruption) {
  BudgetControl control;
  control.now_ns = k_begin;
  put(control, announced(k_begin - 120 * k_second));
  put(control, announced(k_begin - 120 * k_second + 1));
  EXPECT_EQ(work(control, WorkKind::stale_pods), WorkOutcome::done);
  EXPECT_TRUE(control.calls.empty());
}

// BUD-STALE-1: a disruption that was taken back is not stale. Its time has whole seconds.
TEST(DisruptionController, TakesBackADisruptionOnce) {
  BudgetControl control;
  control.now_ns = k_begin + k_second / 2;
  put(control, announced(k_begin - 120 * k_second));
  EXPECT_EQ(work(control, WorkKind::stale_pods), WorkOutcome::done);
  EXPECT_EQ(control.stored.pods.at("p").target->since_ns, k_begin);
  EXPECT_EQ(work(control, WorkKind::stale_pods), WorkOutcome::idle);
  put(control, announced(k_begin - 200 * k_second, "False"));
  EXPECT_EQ(work(control, WorkKind::stale_pods), WorkOutcome::idle);
}

// BUD-EVENT-1, BUD-STORE-1: the label that a pod has now counts; a write that changes nothing is none.
TEST(DisruptionController, QueuesTheBudgetThatSelectsThePod) {
  BudgetControl control = synced(budget(PodCount{0}), {pod("p")});
  settle_budgets(control);
  EXPECT_FALSE(create_or_update(control, false, pod("p")));
  EXPECT_TRUE(control.queues.at(WorkKind::budgets).ready.empty());
  ControlledPod other = pod("p");
  other.app = "other";
  create_or_update(control, false, other);
  EXPECT_TRUE(control.queues.at(WorkKind::budgets).ready.empty());
  create_or_update(control, false, pod("p"));
  EXPECT_EQ(control.queues.at(WorkKind::budgets).ready.size(), 1u);
}

// BUD-EVENT-1: the deletion of a pod queues its budget.
TEST(DisruptionController, QueuesTheBudgetOfAPodThatIsGone) {
  BudgetControl control = synced(budget(PodCount{0}), {pod("p")});
  settle_budgets(control);
  remove(control, ControlledKind::pod, "p", true);
  EXPECT_EQ(work(control, WorkKind::budgets), WorkOutcome::done);
  EXPECT_EQ(status(control).expected, 0);
}

// BUD-EVENT-1: objects of two kinds may have one name.
TEST(DisruptionController, TellsAPodFromAWorkloadOfItsName) {
  BudgetControl control = synced(budget(PodCount{0}), {pod("p")});
  put(control, Workload{"p", "p", 1, "", 0});
  EXPECT_TRUE(control.seen.pods.contains("p"));
  EXPECT_TRUE(control.seen.workloads.contains("p"));
}

// BUD-STORE-1: a write that changes nothing is none, of each kind; what does not exist cannot be written.
TEST(DisruptionController, RefusesWritesThatCannotBe) {
  BudgetControl control = synced(budget(PodCount{0}), {pod("p")});
  const Workload workload = control.stored.workloads.at("ReplicaSet/r");
  const Quantity writes = control.writes;
  EXPECT_FALSE(create_or_update(control, false, pod("p")));
  EXPECT_FALSE(create_or_update(control, false, budget(PodCount{0})));
  EXPECT_FALSE(create_or_update(control, false, workload));
  EXPECT_EQ(control.writes, writes);
  EXPECT_TRUE(create_or_update(control, true, pod("p")));
  EXPECT_TRUE(create_or_update(control, true, budget(PodCount{0})));
  EXPECT_TRUE(create_or_update(control, true, workload));
  EXPECT_TRUE(create_or_update(control, false, pod("none")));
  for (const ControlledKind kind : {ControlledKind::pod, ControlledKind::budget, ControlledKind::workload})
    EXPECT_TRUE(remove(control, kind, "none", true));
  EXPECT_TRUE(deliver(control, ControlledKind::pod, 0));
  EXPECT_FALSE(create_or_update(control, false, budget(PodCount{1})));
  EXPECT_EQ(control.stored.budgets.at("b").generation, 2);
  EXPECT_TRUE(evict(control, "p", "b"));  // the status is of the first generation
  work(control, WorkKind::budgets);
  EXPECT_TRUE(evict(control, "p", "b"));  // and the one of the second allows none
}

// BUD-STORE-1: a write of a workload that changes nothing is no event.
TEST(DisruptionController, SeesNoEventOfAWorkloadThatDidNotChange) {
  BudgetControl control = synced(budget(PodCount{0}), {pod("p")});
  hold_events(control, ControlledKind::workload);
  create_or_update(control, false, control.stored.workloads.at("ReplicaSet/r"));
  EXPECT_TRUE(control.held_events.at(ControlledKind::workload).empty());
}

// BUD-STORE-1: a new selector is a change of the specification of a budget.
TEST(DisruptionController, GivesABudgetWithANewSelectorANewGeneration) {
  BudgetControl control = synced(budget(PodCount{0}), {pod("p")});
  ASSERT_EQ(control.stored.budgets.at("b").generation, 1);
  ControlledBudget other = budget(PodCount{0});
  other.app = "other";
  create_or_update(control, false, other);
  EXPECT_EQ(control.stored.budgets.at("b").generation, 2);
}

// BUD-EVENT-1: objects that are gone. The write of a budget that is gone finds nothing.
TEST(DisruptionController, SeesThatObjectsAreGone) {
  BudgetControl control = synced(budget(PodCount{0}), {pod("p")});
  settle_budgets(control);
  hold_events(control, ControlledKind::budget);
  hold_events(control, ControlledKind::pod);
  ControlledPod unready = pod("p");
  unready.ready = false;
  create_or_update(control, false, unready);
  remove(control, ControlledKind::pod, "p", false);
  EXPECT_TRUE(control.stored.pods.at("p").terminating);
  remove(control, ControlledKind::budget, "b", true);
  ASSERT_FALSE(deliver(control, ControlledKind::pod, 1));
  control.calls.clear();
  work(control, WorkKind::budgets);
  ASSERT_EQ(control.calls.size(), 2u);
  EXPECT_EQ(control.calls[1].result, "NotFound");
  ASSERT_FALSE(deliver(control, ControlledKind::budget, 0));
  remove(control, ControlledKind::pod, "p", true);
  remove(control, ControlledKind::workload, "ReplicaSet/r", true);
  ASSERT_FALSE(deliver(control, ControlledKind::pod, 0));
  EXPECT_TRUE(control.seen.pods.empty());
  EXPECT_TRUE(control.seen.workloads.empty());
  EXPECT_EQ(work(control, WorkKind::budgets), WorkOutcome::done);
}

// BUD-WRITE-1: the controller writes the pod that it has seen. A pod that has changed since is left alone.
TEST(DisruptionController, TakesBackNoDisruptionOfAPodThatHasChanged) {
  for (const bool is_gone : {false, true}) {
    BudgetControl control;
    control.now_ns = k_begin;
    ControlledPod stale = pod("p");
    stale.target = DisruptionTarget{"True", "PreemptionByScheduler", k_begin - 120 * k_second};
    put(control, stale);
    hold_events(control, ControlledKind::pod);
    stale.ready = false;
    create_or_update(control, false, stale);
    if (is_gone) remove(control, ControlledKind::pod, "p", true);
    work(control, WorkKind::stale_pods);
    ASSERT_EQ(control.calls.size(), 1u);
    EXPECT_EQ(control.calls.front().result, is_gone ? "NotFound" : "Conflict");
    if (!is_gone) EXPECT_EQ(control.stored.pods.at("p").target->status, "True");
  }
}

// BUD-STALE-1: not for pods that end, that have ended, or that the kubelet ends; and not if it is announced
// anew.
TEST(DisruptionController, LeavesOtherDisruptionsAlone) {
  const auto outcome_of = [](const std::function<void(ControlledPod&)>& changed) {
    BudgetControl control;
    control.now_ns = k_begin;
    ControlledPod stale = pod("p");
    stale.target = DisruptionTarget{"True", "PreemptionByScheduler", k_begin};
    put(control, stale);
    advance(control, 120 * k_second);
    changed(stale);
    put(control, stale);
    work(control, WorkKind::stale_pods);
    return control.stored.pods.at("p").target.value_or(DisruptionTarget{}).status;
  };
  EXPECT_EQ(outcome_of([](ControlledPod&) {}), "False");
  EXPECT_EQ(outcome_of([](ControlledPod& pod) { pod.terminating = true; }), "True");
  EXPECT_EQ(outcome_of([](ControlledPod& pod) { pod.phase = "Failed"; }), "True");
  EXPECT_EQ(outcome_of([](ControlledPod& pod) { pod.phase = "Succeeded"; }), "True");
  EXPECT_EQ(outcome_of([](ControlledPod& pod) { pod.target->reason = "TerminationByKubelet"; }), "True");
  EXPECT_EQ(outcome_of([](ControlledPod& pod) { pod.target->status = "False"; }), "False");
  EXPECT_EQ(outcome_of([](ControlledPod& pod) { pod.target.reset(); }), "");
  EXPECT_EQ(outcome_of([](ControlledPod& pod) { pod.target->since_ns += 60 * k_second; }), "True");
}

// BUD-QUEUE-3: the sync of a budget that is gone succeeds, and is not repeated.
TEST(DisruptionController, DoesNotTryAgainForABudgetThatIsGone) {
  BudgetControl control = synced(budget(PodCount{0}), {pod("p")});
  settle_budgets(control);
  remove(control, ControlledKind::budget, "b", true);
  EXPECT_EQ(work(control, WorkKind::budgets), WorkOutcome::done);
  EXPECT_FALSE(next_ready(control.queues.at(WorkKind::budgets)));
  EXPECT_TRUE(control.queues.at(WorkKind::budgets).failures.empty());
}

}  // namespace touchstone::tests::budget_control_test
