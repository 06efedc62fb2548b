// goes into tests/reference/queue/group_trial_test.cpp (those about QUE-GROUP-6 and trials) and
// group_test.cpp
#include <gtest/gtest.h>

#include "reference/queue/group_affinity.hpp"
#include "tests/support/pod_groups.hpp"

namespace touchstone::tests::group_more_test {

using namespace pod_groups;

namespace {

PodAffinityTerm term_of(const std::string& app) {
  PodAffinityTerm term;
  term.label_selector = LabelSelector{{{"app", app}}, {}};
  term.topology_key = "kubernetes.io/hostname";
  return term;
}

/// The kinds of terms of pod affinity that a pod may have.
enum class Terms { none, required, anti, preferred, preferred_anti, all };

Pod with_terms(Pod made, Terms terms) {
  const bool all = terms == Terms::all;
  if (all || terms == Terms::required) made.pod_affinity = {term_of("x")};
  if (all || terms == Terms::anti) made.pod_anti_affinity = {term_of("x")};
  if (all || terms == Terms::preferred) made.preferred_pod_affinity = {{1, term_of("x")}};
  if (all || terms == Terms::preferred_anti) made.preferred_pod_anti_affinity = {{1, term_of("x")}};
  return made;
}

Pod on_port(Pod made) {
  made.containers.at(0).ports = {{"TCP", "", 80}};
  return made;
}

PodObject terminating(const std::string& name) {
  PodObject object = member(name, 9);
  object.pod.terminating = true;
  return object;
}

/// Counts the alternatives where a preemption may begin beside the trial of its group. It begins at once.
class CountedBeginnings final : public Choices {
 public:
  std::size_t pick(std::size_t n, std::string_view where) override {
    if (where == "QUE-GROUP-3") counts.push_back(n);
    return 0;
  }
  std::vector<std::size_t> counts;
};

}  // namespace

// QUE-GROUP-6: which terms of a pod that the trial placed are overlooked depends on the pods that its node
// had before, and on the preferred terms of the pod that is tried.
TEST(PodGroups, OverlookTermsByTheListsOfNodes) {
  for (const Terms listed :
       {Terms::none, Terms::required, Terms::anti, Terms::preferred, Terms::preferred_anti}) {
    for (const Terms tried :
         {Terms::none, Terms::required, Terms::anti, Terms::preferred, Terms::preferred_anti}) {
      reference::Cache before;
      for (const Terms terms : {Terms::none, listed, Terms::none})
        before.pods["n1"].push_back(PodObject{with_terms(placed(pod("seen", 1, 0), "n1"), terms), 30, {}});
      Question question;
      question.pod = with_terms(pod("p", 1, 0), tried);
      question.cluster.pods = {with_terms(placed(pod("a", 1, 0), "n1"), Terms::all)};
      question.cluster.pods[0].uid = "u-a";
      const bool prefers = tried == Terms::preferred || tried == Terms::preferred_anti;
      const bool keeps_others = prefers || listed != Terms::none;
      EXPECT_EQ(reference::overlook_affinity(before, question), listed != Terms::anti || !keeps_others);
      const Pod& seen = question.cluster.pods[0];
      EXPECT_EQ(seen.pod_anti_affinity.empty(), listed != Terms::anti);
      EXPECT_EQ(seen.pod_affinity.empty(), !keeps_others);
      EXPECT_EQ(seen.preferred_pod_affinity.empty(), !keeps_others);
      EXPECT_EQ(seen.preferred_pod_anti_affinity.empty(), !keeps_others);
    }
  }
}

// QUE-GROUP-6: the terms of a nominated pod, which is on no node, are not overlooked. A node without pods is
// in no list.
TEST(PodGroups, OverlookTermsOfPlacedPodsAlone) {
  reference::Cache before;
  before.assumed = {"u-x", "u-y", "u-z"};
  Question question;
  question.pod = pod("p", 1, 0);
  Pod nominated = with_terms(pod("n", 1, 0), Terms::all);
  nominated.uid = "u-n";
  nominated.nominated_node_name = "n1";
  question.cluster.pods = {nominated};
  EXPECT_FALSE(reference::overlook_affinity(before, question));
  question.cluster.pods = {with_terms(placed(pod("a", 1, 0), "n1"), Terms::all)};
  question.cluster.pods[0].uid = "u-a";
  EXPECT_TRUE(reference::overlook_affinity(before, question));
  EXPECT_TRUE(question.cluster.pods[0].pod_affinity.empty());
  EXPECT_TRUE(question.cluster.pods[0].pod_anti_affinity.empty());
}

// QUE-GROUP-1, EVT-HINT-1: neither another PodGroup of the namespace nor one of this name elsewhere wakes a
// pod.
TEST(PodGroups, AreNotWokenByOtherPodGroups) {
  Play play = with_groups();
  writes(play, member("a", 9));
  EXPECT_TRUE(writes(play, group_of(1, "other")).wakes.empty());
  PodGroupObject elsewhere = group_of(1);
  elsewhere.ns = "elsewhere";
  EXPECT_TRUE(writes(play, elsewhere).wakes.empty());
  EXPECT_EQ(writes(play, group_of(2)).wakes.size(), 1U);
}

// QUE-GROUP-1: a pending pod of another scheduler does not count, also if it comes before the others.
TEST(PodGroups, DoNotCountAPodOfAnotherScheduler) {
  Play play = with_groups();
  writes(play, group_of(2));
  PodObject stranger = member("s", 1);
  stranger.pod.scheduler_name = "other";
  writes(play, stranger);
  writes(play, member("a", 9));
  EXPECT_EQ(play.entry("a").gated_by, "GangScheduling");
}

// QUE-GROUP-1: a PodGroup is of one namespace. One of this name elsewhere does not replace it.
TEST(PodGroups, KeepTheirObjectBesideANamesake) {
  Play play = with_groups();
  writes(play, group_of(1));
  PodGroupObject elsewhere = group_of(1);
  elsewhere.ns = "elsewhere";
  writes(play, elsewhere);
  writes(play, member("a", 9));
  EXPECT_EQ(play.place("a"), "active");
}

// QUE-GROUP-2: without the gate, the pod group of a pod says nothing.
TEST(PodGroups, SayNothingWithoutTheirGate) {
  Play play("v1.36.3");
  play.node("n1", 4000);
  writes(play, member("a", 9));
  EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
  EXPECT_EQ(play.stored("a").node_name, "n1");
}

// QUE-GROUP-2, QUE-ACTIVATE-1: a pod of the group that is on a node is not activated.
TEST(PodGroups, DoNotActivateAPodOnANode) {
  Play play = with_groups();
  play.node("n1", 4000);
  writes(play, group_of(2));
  PodObject running = member("r", 1);
  running.pod.node_name = "n1";
  writes(play, running);
  writes(play, member("a", 9));
  const StepAnswer answer = does(play, CycleCommand{});
  EXPECT_EQ(answer.cycle->outcome, CycleOutcome::scheduled);
  EXPECT_TRUE(answer.clauses.contains("QUE-GROUP-2"));
  EXPECT_FALSE(answer.clauses.contains("QUE-ACTIVATE-1"));
}

// QUE-GROUP-2: pods of the same priority and time are tried in the order of their creation.
TEST(PodGroups, TryEqualPodsInTheOrderOfTheirCreation) {
  Play play = with_groups();
  play.node("n1", 2000);
  writes(play, group_of({}));
  for (const char* name : {"c", "b", "a"}) writes(play, member(name, 9));
  EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
  EXPECT_EQ(play.stored("c").node_name, "n1");
  EXPECT_EQ(play.stored("b").node_name, "n1");
  EXPECT_EQ(play.stored("a").node_name, "");
}

// QUE-POP-3
TEST(PodGroups, CiteThePodsThatTheyDrop) {
  Play play = with_groups();
  play.node("n1", 4000);
  writes(play, group_of(2));
  writes(play, terminating("a"));
  writes(play, terminating("b"));
  const StepAnswer answer = does(play, CycleCommand{});
  EXPECT_EQ(answer.cycle->outcome, CycleOutcome::dropped);
  EXPECT_TRUE(answer.clauses.contains("QUE-POP-3"));
}

// QUE-GROUP-3: a preemption of the group begins beside the trial or not, each time after a pod was tried.
TEST(PodGroups, BeginAPreemptionBesideTheTrialOrNot) {
  Play play = with_groups({{"GenericWorkload", true}});
  play.node("n1", 1000).creates(placed(pod("v", 0, 1000), "n1"));
  writes(play, member("a", 20));
  CountedBeginnings choices;
  reference::play(play.world, CycleCommand{}, choices);
  EXPECT_EQ(choices.counts, std::vector<std::size_t>{2});
}

// QUE-GROUP-3: so does the second preemption. If it begins beside the trial, it does not clear the nomination
// of b, which is in no part of the queue then.
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

// QUE-GROUP-3: a pod that is not modelled ends the trial. Pods that it placed are nominated as before.
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
TEST(PodGroups, SayWhyTheyAreNotModelled) {
  Play play = with_group(4000);
  PodObject waiting = member("c", 7);
  waiting.annotations = {{"touchstone.dev/permit-seconds", "60"}};
  writes(play, waiting);
  EXPECT_EQ(does(play, CycleCommand{}).cycle->skipped,
            "a pod of a group that another plug-in has wait in Permit");
}

// QUE-GANG-4, QUE-GROUP-4, QUE-CACHE-2: the PodGroup goes before a pod of it is bound. The pod is taken out
// of the cache, which forgets its port.
TEST(PodGroups, ErrIfTheyAreGoneBeforeTheBinding) {
  Play play = with_groups();
  play.node("n1", 2000);
  writes(play, group_of(1));
  writes(play, member("big", 9, 3000));
  PodObject bound = member("a", 8);
  bound.pod = on_port(bound.pod);
  writes(play, bound);
  play.holds(CallKind::patch, "big");
  EXPECT_EQ(cycles(play), CycleOutcome::open);
  writes(play, group_of(1), Verb::remove);
  const StepAnswer answer = does(play, AnswerCommand{CallKind::patch, "default/big", CallResult::ok});
  EXPECT_TRUE(answer.clauses.contains("QUE-GANG-4"));
  EXPECT_TRUE(answer.clauses.contains("QUE-CACHE-2"));
  EXPECT_TRUE(answer.state.assumed.empty());
  EXPECT_EQ(play.message("a"), "running Permit plugin \"GangScheduling\": failed to get podGroup default/g");
}

// QUE-GROUP-4, QUE-FLIGHT-1: a pod that waits for the rest of its gang is in flight after the cycle, until
// its nomination is written.
TEST(PodGroups, LeaveTheirWaitingPodsInFlight) {
  Play play = with_group(4000);
  play.holds(CallKind::patch, "a");
  const StepAnswer answer = does(play, CycleCommand{});
  EXPECT_EQ(answer.cycle->outcome, CycleOutcome::scheduled);
  EXPECT_EQ(answer.state.waiting, Names{"default/a"});
  EXPECT_EQ(answer.state.in_flight, Names{"default/a"});
}

}  // namespace touchstone::tests::group_more_test
