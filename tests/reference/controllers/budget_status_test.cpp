#include "reference/controllers/budget_status.hpp"

#include <gtest/gtest.h>

#include "tests/reference/controllers/budgets.hpp"

/// The status of a budget: its scale, its healthy pods, and the disruptions that it allows.
namespace touchstone::tests::budget_status_test {

using namespace budgets;

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

// BUD-HEALTHY-1: a budget without a selector selects no pod, not even one without labels.
TEST(DisruptionController, SelectsNothingWithoutASelector) {
  ControlledBudget bare = budget(PodCount{0});
  bare.app.clear();
  ControlledPod unlabelled = pod("p");
  unlabelled.app.clear();
  EXPECT_EQ(status(synced(bare, {unlabelled})).expected, 0);
}

// BUD-DESIRED-1: percentages are rounded up.
TEST(DisruptionController, TakesPercentagesOfTheScale) {
  EXPECT_EQ(status(synced(budget(PodCount{33, true}), {pod("p")})).desired, 2);
  EXPECT_EQ(status(synced(budget({}, PodCount{33, true}), {pod("p")})).desired, 2);
  EXPECT_EQ(status(synced(budget({}, PodCount{9}), {pod("p")})).desired, 0);
}

// BUD-DESIRED-1: a part of a pod counts as one pod, and a whole number of pods stays.
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

// BUD-SCALE-1: the replicas of a Deployment count for its ReplicaSets; other kinds are asked for in the
// API.
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

// BUD-SCALE-1: p is of a ReplicaSet of the Deployment, q of the Deployment itself. The scale that was found
// for p counts for q, too: it is not added again, and the API, which has 9 by then, is not asked.
TEST(DisruptionController, LooksForEachScaleOnce) {
  BudgetControl control = synced(
      budget({}, PodCount{1}), {pod("p"), pod("q", "Deployment/d")},
      {{"ReplicaSet/r", "ReplicaSet/r", 4, "Deployment/d", 0}, {"Deployment/d", "Deployment/d", 7, "", 0}});
  settle_budgets(control);
  hold_events(control, ControlledKind::workload);
  put(control, Workload{"Deployment/d", "Deployment/d", 9, "", 0});
  ControlledPod unready = pod("p");
  unready.ready = false;
  put(control, unready);
  work(control, WorkKind::budgets);
  EXPECT_EQ(status(control).healthy, 1);
  EXPECT_EQ(status(control).expected, 7);
}

// BUD-FAIL-1: the object that has the name of the pod's controller has another UID.
TEST(DisruptionController, AllowsNothingIfTheScaleCannotBeFound) {
  const std::vector<Workload> others = {{"ReplicaSet/r", "another", 4, "", 0}};
  const BudgetControl control = synced(budget({}, PodCount{1}), {pod("p")}, others);
  EXPECT_EQ(status(control).condition->reason, "SyncFailed");
  EXPECT_EQ(status(control).allowed, 0);
  EXPECT_TRUE(control.queues.at(WorkKind::budgets).failures.empty());
}

// BUD-SCALE-1, BUD-FAIL-1: the pod's controller does not exist: the disruption controller has not seen it,
// and the API does not have it.
TEST(DisruptionController, AllowsNothingWithoutAControllerOfThePods) {
  const BudgetControl control = synced(budget({}, PodCount{1}), {pod("p", "ReplicaSet/none")});
  EXPECT_EQ(status(control).condition->reason, "SyncFailed");
  EXPECT_EQ(status(control).allowed, 0);
  EXPECT_TRUE(cites(control, "BUD-SCALE-1"));
}

// BUD-SCALE-1: the controller looks for the scale when the budget needs it, although it did not before.
TEST(DisruptionController, LooksForTheScaleOnceABudgetNeedsIt) {
  BudgetControl control = synced(budget(PodCount{0}), {pod("p", "ReplicaSet/none")});
  settle_budgets(control);
  create_or_update(control, false, budget({}, PodCount{1}));
  control.clauses.clear();
  work(control, WorkKind::budgets);
  EXPECT_EQ(status(control).condition->reason, "SyncFailed");
  EXPECT_TRUE(cites(control, "BUD-SCALE-1"));
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

// BUD-DISRUPTED-1: an eviction uses up one allowed disruption, and its time has whole seconds. The first
// sync after it decides when the controller looks again.
TEST(DisruptionController, LooksAgainAfterTheSyncThatFollowsAnEviction) {
  BudgetControl control = synced(budget(PodCount{0}), {pod("p"), pod("q")});
  settle_budgets(control);
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

// BUD-SCALE-1: the scale of a ReplicaSet that no Deployment controls is the one that the disruption
// controller has seen, also if an object of another kind controls it.
TEST(DisruptionController, TakesTheScaleThatItHasSeen) {
  for (const char* owner : {"", "Rollout/o"}) {
    BudgetControl control =
        synced(budget({}, PodCount{1}), {pod("p")}, {{"ReplicaSet/r", "ReplicaSet/r", 4, owner, 0}});
    settle_budgets(control);
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

// BUD-SCALE-1: the same for each kind of controller of pods that the disruption controller watches.
TEST(DisruptionController, TakesTheScaleOfEachWatchedKindThatItHasSeen) {
  for (const char* owner : {"ReplicaSet/r", "StatefulSet/s", "ReplicationController/c"}) {
    BudgetControl control = synced(budget({}, PodCount{1}), {pod("p", owner)}, {{owner, owner, 4, "", 0}});
    settle_budgets(control);
    hold_events(control, ControlledKind::workload);
    put(control, Workload{owner, owner, 9, "", 0});
    ControlledPod unready = pod("p", owner);
    unready.ready = false;
    put(control, unready);
    work(control, WorkKind::budgets);
    EXPECT_EQ(status(control).expected, 4) << owner;
  }
}

// BUD-WRITE-1: the condition has the time since which it has its status.
TEST(DisruptionController, DatesItsConditionByTheStatus) {
  BudgetControl control = synced(budget(PodCount{1}), {pod("p"), pod("q")});
  EXPECT_EQ(status(control).condition->since_ns, k_begin);
  for (const bool ready : {true, false, true}) {
    const AllowedCondition before = *status(control).condition;
    control.now_ns += k_second;
    ControlledPod changed = pod("q");
    changed.ready = ready;
    put(control, changed);
    settle_budgets(control);
    const AllowedCondition now = *status(control).condition;
    EXPECT_EQ(now.status, ready ? "True" : "False");
    EXPECT_EQ(now.since_ns, now.status == before.status ? before.since_ns : control.now_ns);
  }
}

}  // namespace touchstone::tests::budget_status_test
