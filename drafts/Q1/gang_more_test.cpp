// goes into tests/reference/queue/gang_test.cpp
#include <gtest/gtest.h>

#include "reference/queue/gang.hpp"
#include "reference/queue/play.hpp"
#include "spec/releases/feature_gates.hpp"
#include "tests/support/play.hpp"

namespace touchstone::tests::gang_more_test {

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

StepAnswer cycles(Play& play) {
  CanonicalChoices choices;
  return reference::play(play.world, CycleCommand{}, choices);
}

Names waiting_in(const Play& play) { return reference::observe(play.world).waiting; }

/// A gang of a, b and c, that needs all three. a waits in Permit and is deleted, so that the gang remembers
/// it.
Play with_forgotten_pod() {
  Play play = with_gangs();
  play.node("n1", 4000);
  creates(play, gang_of(3));
  creates(play, member("a", 9));
  creates(play, member("b", 8));
  creates(play, member("c", 7));
  cycles(play);
  EXPECT_EQ(waiting_in(play), Names{"default/a"});
  play.removes("a");
  EXPECT_EQ(play.world.forgotten_in_gangs.size(), 1U);
  return play;
}

/// Counts how often a command leaves the order of the plug-ins to chance.
class CountedGates final : public Choices {
 public:
  std::size_t pick(std::size_t, std::string_view where) override {
    if (where == "QUE-GATE-1") ++count;
    return 0;
  }
  std::size_t count = 0;
};

}  // namespace

// QUE-GANG-2: a pod that is in no gang any more does not hear of pods of no gang.
TEST(Gangs, DoNotJoinPodsWithoutWorkload) {
  Play play = with_gangs();
  creates(play, member("a", 9));
  PodObject left = member("a", 9);
  left.workload_ref.reset();
  creates(play, left, Verb::update);
  PodObject alone = member("x", 8);
  alone.workload_ref.reset();
  creates(play, alone);
  EXPECT_EQ(play.place("a"), "unschedulable");
}

// QUE-GANG-3: the last pod of its gang waits for the plug-in of its annotation alone, since it counts itself.
TEST(Gangs, CountThePodThatCompletesThem) {
  Play play = with_gangs();
  play.node("n1", 4000);
  creates(play, gang_of(2));
  creates(play, member("a", 9));
  PodObject patient = member("b", 8);
  patient.annotations = {{"touchstone.dev/permit-seconds", "60"}};
  creates(play, patient);
  cycles(play);
  EXPECT_EQ(cycles(play).cycle->outcome, CycleOutcome::scheduled);
  EXPECT_EQ(waiting_in(play), Names{"default/b"});
}

// QUE-GANG-1, QUE-GANG-5: up to v1.36 a pod that was deleted in Permit does not count as a pod of its gang.
TEST(Gangs, AreNotCompletedByAForgottenPod) {
  Play play = with_forgotten_pod();
  play.removes("c");
  creates(play, member("d", 6));
  EXPECT_EQ(play.entry("d").gated_by, "GangScheduling");
}

// QUE-GANG-5: as long as the gang has a pod, the deletion of another one forgets nothing.
TEST(Gangs, RememberWhileTheyHaveAPod) {
  Play play = with_forgotten_pod();
  play.removes("c");
  EXPECT_EQ(cycles(play).cycle->outcome, CycleOutcome::skipped);
}

// QUE-GANG-2: neither another Workload of the namespace nor one of this name elsewhere wakes a pod.
TEST(Gangs, AreNotWokenByOtherWorkloads) {
  Play play = with_gangs();
  creates(play, member("a", 9));
  EXPECT_TRUE(creates(play, WorkloadGroups{"default", "other", {{"g", 1}}}).wakes.empty());
  EXPECT_TRUE(creates(play, WorkloadGroups{"elsewhere", "w", {{"g", 1}}}).wakes.empty());
  EXPECT_EQ(creates(play, gang_of(2)).wakes.size(), 1U);
}

