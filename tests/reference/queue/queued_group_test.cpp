#include <gtest/gtest.h>

#include "reference/queue/group_queue.hpp"
#include "reference/queue/play.hpp"
#include "reference/queue/scheduling_queue.hpp"
#include "spec/releases/feature_gates.hpp"
#include "tests/support/queued_groups.hpp"

namespace touchstone::tests::queued_group_test {

using namespace queued_groups;

constexpr Quantity k_second = 1'000'000'000;

// QUE-ENTITY-1
TEST(QueuedGroups, HaveOneGateThatIsModelled) {
  const Release changed = with_gates_over_time(release("v1.37.2"), {{"GenericWorkload", true}}, "").value();
  EXPECT_TRUE(changed.groups_are_queued);
  EXPECT_TRUE(changed.unmodelled_gate.empty());
  EXPECT_EQ(with_gates_over_time(release("v1.37.2"),
                                 {{"GenericWorkload", true}, {"PodGroupPreemptionPolicy", true}}, "")
                .value()
                .unmodelled_gate,
            "PodGroupPreemptionPolicy=true");
}

// QUE-ENTITY-1: which of the incomplete pods comes first is chance, if their times differ.
TEST(QueuedGroups, GetTheTimeOfOneOfTheirPods) {
  Play play = with_queued_groups();
  writes(play, member("a"));
  play.advances(1'000);
  writes(play, member("b"));
  ScriptedChoices second({1});
  reference::play(play.world, WriteCommand{Verb::create, group_of({})}, second);
  ASSERT_EQ(play.world.queue.groups.size(), 1U);
  EXPECT_EQ(play.world.queue.groups[0].since_ns, play.world.now_ns);
}

// QUE-ENTITY-3: a pod comes before a group of the same priority and time by chance.
TEST(QueuedGroups, TieWithPods) {
  Play play = with_group(4000);
  PodObject alone = member("p");
  alone.pod_group.clear();
  writes(play, alone);
  CanonicalChoices first;
  EXPECT_EQ(reference::next_group_to_pop(play.world, first), nullptr);
  ScriptedChoices second({1, 0});
  EXPECT_EQ(reference::next_group_to_pop(play.world, second)->name, "g");
}

// QUE-ENTITY-3: a group cannot be told a node.
TEST(QueuedGroups, CannotBeToldANode) {
  Play play = with_group(4000);
  EXPECT_EQ(does(play, CycleCommand{"n1"}).error->code, "not-admissible");
  EXPECT_EQ(place_of(play, "a"), "active");
}

// QUE-ENTITY-3: pods that are in flight already leave a popped group.
TEST(QueuedGroups, DropPodsInFlight) {
  Play play = with_group(4000);
  play.world.queue.in_flight.push_back({"u-a", "default/a", {}});
  EXPECT_EQ(
      reference::pop_group(play.world, reference::GroupEntry(play.world.queue.groups[0]))->members.size(),
      1U);
  Play empty = with_group(4000, {});
  empty.world.queue.in_flight.push_back({"u-a", "default/a", {}});
  empty.world.queue.in_flight.push_back({"u-b", "default/b", {}});
  EXPECT_EQ(cycles(empty), CycleOutcome::idle);
  EXPECT_TRUE(empty.world.queue.groups.empty());
}

// QUE-ENTITY-6
TEST(QueuedGroups, BackOffByTheSquareRootOfTheirPods) {
  const Release release = with_queued_groups().world.release;
  reference::GroupEntry group{"default", "g"};
  group.since_ns = 0;
  EXPECT_EQ(reference::backoff_end_ns(group, release), 0);
  group.unschedulable_attempts = 9;
  const std::vector<Quantity> seconds = {10, 14, 17, 20, 22, 24, 26, 28, 30};
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    group.backoff_pods = static_cast<Quantity>(i) + 1;
    EXPECT_EQ(reference::backoff_end_ns(group, release), seconds[i] * k_second);
  }
  group.errors_in_a_row = 1;
  EXPECT_EQ(reference::backoff_end_ns(group, release), k_second);
}

// QUE-ENTITY-7
TEST(QueuedGroups, DoNotPreemptInAProfileWithoutPreemption) {
  Play play = with_group(1000);
  play.world.release.preempts = false;
  EXPECT_EQ(cycles(play), CycleOutcome::none);
  EXPECT_EQ(place_of(play, "a"), "backoff");
}

// QUE-ENTITY-7
TEST(QueuedGroups, SkipPreemptionForSpreading) {
  Play play = with_queued_groups();
  play.node("n1", 1000);
  writes(play, group_of({}));
  PodObject victim = member("v");
  victim.pod_group.clear();
  victim.pod.priority = 1;
  victim.pod.node_name = "n1";
  writes(play, victim);
  PodObject spread = member("a");
  TopologySpreadConstraint constraint;
  constraint.topology_key = "kubernetes.io/hostname";
  constraint.when_unsatisfiable = "DoNotSchedule";
  constraint.max_skew = 1;
  constraint.label_selector = LabelSelector{};
  spread.pod.topology_spread.push_back(constraint);
  writes(play, spread);
  EXPECT_EQ(cycles(play), CycleOutcome::skipped);
}

// QUE-PERMIT-1, QUE-GANG-3
TEST(QueuedGroups, SkipTwoWaits) {
  Play play = with_queued_groups();
  play.node("n1", 4000);
  writes(play, group_of(2));
  PodObject patient = member("a");
  patient.annotations["touchstone.dev/permit-seconds"] = "5";
  writes(play, patient);
  writes(play, member("b"));
  EXPECT_EQ(cycles(play), CycleOutcome::skipped);
}

}  // namespace touchstone::tests::queued_group_test
