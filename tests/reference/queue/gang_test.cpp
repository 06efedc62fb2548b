#include "reference/queue/gang.hpp"

#include <gtest/gtest.h>

#include "reference/queue/play.hpp"
#include "spec/releases/feature_gates.hpp"
#include "tests/support/play.hpp"

namespace touchstone::tests::gang_test {

namespace {

using Names = std::vector<std::string>;

const FeatureGates k_gates = {{"GenericWorkload", true}, {"GangScheduling", true}};

Play with_gangs() {
  Play play("v1.35.4");
  play.world.release = with_gates_over_time(release("v1.35.4"), k_gates, "").value();
  return play;
}

PodObject member(const std::string& name, Quantity priority, const std::string& workload = "w",
                 const std::string& group = "g") {
  PodObject object;
  object.pod = pod(name, priority, 1000);
  object.pod.uid = "u-" + name;
  object.workload_ref = WorkloadRef{workload, group, ""};
  return object;
}

WorkloadGroups gang_of(std::optional<Quantity> least) { return {"default", "w", {{"g", least}}}; }

StepAnswer creates(Play& play, WrittenObject object, Verb verb = Verb::create) {
  CanonicalChoices choices;
  return reference::play(play.world, WriteCommand{verb, std::move(object)}, choices);
}

Names waiting_in(const Play& play) { return reference::observe(play.world).waiting; }

/// A gang of two on nodes with 4 CPU.
Play with_gang(std::optional<Quantity> least = 2) {
  Play play = with_gangs();
  play.node("n1", 4000);
  creates(play, gang_of(least));
  creates(play, member("a", 9));
  creates(play, member("b", 8));
  return play;
}

}  // namespace

// QUE-GATE-1: two plug-ins gate a. Either counts, and goes on to count.
TEST(Gangs, GateAPodThatAnotherPluginGates) {
  class LastChoices final : public Choices {
   public:
    std::size_t pick(std::size_t n, std::string_view where) override {
      return where == "QUE-GATE-1" ? n - 1 : 0;
    }
  };
  PodObject gated = member("a", 9);
  gated.pod.scheduling_gates = {"wait"};
  for (const char* first : {"SchedulingGates", "GangScheduling"}) {
    Play play = with_gangs();
    CanonicalChoices canonical;
    LastChoices last;
    Choices& choices = first == std::string("SchedulingGates") ? static_cast<Choices&>(canonical) : last;
    reference::play(play.world, WriteCommand{Verb::create, gated}, choices);
    EXPECT_EQ(play.entry("a").gated_by, first);
    EXPECT_EQ(play.entry("a").rejectors, std::set<std::string>{first});
    creates(play, gang_of(2));
    EXPECT_EQ(play.entry("a").gated_by, first);
  }
}

// QUE-GATE-1: chance decides anew in each command.
TEST(Gangs, GateByTheChanceOfOneCommand) {
  Play play = with_gangs();
  for (const std::size_t last : {1U, 0U}) {
    PodObject gated = member(last == 1 ? "a" : "b", 9);
    gated.pod.scheduling_gates = {"wait"};
    ScriptedChoices choices({last});
    reference::play(play.world, WriteCommand{Verb::create, gated}, choices);
    EXPECT_EQ(play.entry(gated.pod.name).gated_by, last == 1 ? "GangScheduling" : "SchedulingGates");
  }
}

// QUE-GANG-1
TEST(Gates, OverTimeAreThoseOfGangsAlone) {
  const Release base = release("v1.35.4");
  EXPECT_TRUE(with_gates_over_time(base, k_gates, "").value().gangs_wait);
  EXPECT_FALSE(with_gates_over_time(base, {{"GenericWorkload", true}}, "").value().gangs_wait);
  EXPECT_EQ(with_gates_over_time(base, {{"SchedulerAsyncPreemption", false}}, "").value().unmodelled_gate,
            "SchedulerAsyncPreemption=false");
  EXPECT_TRUE(with_gates_over_time(release("v1.36.3"), k_gates, "").value().groups_are_scheduled);
  EXPECT_TRUE(with_gates_over_time(release("v1.37.2"), {{"GenericWorkload", true}}, "").value().gangs_wait);
  EXPECT_EQ(with_gates_over_time(release("v1.34.4"), k_gates, "").error().code, "refused-feature-gate");
}

// QUE-GANG-2: the pod that a new pod of its gang moves is nominated as if it was new.
TEST(Gangs, NominateThePodThatANewPodMoves) {
  Play play = with_gangs();
  creates(play, gang_of(2));
  PodObject nominated = member("a", 9);
  nominated.pod.nominated_node_name = "n1";
  creates(play, nominated);
  EXPECT_TRUE(reference::observe(play.world).nominated.empty());
  creates(play, member("b", 8));
  EXPECT_EQ(reference::observe(play.world).nominated.at("n1"), Names{"default/a"});
}

// QUE-GANG-3: a pod of a group that is no gang lets no other pod go.
TEST(Gangs, AreNotAllowedByAPodOfAGroupWithoutGang) {
  Play play = with_gang(3);
  creates(play, member("c", 7));
  play.cycle();
  EXPECT_EQ(waiting_in(play), Names{"default/a"});
  creates(play, gang_of({}), Verb::update);
  play.cycle();
  EXPECT_EQ(waiting_in(play), Names{"default/a"});
  EXPECT_EQ(play.place("b"), "");
}

// QUE-GANG-1, QUE-GANG-2
TEST(Gangs, GateTheirPodsUntilTheyAreComplete) {
  Play play = with_gangs();
  play.node("n1", 4000);
  creates(play, member("a", 9));
  EXPECT_EQ(play.entry("a").gated_by, "GangScheduling");
  creates(play, gang_of(2));
  EXPECT_EQ(play.entry("a").gated_by, "GangScheduling");
  creates(play, member("other", 9, "w", "none"));
  EXPECT_EQ(play.entry("other").gated_by, "GangScheduling");
  EXPECT_EQ(play.entry("a").gated_by, "GangScheduling");
  creates(play, member("b", 8));
  EXPECT_EQ(play.place("a"), "active");
  EXPECT_EQ(play.place("b"), "active");
}

// QUE-GANG-2
TEST(Gangs, HearOfTheirOwnWorkloadAlone) {
  Play play = with_gangs();
  creates(play, member("a", 9));
  creates(play, WorkloadGroups{"default", "other", {{"g", 1}}});
  EXPECT_EQ(play.place("a"), "unschedulable");
  creates(play, WorkloadGroups{"elsewhere", "w", {{"g", 1}}});
  EXPECT_EQ(play.place("a"), "unschedulable");
  creates(play, WorkloadGroups{"default", "w", {{"g", 2}}});
  EXPECT_EQ(play.place("a"), "unschedulable");
  creates(play, WorkloadGroups{"default", "w", {{"g", 1}}}, Verb::update);
  EXPECT_EQ(play.place("a"), "unschedulable");
  creates(play, WorkloadGroups{"default", "w", {}}, Verb::remove);
  creates(play, WorkloadGroups{"default", "w", {{"g", 1}}});
  EXPECT_EQ(play.place("a"), "active");
}

// QUE-GANG-3
TEST(Gangs, WaitForEachOther) {
  Play play = with_gang();
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::scheduled);
  EXPECT_EQ(waiting_in(play), Names{"default/a"});
  CanonicalChoices choices;
  EXPECT_TRUE(reference::play(play.world, PermitCommand{"default/a", true}, choices).error);
  EXPECT_FALSE(reference::play(play.world, AdvanceCommand{10'000'000'000}, choices).error);
  EXPECT_EQ(waiting_in(play), Names{"default/a"});
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::scheduled);
  EXPECT_TRUE(waiting_in(play).empty());
  EXPECT_EQ(play.stored("a").node_name, "n1");
  EXPECT_EQ(play.stored("b").node_name, "n1");
  // One more does not wait.
  creates(play, member("c", 1));
  play.cycle();
  EXPECT_EQ(play.stored("c").node_name, "n1");
}

// QUE-GANG-3: a pod of no gang that waits is not allowed, and a pod may not wait for two reasons.
TEST(Gangs, LeaveOtherWaitsAlone) {
  Play play = with_gang();
  PodObject waiting = member("x", 20);
  waiting.workload_ref.reset();
  waiting.annotations = {{"touchstone.dev/permit-seconds", "60"}};
  creates(play, waiting);
  for (int i = 0; i < 3; ++i) play.cycle();
  EXPECT_EQ(waiting_in(play), Names{"default/x"});
  Play both = with_gang(3);
  PodObject twice = member("y", 20);
  twice.annotations = waiting.annotations;
  creates(both, twice);
  EXPECT_EQ(both.cycle().outcome, CycleOutcome::skipped);
}

// QUE-GANG-3: a gang that is complete does not let another one go.
TEST(Gangs, AllowTheirOwnPodsAlone) {
  Play play = with_gangs();
  play.node("n1", 4000);
  creates(play, WorkloadGroups{"default", "w", {{"g", 2}, {"h", 2}}});
  for (const auto& [name, priority, group] :
       {std::tuple("x", 9, "h"), std::tuple("a", 8, "g"), std::tuple("b", 7, "g"), std::tuple("y", 6, "h")})
    creates(play, member(name, priority, "w", group));
  for (int i = 0; i < 3; ++i) play.cycle();
  EXPECT_EQ(waiting_in(play), Names{"default/x"});
  EXPECT_EQ(play.stored("a").node_name, "n1");
}

// QUE-GANG-1: a gang is of one namespace.
TEST(Gangs, DoNotCountAPodOfAnotherNamespace) {
  Play play = with_gangs();
  play.node("n1", 4000);
  creates(play, gang_of(2));
  creates(play, member("a", 9));
  PodObject elsewhere = member("b", 8);
  elsewhere.pod.ns = "elsewhere";
  creates(play, elsewhere);
  EXPECT_EQ(play.entry("a").gated_by, "GangScheduling");
}

// QUE-GANG-3: a pod that is on a node counts, and is not activated.
TEST(Gangs, CountTheirPodsOnNodes) {
  Play play = with_gangs();
  play.node("n1", 4000);
  creates(play, gang_of(3));
  PodObject bound = member("bound", 7);
  bound.pod.node_name = "n1";
  creates(play, bound);
  creates(play, member("a", 9));
  creates(play, member("b", 8));
  play.cycle();
  EXPECT_EQ(waiting_in(play), Names{"default/a"});
  EXPECT_EQ(play.place("bound"), "");
  play.cycle();
  EXPECT_TRUE(waiting_in(play).empty());
}

// QUE-GANG-5: a pod of no gang is not remembered.
TEST(Gangs, ForgetAPodOfNoGang) {
  Play play = with_gang();
  PodObject waiting = member("x", 20);
  waiting.workload_ref.reset();
  waiting.annotations = {{"touchstone.dev/permit-seconds", "60"}};
  creates(play, waiting);
  play.cycle();
  play.removes("x");
  EXPECT_TRUE(waiting_in(play).empty());
  EXPECT_TRUE(play.world.forgotten_in_gangs.empty());
}

// QUE-GANG-2
TEST(Gangs, DoNotWakeAPodThatLeftThem) {
  Play play = with_gangs();
  creates(play, member("a", 9));
  PodObject left = member("a", 9);
  left.workload_ref.reset();
  creates(play, left, Verb::update);
  creates(play, member("b", 8));
  creates(play, gang_of(2));
  EXPECT_EQ(play.place("a"), "unschedulable");
}

// QUE-GANG-5: a gang without pods forgets all.
TEST(Gangs, MayEndByADeletion) {
  Play play = with_gang();
  play.cycle();
  play.removes("b").removes("a");
  EXPECT_TRUE(play.world.forgotten_in_gangs.empty());
  EXPECT_TRUE(play.world.bindings.empty());
}

// QUE-GANG-3
TEST(Gangs, WithoutALeastNumberDoNotWait) {
  Play play = with_gang(std::nullopt);
  play.cycle();
  EXPECT_EQ(play.stored("a").node_name, "n1");
}

// QUE-GANG-3: the others are activated.
TEST(Gangs, ActivateTheirOtherPods) {
  Play play = with_gangs();
  play.node("n1", 1000).creates(placed(pod("v", 20, 1000), "n1"));
  creates(play, gang_of(2));
  creates(play, member("a", 9));
  creates(play, member("b", 8));
  play.cycle();
  play.cycle();
  EXPECT_EQ(play.place("b"), "unschedulable");
  play.removes("v");
  EXPECT_EQ(play.place("b"), "backoff");
  play.cycle();
  EXPECT_EQ(waiting_in(play), Names{"default/a"});
  EXPECT_EQ(play.place("b"), "active");
}

// QUE-GANG-4
TEST(Gangs, ErrIfTheirGroupIsGone) {
  for (const bool has_workload : {false, true}) {
    Play play = with_gang();
    has_workload ? creates(play, WorkloadGroups{"default", "w", {}}, Verb::update)
                 : creates(play, WorkloadGroups{"default", "w", {}}, Verb::remove);
    EXPECT_EQ(play.cycle().outcome, CycleOutcome::error);
    EXPECT_EQ(play.place("a"), "unschedulable");
    EXPECT_EQ(play.message("a"),
              has_workload
                  ? "running Permit plugin \"GangScheduling\": pod group \"g\" doesn't exist for a workload \"w\""
                  : "running Permit plugin \"GangScheduling\": failed to get workload default/w");
  }
}

// QUE-GANG-5
TEST(Gangs, CrashTheReleaseAfterADeletion) {
  Play play = with_gang(3);
  creates(play, member("c", 7));
  play.cycle();
  EXPECT_EQ(waiting_in(play), Names{"default/a"});
  play.removes("a");
  creates(play, member("d", 6));
  const CycleResult result = play.cycle();
  EXPECT_EQ(result.outcome, CycleOutcome::skipped);
  EXPECT_FALSE(result.skipped.empty());
  EXPECT_FALSE(play.world.forgotten_in_gangs.empty());
  for (const char* name : {"b", "c", "d"}) play.removes(name);
  EXPECT_TRUE(play.world.forgotten_in_gangs.empty());
}

TEST(Workloads, AreStored) {
  Play play = with_gangs();
  EXPECT_FALSE(creates(play, gang_of(2)).error);
  EXPECT_EQ(creates(play, gang_of(2)).error->code, "exists");
  EXPECT_FALSE(creates(play, gang_of(2), Verb::remove).error);
  EXPECT_EQ(creates(play, gang_of(2), Verb::update).error->code, "not-found");
  EXPECT_EQ(creates(play, gang_of(2), Verb::remove).error->code, "not-found");
}

// QUE-GANG-2, QUE-ENTITY-9: a PodGroup that needs as many pods as before wakes no pod, and neither does the
// Workload that a pod has left.
TEST(Gangs, HearOfNothingThatHelpsNoPod) {
  const Release release = with_gangs().world.release;
  PodObject left = member("a", 9);
  reference::ClusterEvent added;
  added.type = reference::EventType::workload_added;
  added.new_workload = gang_of(2);
  EXPECT_TRUE(reference::gang_hint(left, added, release));
  left.workload_ref.reset();
  EXPECT_FALSE(reference::gang_hint(left, added, release));
  PodObject grouped = member("a", 9);
  grouped.pod_group = "g";
  reference::ClusterEvent changed;
  changed.type = reference::EventType::pod_group_changed;
  changed.old_pod_group = PodGroupObject{"default", "g", 2};
  for (const Quantity least : {1, 2, 3}) {
    changed.new_pod_group = PodGroupObject{"default", "g", least};
    EXPECT_EQ(reference::gang_hint(grouped, changed, release), least == 1) << least;
  }
}

// QUE-GANG-2: another Workload of the namespace replaces none.
TEST(Gangs, KeepTheirWorkloadBesideAnother) {
  Play play = with_gangs();
  creates(play, gang_of(1));
  creates(play, WorkloadGroups{"default", "other", {{"g", 1}}});
  creates(play, member("a", 9));
  EXPECT_EQ(play.place("a"), "active");
}

// QUE-PERMIT-5, QUE-SETTLE-1: a pod that was allowed and is being bound gets no second verdict. Its binding
// has one step.
TEST(Gangs, AllowAPodOnce) {
  Play play = with_gang();
  play.holds(CallKind::bind, "a");
  play.cycle();
  play.world.bindings.at(0).verdict = reference::PermitVerdict{true, false, "GangScheduling", ""};
  EXPECT_EQ(reference::enabled_steps(play.world).size(), 1U);
  play.cycle();
  EXPECT_TRUE(waiting_in(play).empty());
  creates(play, member("c", 7));
  CanonicalChoices choices;
  const StepAnswer answer = reference::play(play.world, CycleCommand{}, choices);
  EXPECT_EQ(answer.cycle->outcome, CycleOutcome::scheduled);
  EXPECT_FALSE(answer.clauses.contains("QUE-PERMIT-5"));
}

// QUE-GANG-5, QUE-BIND-2: a pod of the gang whose binding fails is not deleted, so the release does not
// crash.
TEST(Gangs, KeepAPodWhoseBindingFails) {
  Play play = with_gang();
  play.holds(CallKind::bind, "a");
  play.cycle();
  play.cycle();
  play.answers(CallKind::bind, "a", CallResult::error);
  EXPECT_EQ(play.stored("b").node_name, "n1");
  creates(play, member("c", 7));
  creates(play, gang_of(3), Verb::update);
  play.advances(3'000).flushes_backoff();
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::scheduled);
  EXPECT_EQ(waiting_in(play), Names{"default/a"});
}

}  // namespace touchstone::tests::gang_test
