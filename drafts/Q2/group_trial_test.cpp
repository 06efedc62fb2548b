// goes into tests/reference/queue/group_trial_test.cpp
#include <gtest/gtest.h>

#include "reference/queue/group_affinity.hpp"
#include "tests/support/pod_groups.hpp"

namespace touchstone::tests::group_trial_test {

using namespace pod_groups;

// ---- new from here on ----

namespace {

/// Picks the last choice of one kind, and the first one of all others.
class LastChoiceOf final : public Choices {
 public:
  explicit LastChoiceOf(std::string_view where) : where_(where) {}
  std::size_t pick(std::size_t n, std::string_view where) override { return where == where_ ? n - 1 : 0; }

 private:
  std::string_view where_;
};

Pod on_port(Pod made, Quantity port) {
  made.containers.at(0).ports = {{"TCP", "", port}};
  return made;
}

PodObject on_port(PodObject made, Quantity port) {
  made.pod = on_port(made.pod, port);
  return made;
}

}  // namespace

// QUE-GROUP-2: the pods of a group are tried in the order in which they were active first, not created.
TEST(PodGroups, TryPodsByTheirFirstTimeInTheActivePart) {
  Play play = with_groups();
  play.node("n1", 1000);
  writes(play, group_of(std::nullopt));
  PodObject late = member("a", 9);
  late.pod.scheduling_gates = {"g"};
  writes(play, late);
  play.advances(1'000);
  writes(play, member("b", 9));
  play.advances(1'000);
  late.pod.scheduling_gates.clear();
  writes(play, late, Verb::update);
  cycles(play);
  EXPECT_EQ(play.stored("b").node_name, "n1");
  EXPECT_EQ(play.stored("a").node_name, "");
}

// QUE-GROUP-2, QUE-ACTIVATE-1: a later activation does not change the order. The second cycle pops b, which
// activates a.
TEST(PodGroups, KeepTheirFirstTimeInTheActivePart) {
  Play play = with_groups();
  play.node("n1", 1000).creates(placed(pod("v", 99, 1000), "n1"));
  writes(play, group_of(std::nullopt));
  writes(play, member("a", 9));
  play.advances(1'000);
  writes(play, member("b", 9));
  EXPECT_EQ(cycles(play), CycleOutcome::none);
  ASSERT_EQ(play.place("a") + play.place("b"), "backoffbackoff");
  play.removes("v").advances(500);
  LastChoiceOf last("QUE-ORDER-1");
  const StepAnswer answer = reference::play(play.world, CycleCommand{}, last);
  EXPECT_EQ(answer.cycle->pod, "default/b");
  EXPECT_EQ(answer.wakes, (std::vector<Wake>{{"default/a", "a pod of its gang or its pod group"}}));
  EXPECT_EQ(play.stored("a").node_name, "n1");
  EXPECT_EQ(play.stored("b").node_name, "");
}

// QUE-GROUP-3, QUE-PREEMPT-5: a preemption that begins during the trial clears the nominations of lower pods.
TEST(PodGroups, ClearLowerNominationsDuringTheTrial) {
  Play play = with_groups({{"GenericWorkload", true}});
  play.node("n1", 2000).creates(placed(pod("v", 0, 2000), "n1"));
  Pod lower = pod("c", 5, 100);
  lower.nominated_node_name = "n1";
  play.creates(lower);
  writes(play, member("a", 20, 2000));
  EXPECT_EQ(cycles(play), CycleOutcome::nominated);
  EXPECT_EQ(play.stored("c").nominated_node_name, "");
  EXPECT_TRUE(play.stored("v").terminating);
}

// QUE-GROUP-3, QUE-PERMIT-4, QUE-GATE-3: the victim waits in Permit, so its preemption may be over before its
// preemptor is put back. Then nothing gates the preemptor, and it needs no event to leave the unschedulable
// part.
TEST(PodGroups, MayEndTheirPreemptionDuringTheTrial) {
  for (const bool is_during : {true, false}) {
    Play play = with_groups({{"GenericWorkload", true}});
    play.node("n1", 1000);
    PodObject waiting = member("v", 0, 1000, "");
    waiting.annotations = {{"touchstone.dev/permit-seconds", "60"}};
    writes(play, waiting);
    EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
    writes(play, member("a", 9));
    LastChoiceOf last(is_during ? "" : "QUE-GROUP-3");
    const StepAnswer answer = reference::play(play.world, CycleCommand{}, last);
    EXPECT_EQ(answer.cycle->outcome, CycleOutcome::nominated);
    EXPECT_EQ(answer.clauses.contains("QUE-GATE-3"), !is_during);
    EXPECT_EQ(answer.wakes.empty(), is_during);
  }
}

// QUE-GROUP-7: a pod that is added to the node ends that its ports are free, and so does one that is removed.
TEST(PodGroups, LeaveTheirPortsFreeUntilAPodOfTheNodeChanges) {
  enum class Change { nothing, addition, removal };
  for (const Change change : {Change::nothing, Change::addition, Change::removal}) {
    Play play = with_groups();
    play.node("n1", 4000).creates(placed(on_port(pod("v", 1, 0), 80), "n1"));
    play.creates(placed(pod("old", 1, 0), "n1"));
    writes(play, group_of(std::nullopt));
    play.holds(CallKind::patch, "v");
    writes(play, on_port(member("a", 9), 80));
    EXPECT_EQ(cycles(play), CycleOutcome::nominated);
    if (change == Change::addition) play.creates(placed(pod("new", 1, 0), "n1"));
    if (change == Change::removal) play.removes("old");
    play.creates(on_port(pod("q", 20, 0), 80));
    EXPECT_EQ(cycles(play), change == Change::nothing ? CycleOutcome::scheduled : CycleOutcome::nominated);
  }
}

// QUE-GROUP-7: a port that a trial left free is used in the next trial, by the pod that is placed there.
TEST(PodGroups, UseTheirPortsInTheNextTrial) {
  Play play = with_groups();
  play.node("n1", 4000);
  writes(play, group_of(2));
  for (const char* name : {"a", "b"}) writes(play, on_port(member(name, 9), 80));
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(cycles(play), CycleOutcome::none) << i;
    waits_and_flushes(play);
  }
}

// QUE-GROUP-7: a pod that a trial places on the node changes nothing there: other ports stay free.
TEST(PodGroups, LeaveOtherPortsFreeInTheNextTrial) {
  Play play = with_groups();
  play.node("n1", 4000).creates(placed(on_port(pod("v", 1, 0), 80), "n1"));
  writes(play, group_of(std::nullopt));
  writes(play, group_of(std::nullopt, "h"));
  play.holds(CallKind::patch, "v");
  writes(play, on_port(member("a", 9), 80));
  EXPECT_EQ(cycles(play), CycleOutcome::nominated);
  writes(play, member("c", 30, 0, "h"));
  writes(play, on_port(member("d", 20, 0, "h"), 80));
  EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
  EXPECT_EQ(play.stored("d").node_name, "n1");
}

}  // namespace touchstone::tests::group_trial_test
