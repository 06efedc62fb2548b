#include "reference/controllers/budget_control.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "reference/controllers/budget_store.hpp"

namespace touchstone::tests::budget_control_test {

using namespace reference;

constexpr Quantity k_second = 1'000'000'000;
constexpr Quantity k_begin = 1'000 * k_second;

ControlledPod pod(const std::string& name, const std::string& owner = "ReplicaSet/r") {
  ControlledPod pod;
  pod.name = name;
  pod.app = "a";
  pod.ready = true;
  pod.phase = "Running";
  pod.owner = owner;
  return pod;
}

ControlledBudget budget(std::optional<PodCount> least, std::optional<PodCount> most = {}) {
  ControlledBudget budget;
  budget.name = "b";
  budget.app = "a";
  budget.min_available = least;
  budget.max_unavailable = most;
  return budget;
}

/// A controller that has seen a budget and pods, and synced the budget.
BudgetControl synced(const ControlledBudget& budget, const std::vector<ControlledPod>& pods,
                     const std::vector<Workload>& workloads = {{"ReplicaSet/r", "ReplicaSet/r", 4, "", 0}}) {
  BudgetControl control;
  control.now_ns = k_begin;
  for (const Workload& workload : workloads) put(control, workload);
  put(control, budget);
  for (const ControlledPod& each : pods) put(control, each);
  work(control, WorkKind::budgets);
  return control;
}

const BudgetStatus& status(const BudgetControl& control) { return control.stored.budgets.at("b").status; }

// BUD-HEALTHY-1, BUD-ALLOWED-1: a pod that terminates is not healthy, one that has ended is expected.
TEST(DisruptionController, CountsHealthyPods) {
  ControlledPod ending = pod("p2");
  ending.terminating = true;
  ControlledPod ended = pod("p3");
  ended.ready = false;
  ended.phase = "Succeeded";
  const BudgetControl control = synced(budget(PodCount{0}), {pod("p1"), ending, ended});
  EXPECT_EQ(status(control).healthy, 1);
  EXPECT_EQ(status(control).expected, 3);
  EXPECT_EQ(status(control).allowed, 1);
  EXPECT_EQ(status(control).condition->reason, "SufficientPods");
}

// BUD-DESIRED-1: percentages are rounded up.
TEST(DisruptionController, TakesPercentagesOfTheScale) {
  EXPECT_EQ(status(synced(budget(PodCount{33, true}), {pod("p")})).desired, 2);
  EXPECT_EQ(status(synced(budget({}, PodCount{33, true}), {pod("p")})).desired, 2);
  EXPECT_EQ(status(synced(budget({}, PodCount{9}), {pod("p")})).desired, 0);
}

// BUD-SCALE-1: the replicas of a Deployment count for its ReplicaSets; other kinds are asked for in the API.
TEST(DisruptionController, FindsTheScale) {
  const std::vector<Workload> workloads = {{"ReplicaSet/r", "ReplicaSet/r", 4, "Deployment/d", 0},
                                           {"Deployment/d", "Deployment/d", 7, "", 0},
                                           {"Widget/w", "Widget/w", 2, "", 0}};
  const auto expected = [&](const std::vector<ControlledPod>& pods) {
    return status(synced(budget({}, PodCount{0}), pods, workloads)).expected;
  };
  EXPECT_EQ(expected({pod("p"), pod("q")}), 7);
  EXPECT_EQ(expected({pod("p"), pod("q", "Widget/w"), pod("r", "Widget/w"), pod("s", "")}), 9);
}

// BUD-FAIL-1: a controller of pods that does not exist, or has another UID.
TEST(DisruptionController, AllowsNothingIfTheScaleCannotBeFound) {
  const std::vector<Workload> others = {{"ReplicaSet/r", "another", 4, "", 0}};
  const BudgetControl control = synced(budget({}, PodCount{1}), {pod("p")}, others);
  EXPECT_EQ(status(control).condition->reason, "SyncFailed");
  EXPECT_TRUE(control.queues.at(WorkKind::budgets).failures.empty());
}

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

// BUD-DISRUPTED-1: an evicted pod is not healthy for 2 minutes; then the controller looks again.
TEST(DisruptionController, CountsEvictedPodsAsGoneForTwoMinutes) {
  BudgetControl control = synced(budget(PodCount{0}), {pod("p")});
  work(control, WorkKind::budgets);
  ASSERT_FALSE(evict(control, "p", "b"));
  EXPECT_TRUE(evict(control, "p", "none"));
  work(control, WorkKind::budgets);
  EXPECT_EQ(status(control).healthy, 0);
  work(control, WorkKind::budgets);
  advance(control, 120 * k_second);
  EXPECT_EQ(work(control, WorkKind::rechecks), WorkOutcome::done);
  advance(control, 5'000'000);
  work(control, WorkKind::budgets);
  EXPECT_EQ(status(control).healthy, 1);
  EXPECT_TRUE(status(control).evicted_ns.empty());
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

// BUD-EVENT-1, BUD-STORE-1: the label that a pod has now counts; a write that changes nothing is none.
TEST(DisruptionController, QueuesTheBudgetThatSelectsThePod) {
  BudgetControl control = synced(budget(PodCount{0}), {pod("p")});
  while (work(control, WorkKind::budgets) != WorkOutcome::idle) continue;
  EXPECT_FALSE(create_or_update(control, false, pod("p")));
  EXPECT_TRUE(control.queues.at(WorkKind::budgets).ready.empty());
  ControlledPod other = pod("p");
  other.app = "other";
  create_or_update(control, false, other);
  EXPECT_TRUE(control.queues.at(WorkKind::budgets).ready.empty());
  create_or_update(control, false, pod("p"));
  EXPECT_EQ(control.queues.at(WorkKind::budgets).ready.size(), 1u);
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

// BUD-EVENT-1: objects that are gone. The write of a budget that is gone finds nothing.
TEST(DisruptionController, SeesThatObjectsAreGone) {
  BudgetControl control = synced(budget(PodCount{0}), {pod("p")});
  while (work(control, WorkKind::budgets) != WorkOutcome::idle) continue;
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

// BUD-DISRUPTED-1: entries of pods that end, and old ones, are dropped; the first to expire sets the time.
TEST(DisruptionController, KeepsTheEntriesThatStillCount) {
  ControlledBudget granted = budget(PodCount{0});
  granted.status.evicted_ns = {{"p1", k_begin},
                               {"p2", k_begin - 60 * k_second},
                               {"p3", k_begin - 121 * k_second},
                               {"p4", k_begin - 120 * k_second},
                               {"p5", k_begin},
                               {"p6", k_begin}};
  ControlledPod ending = pod("p5");
  ending.terminating = true;
  BudgetControl control;
  control.now_ns = k_begin;
  for (const ControlledPod& each : {pod("p2"), pod("p1"), pod("p3"), pod("p4"), ending, pod("p6")})
    put(control, each);
  put(control, granted);
  work(control, WorkKind::budgets);
  EXPECT_EQ(status(control).evicted_ns.size(), 4u);
  EXPECT_EQ(status(control).healthy, 2);  // p3 and p4
  work(control, WorkKind::budgets);
  EXPECT_EQ(work(control, WorkKind::rechecks), WorkOutcome::done);  // that of p4 is due
}

// BUD-DESIRED-1: a budget without a number expects no pod.
TEST(DisruptionController, ExpectsNothingWithoutANumber) {
  const BudgetControl control = synced(budget({}), {pod("p")});
  EXPECT_EQ(status(control).expected, 0);
  EXPECT_EQ(status(control).allowed, 0);
}

// BUD-QUEUE-2: the earliest of many keys.
TEST(WorkQueues, WakeTheEarliestFirst) {
  WorkQueue queue;
  for (const Quantity at : {50, 20, 70, 10, 60, 30, 40, 80, 30})
    add_after(queue, "k" + std::to_string(queue.waiting.size()), at, 0);
  for (Quantity last = 0; next_ready(queue); wake(queue, last)) {
    EXPECT_LT(last, *next_ready(queue));
    last = *next_ready(queue);
  }
  EXPECT_EQ(queue.ready.size(), 9u);
  EXPECT_EQ(queue.ready.front(), "k3");
}

// BUD-QUEUE-2: if a key waits already, the earlier time counts.
TEST(WorkQueues, KeepTheEarlierTime) {
  WorkQueue queue;
  add_after(queue, "a", 60, 0);
  add_after(queue, "b", 30, 0);
  add_after(queue, "c", 45, 0);
  add_after(queue, "a", 120, 0);
  add_after(queue, "a", 10, 0);
  EXPECT_EQ(next_ready(queue), 10);
  wake(queue, 40);
  EXPECT_EQ(queue.ready, (std::deque<std::string>{"a", "b"}));
  wake(queue, 45);
  EXPECT_FALSE(next_ready(queue));
}

// BUD-QUEUE-1: a key that is added while it is processed is ready again when that is done.
TEST(WorkQueues, RepeatAKeyThatWasAddedMeanwhile) {
  WorkQueue queue;
  add(queue, "a");
  add(queue, "a");
  EXPECT_EQ(take(queue), "a");
  add(queue, "a");
  EXPECT_TRUE(queue.ready.empty());
  done(queue, "a");
  EXPECT_EQ(queue.ready.size(), 1u);
}

// BUD-QUEUE-3: at most 1000 s.
TEST(WorkQueues, WaitAtMostThousandSeconds) {
  WorkQueue queue;
  queue.failures["a"] = 17;
  add_rate_limited(queue, "a", 0);
  EXPECT_EQ(next_ready(queue), 655'360'000'000);
  WorkQueue other;
  other.failures["a"] = 18;
  add_rate_limited(other, "a", 0);
  EXPECT_EQ(next_ready(other), 1'000 * k_second);
}

// BUD-QUEUE-3: the sync of a budget that is gone succeeds, and is not repeated.
TEST(DisruptionController, DoesNotTryAgainForABudgetThatIsGone) {
  BudgetControl control = synced(budget(PodCount{0}), {pod("p")});
  while (work(control, WorkKind::budgets) != WorkOutcome::idle) continue;
  remove(control, ControlledKind::budget, "b", true);
  EXPECT_EQ(work(control, WorkKind::budgets), WorkOutcome::done);
  EXPECT_FALSE(next_ready(control.queues.at(WorkKind::budgets)));
  EXPECT_TRUE(control.queues.at(WorkKind::budgets).failures.empty());
}

// BUD-SCALE-1: the replicas of a ReplicaSet without a Deployment are those that the controller has seen.
TEST(DisruptionController, TakesTheScaleThatItHasSeen) {
  for (const char* owner : {"", "Rollout/o"}) {
    BudgetControl control =
        synced(budget({}, PodCount{1}), {pod("p")}, {{"ReplicaSet/r", "ReplicaSet/r", 4, owner, 0}});
    while (work(control, WorkKind::budgets) != WorkOutcome::idle) continue;
    hold_events(control, ControlledKind::workload);
    put(control, Workload{"ReplicaSet/r", "ReplicaSet/r", 9, owner, 0});
    ControlledPod unready = pod("p");
    unready.ready = false;
    put(control, unready);
    work(control, WorkKind::budgets);
    EXPECT_EQ(status(control).healthy, 0) << owner;
    EXPECT_EQ(status(control).expected, 4) << owner;
  }
}

// BUD-ALLOWED-1: the condition has the time since which it has its status.
TEST(DisruptionController, DatesItsConditionByTheStatus) {
  BudgetControl control = synced(budget(PodCount{1}), {pod("p"), pod("q")});
  EXPECT_EQ(status(control).condition->since_ns, k_begin);
  for (const bool ready : {true, false, true}) {
    const AllowedCondition before = *status(control).condition;
    control.now_ns += k_second;
    ControlledPod changed = pod("q");
    changed.ready = ready;
    put(control, changed);
    while (work(control, WorkKind::budgets) != WorkOutcome::idle) continue;
    const AllowedCondition now = *status(control).condition;
    EXPECT_EQ(now.status, ready ? "True" : "False");
    EXPECT_EQ(now.since_ns, now.status == before.status ? before.since_ns : control.now_ns);
  }
}

// BUD-QUEUE-2: keys become ready in the order of their times, in whatever order they were added.
TEST(WorkQueues, WakeInTheOrderOfTheTimes) {
  std::string added = "abcdefg";
  do {
    WorkQueue queue;
    for (const char key : added) add_after(queue, std::string(1, key), key - 'a' + 1, 0);
    for (Quantity now_ns = 1; now_ns <= 7; ++now_ns) wake(queue, now_ns);
    ASSERT_EQ(queue.ready, (std::deque<std::string>{"a", "b", "c", "d", "e", "f", "g"})) << added;
  } while (std::next_permutation(added.begin(), added.end()));
}

}  // namespace touchstone::tests::budget_control_test
