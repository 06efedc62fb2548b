// goes into tests/reference/controllers/budget_control_test.cpp
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

// ---- new from here on ----

bool cites(const BudgetControl& control, std::string_view clause) {
  return std::find(control.clauses.begin(), control.clauses.end(), clause) != control.clauses.end();
}

ControlledPod announced(Quantity since_ns, const std::string& value = "True") {
  ControlledPod made = pod("p");
  made.target = DisruptionTarget{value, "PreemptionByScheduler", since_ns};
  return made;
}

// BUD-STALE-1: a disruption that is announced anew gets 2 minutes more, to the nanosecond.
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

// BUD-STALE-1: a disruption that has one nanosecond left is not taken back.
TEST(DisruptionController, WaitsForTheLastNanosecondOfADisruption) {
  BudgetControl control;
  control.now_ns = k_begin;
  put(control, announced(k_begin - 120 * k_second));
  put(control, announced(k_begin - 120 * k_second + 1));
  EXPECT_EQ(work(control, WorkKind::stale_pods), WorkOutcome::done);
  EXPECT_TRUE(control.calls.empty());
}

// BUD-STALE-1: a disruption that was taken back is not stale. The condition has whole seconds.
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

// BUD-SCALE-1, BUD-FAIL-1: a controller of pods that does not exist, neither for the controller nor in the
// API.
TEST(DisruptionController, AllowsNothingWithoutAControllerOfThePods) {
  const BudgetControl control = synced(budget({}, PodCount{1}), {pod("p", "ReplicaSet/none")});
  EXPECT_EQ(status(control).condition->reason, "SyncFailed");
  EXPECT_TRUE(cites(control, "BUD-SCALE-1"));
}

// BUD-SCALE-1: also if the budget was synced by its number of pods before.
TEST(DisruptionController, LooksForTheScaleOnceABudgetNeedsIt) {
  BudgetControl control = synced(budget(PodCount{0}), {pod("p", "ReplicaSet/none")});
  while (work(control, WorkKind::budgets) != WorkOutcome::idle) continue;
  create_or_update(control, false, budget({}, PodCount{1}));
  control.clauses.clear();
  work(control, WorkKind::budgets);
  EXPECT_EQ(status(control).condition->reason, "SyncFailed");
  EXPECT_TRUE(cites(control, "BUD-SCALE-1"));
}

// BUD-SCALE-1: the controller reads the kinds of pod owners that it watches from what it has seen.
TEST(DisruptionController, TakesTheScaleOfEachWatchedKindThatItHasSeen) {
  for (const char* owner : {"ReplicaSet/r", "StatefulSet/s", "ReplicationController/c"}) {
    BudgetControl control = synced(budget({}, PodCount{1}), {pod("p", owner)}, {{owner, owner, 4, "", 0}});
    while (work(control, WorkKind::budgets) != WorkOutcome::idle) continue;
    hold_events(control, ControlledKind::workload);
    put(control, Workload{owner, owner, 9, "", 0});
    ControlledPod unready = pod("p", owner);
    unready.ready = false;
    put(control, unready);
    work(control, WorkKind::budgets);
    EXPECT_EQ(status(control).expected, 4) << owner;
  }
}

// BUD-SCALE-1: the scale of a Deployment that was found for one pod counts for all of its pods.
TEST(DisruptionController, LooksForEachScaleOnce) {
  BudgetControl control = synced(budget({}, PodCount{1}), {pod("p"), pod("q", "Deployment/d")},
                                 {{"ReplicaSet/r", "ReplicaSet/r", 4, "Deployment/d", 0},
                                  {"Deployment/d", "Deployment/d", 7, "", 0}});
  while (work(control, WorkKind::budgets) != WorkOutcome::idle) continue;
  hold_events(control, ControlledKind::workload);
  put(control, Workload{"Deployment/d", "Deployment/d", 9, "", 0});
  ControlledPod unready = pod("p");
  unready.ready = false;
  put(control, unready);
  work(control, WorkKind::budgets);
  EXPECT_EQ(status(control).healthy, 1);
  EXPECT_EQ(status(control).expected, 7);
}

// BUD-DESIRED-1: any part of a pod counts as one pod, and a whole number stays.
TEST(DisruptionController, RoundsPercentagesUp) {
  const auto desired = [](Quantity percent, Quantity replicas) {
    return status(synced(budget(PodCount{percent, true}), {pod("p")},
                         {{"ReplicaSet/r", "ReplicaSet/r", replicas, "", 0}}))
        .desired;
  };
  EXPECT_EQ(desired(1, 1), 1);
  EXPECT_EQ(desired(50, 4), 2);
  EXPECT_EQ(desired(51, 4), 3);
  EXPECT_EQ(desired(100, 300), 300);
}

