#include "reference/queue/disruption_controller.hpp"

#include <gtest/gtest.h>

#include "tests/support/builder.hpp"

/// The status that the disruption controller writes.
namespace touchstone::tests::disruption_controller_test {

using reference::Budget;
using reference::BudgetStatus;
using reference::synced;

constexpr Quantity k_minute_ns = 60'000'000'000;

Pod ready(const std::string& name) {
  Pod made = with_app(pod(name, 0, 100), "a");
  made.conditions = {{"Initialized", "True", ""}, {"Ready", "True", ""}};
  return made;
}

Budget budget_of(std::optional<reference::PodCount> least, std::optional<reference::PodCount> most) {
  return {"default", LabelSelector{{{"app", "a"}}, {}}, least, most, {}};
}

// BUD-HEALTHY-1: ready pods that do not terminate and match.
TEST(DisruptionController, CountsHealthyPods) {
  Pod unready = ready("b");
  unready.conditions = {{"Ready", "False", ""}};
  Pod terminating = ready("c");
  terminating.terminating = true;
  Pod ended = ready("d");
  ended.phase = "Succeeded";
  Pod elsewhere = ready("e");
  elsewhere.ns = "other";
  const std::vector<Pod> pods = {ready("a"), unready,   terminating,
                                 ended,      elsewhere, with_app(ready("f"), "x")};
  const BudgetStatus status = synced(budget_of({{1}}, {}), pods, {}, 0);
  EXPECT_EQ(status.healthy, 1);
  EXPECT_EQ(status.expected, 3);
  Budget all = budget_of({{1}}, {});
  all.selector.reset();
  EXPECT_EQ(synced(all, pods, {}, 0).expected, 0);
}

// BUD-DESIRED-1, BUD-ALLOWED-1: numbers and percentages, rounded up.
TEST(DisruptionController, ComputesHowManyPodsShallBeHealthy) {
  const std::vector<Pod> pods = {ready("a"), ready("b"), ready("c")};
  const auto status = [&](std::optional<reference::PodCount> least, std::optional<reference::PodCount> most) {
    return synced(budget_of(least, most), pods, 3, 0);
  };
  EXPECT_EQ(status({{2}}, {}).allowed, 1);
  EXPECT_EQ(status({{5}}, {}).allowed, 0);
  EXPECT_EQ(status({{50, true}}, {}).desired, 2);
  EXPECT_EQ(status({}, {{50, true}}).desired, 1);
  EXPECT_EQ(status({}, {{1}}).desired, 2);
  EXPECT_EQ(status({}, {{7}}).desired, 0);
  EXPECT_EQ(synced(budget_of({}, {{1}}), pods, {}, 0).allowed, 0);
  EXPECT_EQ(synced(budget_of({}, {{1}}), pods, 0, 0).allowed, 0);
}

// BUD-DISRUPTED-1: an evicted pod does not count for two minutes.
TEST(DisruptionController, LeavesOutEvictedPodsForTwoMinutes) {
  Pod terminating = ready("c");
  terminating.terminating = true;
  const std::vector<Pod> pods = {ready("a"), ready("b"), terminating, ready("d")};
  Budget budget = budget_of({{1}}, {});
  budget.evicted_ns = {
      {"a", k_minute_ns}, {"b", 0}, {"c", k_minute_ns}, {"d", k_minute_ns}, {"gone", k_minute_ns}};
  const BudgetStatus early = synced(budget, pods, {}, k_minute_ns);
  EXPECT_EQ(early.healthy, 0);
  EXPECT_EQ(early.recheck_ns, 2 * k_minute_ns);
  const BudgetStatus later = synced(budget, pods, {}, 2 * k_minute_ns);
  EXPECT_EQ(later.healthy, 1);
  EXPECT_EQ(later.evicted_ns.size(), 2u);
  EXPECT_EQ(later.recheck_ns, 3 * k_minute_ns);
  EXPECT_FALSE(synced(budget, pods, {}, 3 * k_minute_ns).recheck_ns);
}

}  // namespace touchstone::tests::disruption_controller_test
