#include <gtest/gtest.h>

#include "reference/preemption/preempt.hpp"
#include "tests/support/builder.hpp"

/// The steps that each part of a preemption records in the trace.
namespace touchstone::tests::preemption_trace_test {

namespace {

/// A step as text: "+" (passed) or "-", the clause, the text, then the node, the pod and the values that the
/// step has.
std::string text_of(const Step& step) {
  std::string text = (step.passed ? "+ " : "- ") + std::string(step.clause) + " " + step.what;
  if (step.node) text += ", node " + std::to_string(*step.node);
  if (step.pod) text += ", pod " + std::to_string(*step.pod);
  for (const auto& [measure, value] : step.values) text += ", " + std::to_string(value);
  return text;
}

using Texts = std::vector<std::string>;

Texts of_stage(const Trace& trace, Stage stage) {
  Texts texts;
  for (const Step& step : trace.steps()) {
    if (step.stage == stage) texts.push_back(text_of(step));
  }
  return texts;
}

Texts steps(const Question& question, const char* name, Stage stage) {
  Trace trace = Trace::full();
  reference::preempt(question, release(name), trace);
  return of_stage(trace, stage);
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

// PRE-ELIGIBLE-1, PRE-ELIGIBLE-3
TEST(PreemptionTrace, SaysThatAPodMayPreempt) {
  const Question question = two_full_nodes(0, 0);
  EXPECT_EQ(steps(question, "v1.34", Stage::eligibility), Texts{"+ PRE-ELIGIBLE-1 may preempt"});
  EXPECT_EQ(steps(question, "v1.18", Stage::eligibility), Texts{"+ PRE-ELIGIBLE-3 may preempt"});
}

// PRE-SEARCH-2, PRE-SEARCH-3, PRE-SEARCH-4, PRE-SEARCH-5: on n1 the eviction violates a PDB, and so it does
// on n2, whose candidate is lost. The candidate on n0 ends the search.
TEST(PreemptionTrace, HasTheWayOfTheSearch) {
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
            (Texts{"+ PRE-SEARCH-2 sampled, 1", "+ PRE-SEARCH-3 starts, node 1, 1",
                   "- PRE-SEARCH-5 lost, node 2", "+ PRE-SEARCH-4 ends, node 0, 3"}));
  EXPECT_EQ(steps(question, "v1.19", Stage::search), Texts{});
}

// PRE-VICTIM-2, PRE-VICTIM-3
TEST(PreemptionTrace, HasTheNodesWithoutPodsOfLowerPriority) {
  EXPECT_EQ(steps(two_full_nodes(10, 0), "v1.34", Stage::without_victims),
            (Texts{"- PRE-VICTIM-2 no pod of lower priority, node 0",
                   "+ PRE-VICTIM-3 without the pods of lower priority, node 1, 1"}));
}

// PRE-PREFILTER-4
TEST(PreemptionTrace, HasTheNodesOnWhichAFilterHasNoState) {
  Question question = two_full_nodes(0, 0);
  question.pod.node_affinity.emplace().push_back(
      {{}, {{"metadata.name", "In", {"n0"}}, {"metadata.name", "In", {"n1"}}}});
  EXPECT_EQ(steps(question, "v1.27.0", Stage::without_victims),
            (Texts{"- PRE-PREFILTER-4 a filter has no state to remove a pod from, node 0",
                   "- PRE-PREFILTER-4 a filter has no state to remove a pod from, node 1"}));
}

// PRE-VICTIM-8: the only pod of lower priority is reprieved.
TEST(PreemptionTrace, HasNoCandidateWhereNoVictimIsLeft) {
  const Question question =
      QuestionBuilder().node("n0", 2000).has(pod("a", 1, 1000)).asks(pod("p", 10, 1000));
  const auto candidates = [&question](const char* name) {
    const Release asked = release(name);
    Trace trace = Trace::full();
    const reference::Cycle cycle(question, asked, trace);
    reference::select_victims(cycle, 0, {});
    return of_stage(trace, Stage::candidate);
  };
  EXPECT_EQ(candidates("v1.34"), Texts{"- PRE-VICTIM-8 no victim is left, node 0"});
  EXPECT_EQ(candidates("v1.21"), Texts{"+ PRE-VICTIM-7 candidate, node 0, 0, 0"});
}

// PRE-PDB-3, PRE-PDB-4, PRE-PDB-5
TEST(PreemptionTrace, HasTheClauseByWhichTheReleaseSpendsABudget) {
  Question question = two_full_nodes(0, 20);
  question.cluster.pods[0].labels["app"] = "x";
  question.cluster.pdbs.push_back({"default", "x", LabelSelector{{{"app", "x"}}, {}}, 1, {}});
  const auto budget = [&question](const char* name) { return steps(question, name, Stage::budget); };
  EXPECT_EQ(budget("v1.8"), Texts{});
  EXPECT_EQ(budget("v1.17"), Texts{"+ PRE-PDB-3 default/x, pod 0, 1"});
  EXPECT_EQ(budget("v1.18"), Texts{"+ PRE-PDB-4 default/x, pod 0, 1"});
  EXPECT_EQ(budget("v1.36"), Texts{"+ PRE-PDB-5 default/x, pod 0, 1"});
  question.cluster.pdbs[0].disruptions_allowed = 0;
  EXPECT_EQ(budget("v1.37"), Texts{"- PRE-PDB-4 default/x, pod 0, 0"});
}

// PRE-NODE-2
TEST(PreemptionTrace, HasTheBestCandidateAndTheOnesThatFall) {
  EXPECT_EQ(steps(two_full_nodes(1, 2), "v1.34", Stage::choice),
            (Texts{"+ PRE-NODE-2 best, node 0, 0, 1, 2147483649, 1, 100",
                   "- PRE-NODE-2 falls, node 1, 0, 2, 2147483650, 1, 100"}));
}

// PRE-OUTCOME-1
TEST(PreemptionTrace, HasTheNominationAndTheOnesThatAreLost) {
  const Question question = QuestionBuilder()
                                .node("n0", 1000)
                                .has(pod("a", 0, 1000))
                                .nominated(pod("low", 9, 0))
                                .nominated(pod("equal", 10, 0))
                                .asks(pod("p", 10, 1000));
  EXPECT_EQ(
      steps(question, "v1.34", Stage::outcome),
      (Texts{"+ PRE-OUTCOME-1 nominated, node 0, 1", "- PRE-OUTCOME-1 loses its nomination, node 0, pod 1"}));
}

// PRE-VICTIM-8
TEST(PreemptionTrace, HasTheCrashOfTheChoice) {
  const Question question = two_full_nodes(0, 0);
  const Release asked = release("v1.20");
  CanonicalChoices choices;
  Trace trace = Trace::full();
  const reference::Cycle cycle(question, asked, trace);
  Decision decision;
  decision.candidates = {{0, {}, 0}, {1, {1}, 0}};
  reference::conclude(cycle, choices, decision);
  EXPECT_EQ(of_stage(trace, Stage::outcome),
            Texts{"- PRE-VICTIM-8 a candidate without victims crashes the choice"});
}

}  // namespace touchstone::tests::preemption_trace_test