// BUD-HEALTHY-1: a budget without a selector selects no pod, not even one without labels.
TEST(DisruptionController, SelectsNothingWithoutASelector) {
  ControlledBudget bare = budget(PodCount{0});
  bare.app.clear();
  ControlledPod unlabelled = pod("p");
  unlabelled.app.clear();
  EXPECT_EQ(status(synced(bare, {unlabelled})).expected, 0);
}

// BUD-EVENT-1: the deletion of a pod queues its budget.
TEST(DisruptionController, QueuesTheBudgetOfAPodThatIsGone) {
  BudgetControl control = synced(budget(PodCount{0}), {pod("p")});
  while (work(control, WorkKind::budgets) != WorkOutcome::idle) continue;
  remove(control, ControlledKind::pod, "p", true);
  EXPECT_EQ(work(control, WorkKind::budgets), WorkOutcome::done);
  EXPECT_EQ(status(control).expected, 0);
}

// BUD-EVENT-1: objects of two kinds may have one name.
TEST(DisruptionController, TellsAPodFromAWorkloadOfItsName) {
  BudgetControl control = synced(budget(PodCount{0}), {pod("p")});
  put(control, Workload{"p", "p", 1, "", 0});
  EXPECT_TRUE(control.seen.pods.contains("p"));
}

// BUD-WRITE-1: answers are for the oldest call. A call that the API server refuses has failed.
TEST(DisruptionController, HearsTheAnswerToTheOldestCall) {
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

// BUD-STORE-1: a write that changes nothing is no event, also of a controller of pods. A budget that selects
// other pods is another generation.
TEST(DisruptionController, CountsChangesAlone) {
  BudgetControl control = synced(budget(PodCount{0}), {pod("p")});
  hold_events(control, ControlledKind::workload);
  create_or_update(control, false, control.stored.workloads.at("ReplicaSet/r"));
  EXPECT_TRUE(control.held_events.at(ControlledKind::workload).empty());
  ControlledBudget other = budget(PodCount{0});
  other.app = "other";
  create_or_update(control, false, other);
  EXPECT_EQ(control.stored.budgets.at("b").generation, 2);
}

// BUD-DISRUPTED-1: an eviction uses up one disruption and is dated in whole seconds. The first sync after it
// decides when the controller looks again.
TEST(DisruptionController, LooksAgainAfterTheSyncThatFollowsAnEviction) {
  BudgetControl control = synced(budget(PodCount{0}), {pod("p"), pod("q")});
  while (work(control, WorkKind::budgets) != WorkOutcome::idle) continue;
  control.now_ns += k_second / 2;
  ASSERT_FALSE(evict(control, "p", "b"));
  EXPECT_EQ(status(control).allowed, 1);
  EXPECT_EQ(status(control).evicted_ns.at("p"), k_begin);
  ASSERT_FALSE(evict(control, "q", "b"));
  EXPECT_TRUE(evict(control, "q", "b"));
  control.clauses.clear();
  EXPECT_EQ(work(control, WorkKind::budgets), WorkOutcome::done);
  EXPECT_TRUE(cites(control, "BUD-DISRUPTED-1"));
  advance(control, 120 * k_second);
  EXPECT_EQ(work(control, WorkKind::rechecks), WorkOutcome::done);
}

// BUD-QUEUE-2: keys of one time become ready in the order in which the heap of client-go gives them.
TEST(WorkQueues, OrderEqualTimesLikeAHeap) {
  WorkQueue queue;
  for (const auto& [key, after_ns] :
       {std::pair("a", 1), std::pair("b", 3), std::pair("c", 1), std::pair("d", 1), std::pair("e", 1)})
    add_after(queue, key, after_ns, 0);
  EXPECT_TRUE(queue.ready.empty());
  wake(queue, 1);
  add_after(queue, "f", 5, 1);
  wake(queue, 9);
  EXPECT_EQ(queue.ready, (std::deque<std::string>{"a", "e", "d", "c", "b", "f"}));
}

// BUD-QUEUE-2: a later time does not replace an earlier one.
TEST(WorkQueues, IgnoreALaterTime) {
  WorkQueue queue;
  add_after(queue, "a", 60, 0);
  add_after(queue, "a", 120, 0);
  EXPECT_EQ(next_ready(queue), 60);
}

}  // namespace touchstone::tests::budget_control_test