// QUE-GANG-2: a Workload is of one namespace. One of this name elsewhere is not that of a pod.
TEST(Gangs, KeepTheirWorkloadBesideANamesake) {
  for (const bool elsewhere_first : {false, true}) {
    Play play = with_gangs();
    if (!elsewhere_first) creates(play, gang_of(1));
    const StepAnswer namesake = creates(play, WorkloadGroups{"elsewhere", "w", {{"g", 1}}});
    EXPECT_FALSE(namesake.error);
    EXPECT_TRUE(namesake.clauses.contains("QUE-GANG-2"));
    creates(play, member("a", 9));
    EXPECT_EQ(play.place("a"), elsewhere_first ? "unschedulable" : "active");
  }
}

// QUE-GANG-3, QUE-ACTIVATE-1: a pod of the gang that is on a node is not activated.
TEST(Gangs, DoNotActivateAPodOnANode) {
  Play play = with_gangs();
  play.node("n1", 4000);
  creates(play, gang_of(2));
  PodObject bound = member("bound", 7);
  bound.pod.node_name = "n1";
  creates(play, bound);
  creates(play, member("a", 9));
  creates(play, gang_of(3), Verb::update);
  const StepAnswer answer = cycles(play);
  EXPECT_EQ(waiting_in(play), Names{"default/a"});
  EXPECT_FALSE(answer.clauses.contains("QUE-ACTIVATE-1"));
}

// QUE-GANG-2, EVT-AFFINITY-1: a pod of the gang wakes a pod that GangScheduling rejected, not one that
// another plug-in did.
TEST(Gangs, WakeByTheHintOfTheirPluginAlone) {
  Play play = with_gangs();
  play.node("n1", 4000);
  creates(play, gang_of({}));
  PodObject lonely = member("a", 9);
  PodAffinityTerm term;
  term.label_selector = LabelSelector{{{"app", "none"}}, {}};
  term.topology_key = "kubernetes.io/hostname";
  lonely.pod.pod_affinity = {term};
  creates(play, lonely);
  EXPECT_EQ(cycles(play).cycle->outcome, CycleOutcome::none);
  EXPECT_EQ(play.entry("a").rejectors, std::set<std::string>{"InterPodAffinity"});
  PodObject bound = member("b", 8);
  bound.pod.node_name = "n1";
  creates(play, bound);
  EXPECT_EQ(play.place("a"), "unschedulable");
}

// QUE-GATE-1: a command depends on chance only if two plug-ins gate a pod.
TEST(Gangs, LeaveTheOrderOfThePluginsToChanceForTwoGates) {
  for (const std::size_t gates : {0U, 1U, 2U}) {
    Play play = with_gangs();
    PodObject object = member("a", 9);
    if (gates < 2) object.workload_ref.reset();
    if (gates > 0) object.pod.scheduling_gates = {"wait"};
    CountedGates choices;
    reference::play(play.world, WriteCommand{Verb::create, object}, choices);
    EXPECT_EQ(choices.count, gates == 2 ? 1U : 0U) << gates;
  }
}

// QUE-ENTITY-9: the number of a PodGroup that is not a gang any more is not compared.
TEST(Gangs, HearNothingWhenTheyEnd) {
  PodObject grouped = member("a", 9);
  grouped.pod_group = "g";
  const auto changed = std::make_unique<reference::ClusterEvent>();
  changed->type = reference::EventType::pod_group_changed;
  changed->old_pod_group = PodGroupObject{"default", "g", 2};
  changed->new_pod_group = PodGroupObject{"default", "g", 1};
  const Release release = with_gangs().world.release;
  EXPECT_TRUE(reference::gang_hint(grouped, *changed, release));
  changed->new_pod_group->least_pods.reset();
  EXPECT_FALSE(reference::gang_hint(grouped, *changed, release));
}

}  // namespace touchstone::tests::gang_more_test
