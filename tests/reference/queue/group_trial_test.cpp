#include <gtest/gtest.h>

#include "tests/reference/queue/choices_at.hpp"
#include "tests/support/pod_groups.hpp"

/// The order in which a cycle tries the pods of a group, and their preemptions.
namespace touchstone::tests::group_trial_test {

using namespace pod_groups;

namespace {

/// The nomination of b as the API has it in the end. a preempts v on n1, where b and c are nominated; a
/// and b are of a group. The preemption begins when the trial has tried so many pods; 3: after the trial.
std::string nomination_of_b(std::size_t tried) {
  class LateChoices final : public Choices {
   public:
    explicit LateChoices(std::size_t late) : late_(late) {}
    std::size_t pick(std::size_t, std::string_view where) override {
      return where == "QUE-GROUP-3" && ++asked_ != late_ ? 1 : 0;
    }

   private:
    std::size_t late_;
    std::size_t asked_ = 0;
  };
  Play play = with_groups({{"GenericWorkload", true}});
  play.node("n1", 3000).creates(placed(pod("v", 0, 2000), "n1"));
  writes(play, member("a", 20, 2000));
  PodObject lower = member("b", 10);
  lower.pod.nominated_node_name = "n1";
  writes(play, lower);
  Pod alone = pod("c", 5, 100);
  alone.nominated_node_name = "n1";
  play.creates(alone);
  LateChoices choices(tried);
  reference::play(play.world, CycleCommand{}, choices);
  EXPECT_TRUE(play.stored("v").terminating);
  EXPECT_EQ(play.stored("c").nominated_node_name, "");
  return play.stored("b").nominated_node_name;
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
  for (const char* name : {"a", "b"}) ASSERT_EQ(play.place(name), "backoff") << name;
  play.removes("v").advances(500);
  LastChoiceAt last("QUE-ORDER-1");
  const StepAnswer answer = reference::play(play.world, CycleCommand{}, last);
  EXPECT_EQ(answer.cycle->pod, "default/b");
  EXPECT_EQ(answer.wakes, (std::vector<Wake>{{"default/a", "a pod of its gang or its pod group"}}));
  EXPECT_EQ(play.stored("a").node_name, "n1");
  EXPECT_EQ(play.stored("b").node_name, "");
}

// QUE-GROUP-3, QUE-GROUP-4
TEST(PodGroups, WaitForTheirPreemptions) {
  Play play = with_groups();
  play.node("n1", 2000).creates(placed(pod("v", 1, 1000), "n1"));
  writes(play, group_of(2));
  writes(play, member("a", 9));
  writes(play, member("b", 8));
  writes(play, member("c", 7, 0));
  EXPECT_EQ(cycles(play), CycleOutcome::nominated);
  for (const char* name : {"a", "b", "c"}) EXPECT_EQ(play.nominated(name), "n1");
  EXPECT_TRUE(play.stored("v").terminating);
  EXPECT_EQ(play.place("a"), "backoff");
  play.removes("v");
  waits_and_flushes(play);
  EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
  EXPECT_EQ(play.stored("a").node_name, "n1");
  EXPECT_EQ(play.stored("b").node_name, "n1");
}

// QUE-GROUP-3: the victim goes, although the group does not fit.
TEST(PodGroups, PreemptBeforeTheVerdict) {
  Play play = with_groups();
  play.node("n1", 1000).creates(placed(pod("v", 1, 1000), "n1"));
  writes(play, group_of(2));
  writes(play, member("a", 9));
  writes(play, member("b", 8));
  EXPECT_EQ(cycles(play), CycleOutcome::none);
  EXPECT_TRUE(play.stored("v").terminating);
  EXPECT_EQ(play.nominated("a"), "");
  // The victim still terminates, so that no preemption begins.
  waits_and_flushes(play);
  EXPECT_EQ(cycles(play), CycleOutcome::none);
  EXPECT_TRUE(play.world.preemptions.empty());
}

// QUE-GROUP-3: a preemption that begins beside the trial clears no nomination of a pod of the group, for
// they are in no part of the queue.
TEST(PodGroups, PreemptBesideTheTrial) {
  EXPECT_EQ(nomination_of_b(1), "n1");
  EXPECT_EQ(nomination_of_b(2), "n1");
  EXPECT_EQ(nomination_of_b(3), "");
}

// QUE-GROUP-3: a preemption may begin beside the trial or after it. The cycle makes one choice of these two.
TEST(PodGroups, BeginAPreemptionBesideTheTrialOrNot) {
  Play play = with_groups({{"GenericWorkload", true}});
  play.node("n1", 1000).creates(placed(pod("v", 0, 1000), "n1"));
  writes(play, member("a", 20));
  FirstChoiceAt choices("QUE-GROUP-3");
  reference::play(play.world, CycleCommand{}, choices);
  EXPECT_EQ(choices.counts, std::vector<std::size_t>{2});
}

// QUE-GROUP-3: a second preemption may begin beside the trial, too. Then it does not clear the nomination
// of b, which is in no part of the queue.
TEST(PodGroups, PreemptTwiceBesideTheTrial) {
  Play play = with_groups({{"GenericWorkload", true}});
  for (const char* node : {"n1", "n2"}) {
    play.node(node, 3000).creates(placed(pod(std::string("v-") + node, 0, 2000), node));
    PodObject preemptor = member(std::string("p-") + node, 20, 2000);
    preemptor.pod.node_selector = {{"kubernetes.io/hostname", node}};
    writes(play, preemptor);
  }
  PodObject lower = member("b", 10);
  lower.pod.node_selector = {{"kubernetes.io/hostname", "n2"}};
  lower.pod.nominated_node_name = "n2";
  writes(play, lower);
  cycles(play);
  EXPECT_TRUE(play.stored("v-n1").terminating);
  EXPECT_TRUE(play.stored("v-n2").terminating);
  EXPECT_EQ(play.stored("b").nominated_node_name, "n2");
}

// QUE-GROUP-3, QUE-PREEMPT-5: a preemption that begins during the trial clears the nominations of lower
// pods.
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

// QUE-GROUP-3, QUE-PERMIT-4, QUE-GATE-3: the victim waits in Permit, so its preemption may be over before
// its preemptor is put back. Then nothing gates the preemptor, and it needs no event to leave the
// unschedulable part.
TEST(PodGroups, MayEndTheirPreemptionDuringTheTrial) {
  for (const bool is_during : {true, false}) {
    Play play = with_groups({{"GenericWorkload", true}});
    play.node("n1", 1000);
    writes(play, patient(member("v", 0, 1000, "")));
    EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
    writes(play, member("a", 9));
    LastChoiceAt last(is_during ? "" : "QUE-GROUP-3");
    const StepAnswer answer = reference::play(play.world, CycleCommand{}, last);
    EXPECT_EQ(answer.cycle->outcome, CycleOutcome::nominated);
    EXPECT_EQ(answer.clauses.contains("QUE-GATE-3"), !is_during);
    EXPECT_EQ(answer.wakes.empty(), is_during);
  }
}

// QUE-GROUP-3: the nomination of a placed pod is the one of its object.
TEST(PodGroups, NominateByObjectsAfterTheTrial) {
  Play play = with_groups();
  play.node("n1", 1000);
  writes(play, group_of(2));
  PodObject nominated = member("a", 9);
  nominated.pod.nominated_node_name = "n1";
  writes(play, nominated);
  writes(play, member("b", 8));
  play.holds(CallKind::patch, "a");
  EXPECT_EQ(cycles(play), CycleOutcome::open);
  EXPECT_EQ(play.nominated("a"), "");
  EXPECT_EQ(play.stored("a").nominated_node_name, "n1");
}

// QUE-GROUP-3: an error of the cycle of one pod.
TEST(PodGroups, ErrOrAreNotModelledLikeTheirPods) {
  Play errs = with_group(4000);
  errs.node("n2", 4000);
  errs.world.release.prescore_error = "no state";
  EXPECT_EQ(cycles(errs), CycleOutcome::error);
  EXPECT_EQ(errs.stored("a").conditions.at(0).reason, "SchedulerError");
  Play play = with_group(4000);
  PodObject with_claims = member("c", 7);
  with_claims.pod.resource_claims = {"c"};
  writes(play, with_claims);
  EXPECT_EQ(cycles(play), CycleOutcome::skipped);
}

// QUE-GROUP-3: a pod that is not modelled ends the trial. A pod that it placed is nominated as before.
TEST(PodGroups, EndTheTrialAtAPodThatIsNotModelled) {
  Play play = with_groups();
  play.node("n1", 4000);
  writes(play, group_of(2));
  PodObject nominated = member("a", 9);
  nominated.pod.nominated_node_name = "n1";
  writes(play, nominated);
  PodObject with_claims = member("b", 8);
  with_claims.pod.resource_claims = {"c"};
  writes(play, with_claims);
  writes(play, member("c", 7));
  EXPECT_EQ(cycles(play), CycleOutcome::skipped);
  EXPECT_EQ(play.nominated("a"), "n1");
}

// QUE-GROUP-3
TEST(PodGroups, WithOtherWaitsAreNotModelled) {
  Play play = with_group(4000);
  writes(play, patient(member("c", 7)));
  EXPECT_EQ(cycles(play), CycleOutcome::skipped);
}

// QUE-GROUP-3: the result says what is not modelled.
TEST(PodGroups, SayWhyTheyAreNotModelled) {
  Play play = with_group(4000);
  writes(play, patient(member("c", 7)));
  EXPECT_EQ(does(play, CycleCommand{}).cycle->skipped,
            "a pod of a group that another plug-in has wait in Permit");
}

// QUE-GROUP-3, NOM-COUNT-1: a pod that the trial placed is counted once, although it was nominated.
TEST(PodGroups, CountAPlacedPodWithoutItsNomination) {
  Play play = with_groups();
  Node room_for_two = node_with("n1", 4000);
  room_for_two.allocatable["pods"] = 2;
  play.creates(room_for_two);
  writes(play, group_of(2));
  PodObject nominated = member("a", 9);
  nominated.pod.nominated_node_name = "n1";
  writes(play, nominated);
  writes(play, member("b", 0));
  EXPECT_EQ(play.nominated("a"), "n1");
  EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
  EXPECT_EQ(play.stored("b").node_name, "n1");
}

}  // namespace touchstone::tests::group_trial_test
