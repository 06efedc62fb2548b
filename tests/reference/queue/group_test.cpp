#include "reference/queue/group_run.hpp"

#include <gtest/gtest.h>

#include "reference/queue/play.hpp"
#include "spec/releases/feature_gates.hpp"
#include "tests/support/play.hpp"

namespace touchstone::tests::group_test {

namespace {

using Names = std::vector<std::string>;

Play with_groups(const FeatureGates& gates = {{"GenericWorkload", true}, {"GangScheduling", true}}) {
  Play play("v1.36.3");
  play.world.release = with_gates_over_time(release("v1.36.3"), gates, "").value();
  return play;
}

PodObject member(const std::string& name, Quantity priority, Quantity cpu = 1000, const std::string& group = "g") {
  PodObject object;
  object.pod = pod(name, priority, cpu);
  object.pod.uid = "u-" + name;
  object.pod_group = group;
  return object;
}

PodGroupObject group_of(std::optional<Quantity> least, const std::string& name = "g") {
  return {"default", name, least};
}

StepAnswer does(Play& play, TimelineCommand command) {
  CanonicalChoices choices;
  return reference::play(play.world, command, choices);
}
StepAnswer writes(Play& play, WrittenObject object, Verb verb = Verb::create) {
  return does(play, WriteCommand{verb, std::move(object)});
}

/// A group of a and b on a node with so many milli-CPU.
Play with_group(Quantity cpu, std::optional<Quantity> least = 2) {
  Play play = with_groups();
  play.node("n1", cpu);
  writes(play, group_of(least));
  writes(play, member("a", 9));
  writes(play, member("b", 8));
  return play;
}

CycleOutcome cycles(Play& play) { return does(play, CycleCommand{}).cycle->outcome; }

/// The backoff of all pods is over.
void waits_and_flushes(Play& play) { play.advances(3'000).flushes_backoff(); }

}  // namespace

// QUE-GROUP-1
TEST(PodGroups, GateTheirPodsUntilTheyAreComplete) {
  Play play = with_groups();
  play.node("n1", 4000);
  writes(play, member("a", 9));
  EXPECT_EQ(play.entry("a").gated_by, "GangScheduling");
  writes(play, group_of(2, "other"));
  EXPECT_EQ(play.entry("a").gated_by, "GangScheduling");
  PodGroupObject elsewhere = group_of(1);
  elsewhere.ns = "elsewhere";
  writes(play, elsewhere);
  EXPECT_EQ(play.entry("a").gated_by, "GangScheduling");
  writes(play, group_of(2));
  EXPECT_EQ(play.entry("a").gated_by, "GangScheduling");
  PodObject stranger = member("s", 1);
  stranger.pod.scheduler_name = "other";
  writes(play, stranger);
  EXPECT_EQ(play.place("a"), "unschedulable");
  writes(play, member("b", 8));
  EXPECT_EQ(play.place("a"), "active");
  EXPECT_EQ(play.place("b"), "active");
}

// QUE-GROUP-1: the pods of another scheduler count on nodes alone.
TEST(PodGroups, CountPodsOnNodes) {
  Play play = with_groups();
  play.node("n1", 4000);
  writes(play, group_of(2));
  PodObject running = member("s", 1);
  running.pod.scheduler_name = "other";
  running.pod.node_name = "n1";
  writes(play, running);
  writes(play, member("a", 9));
  EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
  EXPECT_EQ(play.stored("a").node_name, "n1");
}

// QUE-GROUP-2, QUE-GANG-3
TEST(PodGroups, AreScheduledInOneCycle) {
  Play play = with_group(4000);
  const CycleResult result = *does(play, CycleCommand{}).cycle;
  EXPECT_EQ(result.outcome, CycleOutcome::scheduled);
  EXPECT_EQ(result.pod, "default/a");
  EXPECT_TRUE(result.node.empty());
  EXPECT_EQ(play.stored("a").node_name, "n1");
  EXPECT_EQ(play.stored("b").node_name, "n1");
  // One more does not wait.
  writes(play, member("c", 1));
  EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
  EXPECT_EQ(play.stored("c").node_name, "n1");
}

// QUE-GROUP-2: without GangScheduling no PodGroup is needed.
TEST(PodGroups, NeedNoObjectWithoutGangs) {
  Play play = with_groups({{"GenericWorkload", true}});
  play.node("n1", 1000);
  writes(play, member("a", 9));
  writes(play, member("b", 8));
  EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
  EXPECT_EQ(play.stored("a").node_name, "n1");
  EXPECT_EQ(play.place("b"), "backoff");
}

// QUE-GROUP-2: the order is by priority, then by time in the active part.
TEST(PodGroups, TryTheMostImportantPodsFirst) {
  Play play = with_groups();
  play.node("n1", 1000);
  writes(play, group_of(std::nullopt));
  writes(play, member("late", 5));
  play.advances(1000);
  writes(play, member("later", 5));
  writes(play, member("high", 6));
  cycles(play);
  EXPECT_EQ(play.stored("high").node_name, "n1");
  play.node("n2", 1000);
  waits_and_flushes(play);
  cycles(play);
  EXPECT_EQ(play.stored("late").node_name, "n2");
}

// QUE-GROUP-2: a gated pod stays, and one in backoff comes along.
TEST(PodGroups, BringAlongWhatIsNotGated) {
  Play play = with_group(1000);
  PodObject gated = member("c", 7);
  gated.pod.scheduling_gates = {"x"};
  writes(play, gated);
  EXPECT_EQ(cycles(play), CycleOutcome::none);
  EXPECT_EQ(play.place("a"), "backoff");
  EXPECT_EQ(play.place("b"), "backoff");
  EXPECT_EQ(play.place("c"), "unschedulable");
  play.node("n2", 1000);
  EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
  EXPECT_EQ(play.stored("b").node_name, "n2");
  EXPECT_EQ(play.place("c"), "unschedulable");
}

// QUE-GROUP-2, QUE-POP-3
TEST(PodGroups, DropPodsThatTerminate) {
  Play play = with_group(4000);
  for (const char* name : {"a", "b"}) {
    PodObject& queued = std::find_if(play.world.queue.active.begin(), play.world.queue.active.end(),
                                     [name](const Entry& entry) { return entry.object.pod.name == name; })
                            ->object;
    queued.pod.terminating = true;
  }
  EXPECT_EQ(cycles(play), CycleOutcome::dropped);
  EXPECT_EQ(play.place("a"), "");
  EXPECT_EQ(play.place("b"), "");
}

// QUE-GROUP-2: a cycle of a group takes no node.
TEST(PodGroups, AreNotToldANode) {
  Play play = with_group(4000);
  const World before = play.world;
  EXPECT_EQ(does(play, CycleCommand{"n1"}).error->code, "not-admissible");
  EXPECT_EQ(play.world.queue, before.queue);
}

// QUE-GROUP-3, QUE-GROUP-4
TEST(PodGroups, ThatDoNotFitLeaveNothingAssumed) {
  Play play = with_group(1000);
  EXPECT_EQ(cycles(play), CycleOutcome::none);
  EXPECT_TRUE(reference::observe(play.world).assumed.empty());
  EXPECT_TRUE(play.entry("a").rejectors.empty());
  EXPECT_EQ(play.entry("b").rejectors, (std::set<std::string>{"NodeResourcesFit"}));
  EXPECT_EQ(play.place("a"), "backoff");
  EXPECT_EQ(play.place("b"), "backoff");
}

// QUE-GROUP-4, QUE-GANG-3: part of a group is enough.
TEST(PodGroups, LeaveOutWhatDoesNotFit) {
  Play play = with_group(2000);
  writes(play, member("c", 20, 3000));
  EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
  EXPECT_EQ(play.stored("a").node_name, "n1");
  EXPECT_EQ(play.stored("b").node_name, "n1");
  EXPECT_EQ(play.place("c"), "active");  // a, which waits in Permit, activated it
}

// QUE-GROUP-3, QUE-GROUP-4
TEST(PodGroups, WaitForTheirPreemptions) {
  Play play = with_groups();
  play.node("n1", 2000).creates(placed(pod("v", 1, 1000), "n1"));
  writes(play, group_of(2));
  writes(play, member("a", 9));
  writes(play, member("b", 8));
  EXPECT_EQ(cycles(play), CycleOutcome::nominated);
  EXPECT_EQ(play.nominated("a"), "n1");
  EXPECT_EQ(play.nominated("b"), "n1");
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

// QUE-GROUP-4: an error of one is the error of all.
TEST(PodGroups, ErrIfTheirObjectIsGone) {
  Play play = with_group(1000);
  writes(play, member("c", 7));
  writes(play, group_of(2), Verb::remove);
  EXPECT_EQ(cycles(play), CycleOutcome::error);
  for (const char* name : {"a", "b", "c"}) EXPECT_EQ(play.place(name), "unschedulable");
  EXPECT_EQ(play.message("a"),
            "running Permit plugin \"GangScheduling\": failed to get podGroup default/g");
  EXPECT_EQ(play.message("b"), "failed to schedule other pod from a pod group: " + play.message("a"));
}

// QUE-GROUP-4: the loop waits for each patch, and the group may go meanwhile.
TEST(PodGroups, AreHandledOneAfterTheOther) {
  Play play = with_group(2000);
  writes(play, member("c", 20, 3000));
  play.holds(CallKind::patch, "c");
  EXPECT_EQ(cycles(play), CycleOutcome::open);
  EXPECT_EQ(play.place("a"), "in flight");
  EXPECT_EQ(cycles(play), CycleOutcome::busy);
  writes(play, group_of(2), Verb::remove);
  play.answers(CallKind::patch, "c", CallResult::ok);
  EXPECT_EQ(play.world.ended->outcome, CycleOutcome::scheduled);
  EXPECT_EQ(play.place("a"), "unschedulable");
  EXPECT_EQ(play.stored("a").node_name, "");
}

// QUE-GROUP-4, QUE-FAIL-2: a pod that is gone is not put back.
TEST(PodGroups, ForgetPodsThatAreGone) {
  Play play = with_group(1000);
  writes(play, member("c", 7));
  play.holds(CallKind::patch, "a");
  EXPECT_EQ(cycles(play), CycleOutcome::open);
  play.removes("b").removes("c");
  writes(play, member("c", 7));
  play.answers(CallKind::patch, "a", CallResult::ok);
  EXPECT_EQ(play.place("b"), "");
  EXPECT_TRUE(play.world.queue.in_flight.empty());
}

// QUE-CALL-3: a second failure that changes nothing needs no patch.
TEST(PodGroups, DoNotRepeatTheirPatches) {
  Play play = with_group(1000);
  cycles(play);
  waits_and_flushes(play);
  EXPECT_TRUE(does(play, CycleCommand{}).calls.empty());
}

// QUE-GROUP-3
TEST(PodGroups, WithOtherWaitsAreNotModelled) {
  Play play = with_group(4000);
  PodObject waiting = member("c", 7);
  waiting.annotations = {{"touchstone.dev/permit-seconds", "60"}};
  writes(play, waiting);
  EXPECT_EQ(cycles(play), CycleOutcome::skipped);
}

TEST(PodGroups, AreStored) {
  Play play = with_groups();
  EXPECT_FALSE(writes(play, group_of(2)).error);
  EXPECT_EQ(writes(play, group_of(2)).error->code, "exists");
  EXPECT_FALSE(writes(play, group_of(1), Verb::update).error);
  EXPECT_EQ(play.world.seen.pod_groups.at(0).least_pods, 1);
  EXPECT_FALSE(writes(play, group_of(2), Verb::remove).error);
  EXPECT_EQ(writes(play, group_of(2), Verb::update).error->code, "not-found");
  EXPECT_EQ(writes(play, group_of(2), Verb::remove).error->code, "not-found");
}

}  // namespace touchstone::tests::group_test
