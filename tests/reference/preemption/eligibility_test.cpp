#include <gtest/gtest.h>

#include "reference/preemption/preempt.hpp"
#include "tests/reference/steps.hpp"
#include "tests/support/builder.hpp"
#include "tests/support/storage.hpp"

namespace touchstone::tests::eligibility_test {

namespace {

Decision decide(const Question& question, const char* name) {
  Trace trace = Trace::full();
  return reference::preempt(question, release(name), trace);
}

Pod terminating(Pod pod, std::vector<Condition> conditions) {
  pod.terminating = true;
  pod.conditions = std::move(conditions);
  return pod;
}

/// p is nominated to n1, which has pod a. Pod b on n2 can be evicted.
Question nominated_to_n1(Pod a) {
  Pod preemptor = pod("p", 10, 1000);
  preemptor.nominated_node_name = "n1";
  return QuestionBuilder()
      .node("n1", 1000)
      .has(std::move(a))
      .node("n2", 1000)
      .has(pod("b", 0, 1000))
      .asks(preemptor);
}

const Condition k_preempted{"DisruptionTarget", "True", "PreemptionByScheduler"};

}  // namespace

// PRE-ELIGIBLE-1
TEST(Eligibility, HonoursNeverFrom119) {
  Question question = QuestionBuilder().node("n1", 1000).has(pod("a", 0, 1000)).asks(pod("p", 10, 1000));
  question.pod.preemption_policy = "Never";
  EXPECT_EQ(decide(question, "v1.18").outcome, Outcome::nominated);
  EXPECT_EQ(decide(question, "v1.19").reason,
            "Pod default/p is not eligible for preemption because it has a preemptionPolicy of Never");
  const Decision never = decide(question, "v1.34");
  EXPECT_EQ(never.outcome, Outcome::ineligible);
  EXPECT_EQ(never.reason, "not eligible due to preemptionPolicy=Never.");
  EXPECT_EQ(never.nomination, Nomination::kept);
}

// PRE-ELIGIBLE-2
TEST(Eligibility, DoesNotWaitForAnUnresolvableNodeFrom119) {
  Question question = nominated_to_n1(terminating(pod("a", 0, 1000), {k_preempted}));
  question.cluster.nodes[0].unschedulable = true;
  EXPECT_EQ(decide(question, "v1.18").outcome, Outcome::ineligible);
  EXPECT_EQ(decide(question, "v1.19").outcome, Outcome::nominated);
}

// PRE-ELIGIBLE-2, PRE-ELIGIBLE-3: one step of the trace says why the pod may preempt or may not.
TEST(Eligibility, IsOneStepOfTheTraceForANominatedPod) {
  const auto clauses = [](const Question& question) {
    return clauses_of(decision_steps(question, "v1.34", Stage::eligibility));
  };
  EXPECT_EQ(clauses(nominated_to_n1(pod("a", 0, 1000))), (ClausesOfSteps{{"PRE-ELIGIBLE-3", true}}));
  Question waits = nominated_to_n1(terminating(pod("a", 0, 1000), {k_preempted}));
  EXPECT_EQ(clauses(waits), (ClausesOfSteps{{"PRE-ELIGIBLE-3", false}}));
  waits.cluster.nodes[0].unschedulable = true;
  EXPECT_EQ(clauses(waits), (ClausesOfSteps{{"PRE-ELIGIBLE-2", true}}));
}

// PRE-ELIGIBLE-3, PRE-ELIGIBLE-4
TEST(Eligibility, WaitsForAPodThatTheSchedulerPreempted) {
  const Question by_scheduler =
      nominated_to_n1(terminating(pod("a", 0, 1000), {{"Ready", "True", ""}, k_preempted}));
  EXPECT_EQ(decide(by_scheduler, "v1.26").outcome, Outcome::ineligible);
  EXPECT_EQ(decide(by_scheduler, "v1.34").reason,
            "not eligible due to a terminating pod on the nominated node.");
  const Question by_user = nominated_to_n1(terminating(pod("a", 0, 1000), {}));
  EXPECT_EQ(decide(by_user, "v1.26").outcome, Outcome::ineligible);
  EXPECT_EQ(decide(by_user, "v1.27").outcome, Outcome::nominated);
}

// PRE-ELIGIBLE-4
TEST(Eligibility, ReadsTheFirstConditionOfThatType) {
  const Condition other{"DisruptionTarget", "True", "DeletionByTaintManager"};
  const Condition not_true{"DisruptionTarget", "False", "PreemptionByScheduler"};
  EXPECT_EQ(decide(nominated_to_n1(terminating(pod("a", 0, 1000), {other, k_preempted})), "v1.34").outcome,
            Outcome::nominated);
  EXPECT_EQ(decide(nominated_to_n1(terminating(pod("a", 0, 1000), {not_true})), "v1.34").outcome,
            Outcome::nominated);
}

// PRE-ELIGIBLE-3
TEST(Eligibility, DoesNotWaitForPodsOfItsPriorityNorOnAnUnknownNode) {
  EXPECT_EQ(decide(nominated_to_n1(terminating(pod("a", 10, 1000), {k_preempted})), "v1.34").outcome,
            Outcome::nominated);
  Question question = nominated_to_n1(terminating(pod("a", 0, 1000), {k_preempted}));
  question.pod.nominated_node_name = "gone";
  EXPECT_EQ(decide(question, "v1.34").outcome, Outcome::nominated);
  question = nominated_to_n1(pod("a", 0, 1000));
  EXPECT_EQ(decide(question, "v1.34").outcome, Outcome::nominated);
}

// PRE-CYCLE-1, PRE-CYCLE-2
TEST(Attempt, EndsWhereThePodFitsOrThereIsNoNode) {
  Question question =
      QuestionBuilder().node("n1", 1000).has(pod("a", 0, 1000)).node("n2", 1000).asks(pod("p", 10, 1000));
  const Decision fits = decide(question, "v1.34");
  EXPECT_EQ(fits.outcome, Outcome::fits);
  EXPECT_EQ(fits.feasible, (std::vector<NodeIndex>{1}));
  EXPECT_EQ(fits.filter.size(), 1u);
  EXPECT_EQ(fits.nomination, Nomination::absent);
  question = QuestionBuilder().asks(pod("p", 10, 1000));
  EXPECT_EQ(decide(question, "v1.34").outcome, Outcome::error);
  EXPECT_EQ(decide(question, "v1.34").nomination, Nomination::cleared);
  EXPECT_EQ(decide(question, "v1.22").nomination, Nomination::kept);
}

// PRE-CYCLE-3: the filters return an error on n2. The attempt reports it unless the pod fits on its nominated
// node.
TEST(Attempt, AsksTheNominatedNodeFirst) {
  Pod strange = with_volume(pod("a", 0, 1000), source("ephemeral"));
  strange.uid = "u-a";
  Stored stored(QuestionBuilder()
                    .node("n1", 1000)
                    .node("n2", 2000)
                    .has(strange)
                    .asks(with_claim(pod("p", 10, 1000), "c")));
  stored.with(claim("c", "v")).with(volume("v")).with(claim("a-v0", "v"));
  stored.with(CsiNode{"n2", {"d"}, {{"d", 5}}, {}});
  EXPECT_EQ(decide(stored, "v1.34").outcome, Outcome::error);
  stored.question().pod.nominated_node_name = "n1";
  const Decision there = decide(stored, "v1.34");
  EXPECT_EQ(there.outcome, Outcome::fits);
  EXPECT_EQ(there.feasible, (std::vector<NodeIndex>{0}));
  EXPECT_TRUE(there.filter.empty());
  stored.question().pod.nominated_node_name = "n2";
  EXPECT_EQ(decide(stored, "v1.34").outcome, Outcome::error);
  // An unknown pinned name does not matter either if the pod fits on its nominated node. If the pod is
  // rejected before the nodes, no node is filtered.
  Question pinned = QuestionBuilder().node("n1", 1000).asks(pod("p", 10, 1000));
  pinned.pod.node_affinity = {{{}, {{"metadata.name", "In", {"n1"}}}},
                              {{}, {{"metadata.name", "In", {"n9"}}}}};
  EXPECT_EQ(decide(pinned, "v1.28.0").outcome, Outcome::error);
  pinned.pod.nominated_node_name = "n1";
  EXPECT_EQ(decide(pinned, "v1.28.0").outcome, Outcome::fits);
  stored.question().pod.nominated_node_name = "n1";
  stored.question().cluster.storage.claims.erase("default/c");
  EXPECT_EQ(decide(stored, "v1.34").outcome, Outcome::none);
}

// PRE-PREFILTER-3: the host names of a volume exclude the nominated node, where a filter returns an error.
TEST(Attempt, IgnoresAnErrorOnAnExcludedNominatedNode) {
  const Stored stored = nominated_to_an_erring_node();
  for (const char* name : {"v1.27.0", "v1.29.5", "v1.29.6"}) {
    const Decision elsewhere = decide(stored, name);
    EXPECT_EQ(elsewhere.outcome, Outcome::fits) << name;
    EXPECT_EQ(elsewhere.feasible, (std::vector<NodeIndex>{0})) << name;
  }
  EXPECT_EQ(decide(stored, "v1.34").outcome, Outcome::error) << "host names exclude no node";
}

// PRE-POTENTIAL-1, PRE-POTENTIAL-2, PRE-OUTCOME-2
TEST(Outcome, WithoutAPotentialNodeClearsTheNominationFrom19) {
  Question question = QuestionBuilder().node("n1", 1000).has(pod("a", 0, 1000)).asks(pod("p", 10, 1000));
  question.cluster.nodes[0].unschedulable = true;
  question.pod.nominated_node_name = "n1";
  EXPECT_EQ(decide(question, "v1.8").nomination, Nomination::kept);
  EXPECT_EQ(decide(question, "v1.9").nomination, Nomination::cleared);
  EXPECT_EQ(decide(question, "v1.9").outcome, Outcome::none);
  EXPECT_TRUE(decide(question, "v1.34").dry_run.empty());
}

// PRE-OUTCOME-3, PRE-OUTCOME-4
TEST(Outcome, WithoutACandidateClearsTheNominationFrom123) {
  Question question = QuestionBuilder().node("n1", 1000).has(pod("a", 10, 1000)).asks(pod("p", 10, 1000));
  question.pod.nominated_node_name = "n1";
  EXPECT_EQ(decide(question, "v1.22").nomination, Nomination::kept);
  EXPECT_EQ(decide(question, "v1.23.1").nomination, Nomination::kept);
  EXPECT_EQ(decide(question, "v1.23.2").nomination, Nomination::cleared);
}

// PRE-OUTCOME-1
TEST(Outcome, ClearsLowerNominationsOfTheChosenNode) {
  Question question = QuestionBuilder()
                          .node("n1", 1000)
                          .has(pod("a", 0, 1000))
                          .nominated(pod("low", 9, 0))
                          .nominated(pod("equal", 10, 0))
                          .node("n2", 1000)
                          .nominated(pod("elsewhere", 0, 0))
                          .has(pod("b", 5, 1000))
                          .asks(pod("p", 10, 1000));
  EXPECT_EQ(decide(question, "v1.34").clears, (std::vector<PodIndex>{1}));
  EXPECT_EQ(decide(question, "v1.34").nomination, Nomination::set);
  EXPECT_TRUE(decide(question, "v1.8").clears.empty());
  // From v1.35 no nomination is cleared if all victims are already terminating.
  question.cluster.pods[0].terminating = true;
  EXPECT_EQ(decide(question, "v1.34.4").clears, (std::vector<PodIndex>{1}));
  EXPECT_TRUE(decide(question, "v1.35").clears.empty());
}

// PRE-OUTCOME-1: victim a is terminating, victim b is not.
TEST(Outcome, ClearsNominationsFrom135IfSomeVictimIsNotTerminating) {
  const Question question = QuestionBuilder()
                                .node("n1", 2000)
                                .has(terminating(pod("a", 0, 1000), {}))
                                .has(pod("b", 0, 1000))
                                .nominated(pod("low", 9, 0))
                                .asks(pod("p", 10, 2000));
  EXPECT_EQ(decide(question, "v1.35").clears, (std::vector<PodIndex>{2}));
}

// PRE-INPUT-1, PRE-INPUT-2, PRE-INPUT-3
TEST(Cycle, KnowsWhoIsBoundWhoNominatedAndWhoNeither) {
  Question question = QuestionBuilder()
                          .node("n1", 1000)
                          .has(pod("bound", 0, 1))
                          .has(pod("done", 0, 1))
                          .has(pod("failed", 0, 1))
                          .nominated(pod("q", 0, 1))
                          .asks(pod("p", 10, 1));
  question.cluster.pods[1].phase = "Succeeded";
  question.cluster.pods[2].phase = "Failed";
  Pod elsewhere = pod("elsewhere", 0, 1);
  elsewhere.node_name = "gone";
  question.cluster.pods.push_back(elsewhere);
  elsewhere.node_name = "";
  elsewhere.nominated_node_name = "gone";
  elsewhere.name = "nominated-elsewhere";
  question.cluster.pods.push_back(elsewhere);
  question.cluster.pods.push_back(pod("pending", 0, 1));
  Pod self = pod("p", 10, 1);
  self.node_name = "n1";
  question.cluster.pods.push_back(self);
  const Release asked = release("v1.34");
  Trace trace = Trace::none();
  const reference::Cycle cycle(question, asked, trace);
  ASSERT_EQ(cycle.nodes[0].pods.size(), 1u);
  EXPECT_EQ(cycle.nodes[0].pods[0].pod, 0u);
  ASSERT_EQ(cycle.nominated[0].size(), 1u);
  EXPECT_EQ(cycle.nominated[0][0].pod, 3u);
}

// PRE-INPUT-3
TEST(Cycle, KnowsThePreemptorByItsUid) {
  Question question = QuestionBuilder().node("n1", 1000).has(pod("p", 0, 1)).asks(pod("p", 10, 1));
  const Release asked = release("v1.34");
  Trace trace = Trace::none();
  question.pod.uid = "u1";
  EXPECT_EQ(reference::Cycle(question, asked, trace).nodes[0].pods.size(), 1u);
  question.cluster.pods[0].uid = "u1";
  EXPECT_TRUE(reference::Cycle(question, asked, trace).nodes[0].pods.empty());
}

// PRE-INPUT-3: neither pod has a UID.
TEST(Cycle, KnowsThePreemptorByNamespaceAndNameWithoutUids) {
  Question question = QuestionBuilder().node("n1", 1000).has(pod("p", 0, 1)).asks(pod("p", 10, 1));
  const Release asked = release("v1.34");
  Trace trace = Trace::none();
  EXPECT_TRUE(reference::Cycle(question, asked, trace).nodes[0].pods.empty());
  question.cluster.pods[0].ns = "other";
  EXPECT_EQ(reference::Cycle(question, asked, trace).nodes[0].pods.size(), 1u);
}

// PRE-INPUT-3: a pod on n1 has the name of p. If it has a UID and p has none, it is another pod.
TEST(Cycle, TellsPodsApartByUidIfOneHasAUid) {
  Question question = QuestionBuilder().node("n1", 1000).has(pod("p", 20, 1000)).asks(pod("p", 10, 1000));
  EXPECT_EQ(decide(question, "v1.34").outcome, Outcome::fits);
  question.cluster.pods[0].uid = "u";
  EXPECT_EQ(decide(question, "v1.34").outcome, Outcome::none);
}

// QUE-CACHE-2: the forgotten ports are in the order of node names. They begin with a node that is gone. The
// port of n1, which comes after it, is forgotten all the same.
TEST(Cycle, ForgetsPortsListedAfterThoseOfANodeThatIsGone) {
  Question question = QuestionBuilder()
                          .node("n1", 1000)
                          .has(with_host_port(pod("a", 20, 0), 80))
                          .asks(with_host_port(pod("p", 10, 0), 80));
  EXPECT_EQ(decide(question, "v1.34").outcome, Outcome::none);
  question.cluster.forgotten_ports = {{"gone", {{"TCP", 80, "0.0.0.0"}}}, {"n1", {{"TCP", 80, "0.0.0.0"}}}};
  EXPECT_EQ(decide(question, "v1.34").outcome, Outcome::fits);
}

// PRE-AFFINITY-6, PRE-SPREAD-6: the dry run removes pod 4, adds pod 9, and adds pod 7 back. Counts that a
// release updates pod by pod change for the first two only.
TEST(ForEachChange, LeavesOutPodsOfBothLists) {
  std::vector<std::pair<PodIndex, Quantity>> changes;
  reference::for_each_change(
      {{4, nullptr}, {7, nullptr}}, {{7, nullptr, true}, {9, nullptr}},
      [&changes](const reference::PodOnNode& pod, Quantity by) { changes.emplace_back(pod.pod, by); });
  EXPECT_EQ(changes, (std::vector<std::pair<PodIndex, Quantity>>{{4, -1}, {9, 1}}));
}

}  // namespace touchstone::tests::eligibility_test
