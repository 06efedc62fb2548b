#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "tests/reference/steps.hpp"

/// The steps that each part of a preemption records in the trace.
namespace touchstone::tests::preemption_trace_test {

namespace {

using Texts = std::vector<std::string>;

/// A step as text: "+" (passed) or "-", the clause and the text, then the node, the pod and the values, if
/// the step has them.
std::string text_of(const Step& step) {
  std::string text = (step.passed ? "+ " : "- ") + std::string(step.clause) + " " + step.what;
  if (step.node) text += ", node " + std::to_string(*step.node);
  if (step.pod) text += ", pod " + std::to_string(*step.pod);
  for (const auto& [measure, value] : step.values)
    text += ", " + std::string(name_of(measure)) + " " + std::to_string(value);
  return text;
}

Texts texts_of(const std::vector<Step>& steps) {
  Texts texts;
  for (const Step& step : steps) texts.push_back(text_of(step));
  return texts;
}

Texts steps(const Question& question, const char* name, Stage stage) {
  return texts_of(decision_steps(question, name, stage));
}

/// n0 and n1 have cpu 1000, and each has a pod of this priority that uses all of it.
Question two_full_nodes(Quantity on_n0, Quantity on_n1) {
  return QuestionBuilder()
      .node("n0", 1000)
      .has(pod("a", on_n0, 1000))
      .node("n1", 1000)
      .has(pod("b", on_n1, 1000))
      .asks(pod("p", 10, 1000));
}

}  // namespace

// PRE-ELIGIBLE-1, PRE-ELIGIBLE-3: v1.18 does not read preemptionPolicy, so the step cites the
// other clause.
TEST(PreemptionTrace, HasTheClauseByWhichAPodMayPreempt) {
  const Question question = two_full_nodes(0, 0);
  EXPECT_EQ(steps(question, "v1.34", Stage::eligibility), Texts{"+ PRE-ELIGIBLE-1 may preempt"});
  EXPECT_EQ(steps(question, "v1.18", Stage::eligibility), Texts{"+ PRE-ELIGIBLE-3 may preempt"});
}

// PRE-ELIGIBLE-1: the preemptionPolicy of the pod is Never.
TEST(PreemptionTrace, SaysThatAPodMayNeverPreempt) {
  Question question = two_full_nodes(0, 0);
  question.pod.preemption_policy = "Never";
  EXPECT_EQ(clauses_of(decision_steps(question, "v1.34", Stage::eligibility)),
            (ClausesOfSteps{{"PRE-ELIGIBLE-1", false}}));
}

// PRE-POTENTIAL-1: evictions do not help on a node that is unschedulable.
TEST(PreemptionTrace, SaysWhetherEvictionsMightHelp) {
  Question question = two_full_nodes(0, 0);
  const auto texts = [&question] {
    std::set<std::string> said;
    for (const Step& step : decision_steps(question, "v1.34", Stage::potential)) said.insert(step.what);
    return said;
  };
  EXPECT_EQ(texts(), std::set<std::string>{"evictions might help"});
  for (Node& node : question.cluster.nodes) node.unschedulable = true;
  EXPECT_EQ(texts(), std::set<std::string>{"no eviction can help"});
}

// PRE-SEARCH-2, PRE-SEARCH-3, PRE-SEARCH-4, PRE-SEARCH-5: with offset 4 the search of three nodes starts at
// n1. The evictions on n1 and n2 violate a PDB. The quota of one such candidate is used up by n1, so that of
// n2 is lost. The candidate on n0 ends the search. v1.19 does not sample.
TEST(PreemptionTrace, HasTheStepsOfASampledSearch) {
  Question question = QuestionBuilder()
                          .node("n0", 1000)
                          .has(pod("a", 0, 1000))
                          .node("n1", 1000)
                          .has(with_app(pod("b", 0, 1000), "x"))
                          .node("n2", 1000)
                          .has(with_app(pod("c", 0, 1000), "x"))
                          .pdb("x", 0)
                          .asks(pod("p", 10, 1000));
  question.offset = 4;
  question.quota = 1;
  EXPECT_EQ(steps(question, "v1.34", Stage::search),
            (Texts{"+ PRE-SEARCH-2 sampled, quota 1", "+ PRE-SEARCH-3 starts, node 1, number 1",
                   "- PRE-SEARCH-5 lost, node 2", "+ PRE-SEARCH-4 ends, node 0, visited 3"}));
  EXPECT_EQ(steps(question, "v1.19", Stage::search), Texts{});
}

// PRE-VICTIM-2, PRE-VICTIM-3: the pod on n0 has the priority of p, the pod on n1 a lower one.
TEST(PreemptionTrace, SaysWhetherANodeHasPodsOfLowerPriority) {
  EXPECT_EQ(steps(two_full_nodes(10, 0), "v1.34", Stage::without_victims),
            (Texts{"- PRE-VICTIM-2 no pod of lower priority, node 0",
                   "+ PRE-VICTIM-3 without the pods of lower priority, node 1, removed 1"}));
}

// PRE-VICTIM-3: p does not fit on n1 even without b, so the dry run tries no reprieve.
TEST(PreemptionTrace, HasNoReprieveOnANodeThatIsNoCandidate) {
  const Question question = QuestionBuilder()
                                .node("n1", 2000)
                                .has(pod("a", 20, 1500))
                                .has(pod("b", 0, 500))
                                .asks(pod("p", 10, 1000));
  for (const char* name : {"v1.13", "v1.34"}) {
    EXPECT_EQ(decision_steps(question, name, Stage::without_victims).size(), 1U) << name;
    EXPECT_TRUE(decision_steps(question, name, Stage::reprieve).empty()) << name;
    EXPECT_TRUE(decision_steps(question, name, Stage::candidate).empty()) << name;
  }
}

// PRE-PREFILTER-4: the pinned names contradict each other. v1.27.0 loses this failure, so both nodes are
// potential.
TEST(PreemptionTrace, HasTheNodesOnWhichAFilterHasNoState) {
  Question question = two_full_nodes(0, 0);
  question.pod.node_affinity.emplace().push_back(
      {{}, {{"metadata.name", "In", {"n0"}}, {"metadata.name", "In", {"n1"}}}});
  EXPECT_EQ(steps(question, "v1.27.0", Stage::without_victims),
            (Texts{"- PRE-PREFILTER-4 a filter has no state to remove a pod from, node 0",
                   "- PRE-PREFILTER-4 a filter has no state to remove a pod from, node 1"}));
}

// PRE-VICTIM-8: the only pod of lower priority is reprieved. v1.34 then has no candidate, v1.21 has one
// without victims.
TEST(PreemptionTrace, SaysWhetherANodeWithoutVictimsIsACandidate) {
  const Question question =
      QuestionBuilder().node("n0", 2000).has(pod("a", 1, 1000)).asks(pod("p", 10, 1000));
  const auto candidates = [&question](const char* name) {
    const Release asked = release(name);
    Trace trace = Trace::full();
    const reference::Cycle cycle(question, asked, trace);
    reference::select_victims(cycle, 0, {});
    return texts_of(of_stage(trace, Stage::candidate));
  };
  EXPECT_EQ(candidates("v1.34"), Texts{"- PRE-VICTIM-8 no victim is left, node 0"});
  EXPECT_EQ(candidates("v1.21"), Texts{"+ PRE-VICTIM-7 candidate, node 0, victims 0, PDB violations 0"});
}

// PRE-PDB-1, PRE-PDB-3, PRE-PDB-4, PRE-PDB-5: v1.8 ignores PDBs. A step passes if the budget has a disruption
// left.
TEST(PreemptionTrace, HasTheClauseByWhichTheReleaseSpendsABudget) {
  Question question = two_full_nodes(0, 20);
  question.cluster.pods[0].labels["app"] = "x";
  question.cluster.pdbs.push_back({"default", "x", LabelSelector{{{"app", "x"}}, {}}, 1, {}});
  const auto budget = [&question](const char* name) { return steps(question, name, Stage::budget); };
  EXPECT_EQ(budget("v1.8"), Texts{});
  EXPECT_EQ(budget("v1.17"), Texts{"+ PRE-PDB-3 default/x, pod 0, left 1"});
  EXPECT_EQ(budget("v1.18"), Texts{"+ PRE-PDB-4 default/x, pod 0, left 1"});
  EXPECT_EQ(budget("v1.36"), Texts{"+ PRE-PDB-5 default/x, pod 0, left 1"});
  question.cluster.pdbs[0].disruptions_allowed = 0;
  EXPECT_EQ(budget("v1.37"), Texts{"- PRE-PDB-4 default/x, pod 0, left 0"});
}

// PRE-NODE-2: the victim on n0 has the lower priority. PRE-NODE-3 adds 2^31 to each priority.
TEST(PreemptionTrace, HasTheValuesOfTheBestCandidateAndOfTheOthers) {
  EXPECT_EQ(steps(two_full_nodes(1, 2), "v1.34", Stage::choice),
            (Texts{"+ PRE-NODE-2 best, node 0, PDB violations 0, first victim's priority 1, "
                   "sum of priorities 2147483649, victims 1, earliest start 100",
                   "- PRE-NODE-2 falls, node 1, PDB violations 0, first victim's priority 2, "
                   "sum of priorities 2147483650, victims 1, earliest start 100"}));
}

// PRE-OUTCOME-1: a pod of lower priority loses its nomination, a pod of equal priority does not.
TEST(PreemptionTrace, HasTheNominationAndTheNominationsThatAreLost) {
  const Question question = QuestionBuilder()
                                .node("n0", 1000)
                                .has(pod("a", 0, 1000))
                                .nominated(pod("low", 9, 0))
                                .nominated(pod("equal", 10, 0))
                                .asks(pod("p", 10, 1000));
  EXPECT_EQ(steps(question, "v1.34", Stage::outcome),
            (Texts{"+ PRE-OUTCOME-1 nominated, node 0, admissible 1",
                   "- PRE-OUTCOME-1 loses its nomination, node 0, pod 1"}));
}

// PRE-OUTCOME-2, PRE-OUTCOME-3: without a potential node, and without a candidate, the last step says whether
// the nomination is cleared.
TEST(PreemptionTrace, SaysWhetherTheNominationIsCleared) {
  std::set<Nomination> seen;
  for (const char* name : {"v1.8", "v1.13", "v1.18", "v1.20", "v1.34", "v1.37"}) {
    Question unschedulable = two_full_nodes(0, 0);
    for (Node& node : unschedulable.cluster.nodes) node.unschedulable = true;
    for (const Question& question : {two_full_nodes(20, 20), unschedulable}) {
      const Decision decision = reference::preempt(question, release(name));
      const std::vector<Step> last = decision_steps(question, name, Stage::outcome);
      ASSERT_EQ(decision.outcome, Outcome::none) << name;
      ASSERT_EQ(last.size(), 1U) << name;
      EXPECT_FALSE(last[0].passed) << name;
      EXPECT_EQ(last[0].what,
                decision.nomination == Nomination::cleared ? "nomination cleared" : "nomination kept")
          << name;
      seen.insert(decision.nomination);
    }
  }
  EXPECT_EQ(seen, (std::set{Nomination::kept, Nomination::cleared}));
}

// PRE-VICTIM-8: the candidate on n0 has no victims.
TEST(PreemptionTrace, HasTheCrashOfTheChoice) {
  const Question question = two_full_nodes(0, 0);
  const Release asked = release("v1.20");
  CanonicalChoices choices;
  Trace trace = Trace::full();
  const reference::Cycle cycle(question, asked, trace);
  Decision decision;
  decision.candidates = {{0, {}, 0}, {1, {1}, 0}};
  reference::conclude(cycle, choices, decision);
  EXPECT_EQ(texts_of(of_stage(trace, Stage::outcome)),
            Texts{"- PRE-VICTIM-8 a candidate without victims crashes the choice"});
}

}  // namespace touchstone::tests::preemption_trace_test
