// goes into tests/reference/queue/queued_group_preemption_test.cpp
#include <gtest/gtest.h>

#include <algorithm>

#include "reference/queue/cycle_run.hpp"
#include "tests/support/queued_groups.hpp"

namespace touchstone::tests::queued_group_preemption_test {

using namespace queued_groups;

// ---- new from here on ----

// QUE-PREEMPT-4, QUE-ENTITY-8: the message of a victim says that its preemptor is a group.
TEST(QueuedGroups, MarkTheirVictims) {
  Play play = with_queued_groups();
  play.node("n1", 1000);
  writes(play, single("v", 1, 1000, "n1"));
  writes(play, group_of({}));
  writes(play, member("a"));
  EXPECT_EQ(cycles(play), CycleOutcome::nominated);
  EXPECT_EQ(reference::find_pod(play.world.stored.pods, "default", "v")->messages.at("DisruptionTarget"),
            "default-scheduler: preempting to accommodate a higher priority podgroup");
}

// QUE-SETTLE-1, QUE-ENTITY-8: each step is enabled once, also that of the preemption of a group.
TEST(QueuedGroups, HaveOneStepForTheirPreemption) {
  Play play = with_queued_groups();
  play.node("n1", 1000);
  writes(play, single("v", 1, 1000, "n1"));
  writes(play, group_of({}));
  writes(play, member("a"));
  CanonicalChoices choices;
  ASSERT_TRUE(reference::begin_cycle(play.world, "", choices));
  const std::vector<reference::StepId> steps = reference::enabled_steps(play.world);
  const reference::StepId preempts{reference::StepId::Kind::preemption, 0, 0, false};
  EXPECT_EQ(std::count(steps.begin(), steps.end(), preempts), 1);
}

// QUE-ENTITY-8, QUE-PREEMPT-2: a group preempts while the preemption of a pod waits.
TEST(QueuedGroups, PreemptBesideAPod) {
  Play play = with_queued_groups();
  play.node("n1", 1000).node("n2", 1000);
  writes(play, single("v", 1, 1000, "n1"));
  writes(play, single("w", 5, 1000, "n2"));
  writes(play, single("p", 20));
  play.holds(CallKind::remove, "v");
  EXPECT_EQ(cycles(play), CycleOutcome::nominated);
  ASSERT_EQ(play.nominated("p"), "n1");
  writes(play, group_of({}));
  writes(play, member("a"));
  EXPECT_EQ(cycles(play), CycleOutcome::nominated);
  EXPECT_TRUE(play.stored("w").terminating);
}

}  // namespace touchstone::tests::queued_group_preemption_test
