// tests/reference/preemption: NodeChoice into choice_test.cpp, SelectVictims into victims_test.cpp,
// PreemptionTrace into preemption_trace_test.cpp
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/reference/steps.hpp"
#include "tests/support/decided.hpp"
#include "tests/support/topology.hpp"

namespace touchstone::tests::more_preemption_test {

namespace {

using Names = std::vector<std::string>;

Question full_node(Quantity priority_of_victim = 0) {
  return QuestionBuilder().node("n1", 1000).has(pod("a", priority_of_victim, 1000)).asks(pod("p", 10, 1000));
}

}  // namespace

// PRE-NODE-5: on n1 the earliest start of a victim is 200, on n2 it is 300. The pod b of n1, which has not
// started, counts for nothing.
TEST(NodeChoice, LeavesOutVictimsThatHaveNotStarted) {
  const Question question = QuestionBuilder()
                                .node("n1", 2000)
                                .has(started(pod("a", 0, 1000), 200))
                                .has(unstarted(pod("b", 0, 1000)))
                                .node("n2", 2000)
                                .has(started(pod("c", 0, 1000), 300))
                                .has(started(pod("d", 0, 1000), 300))
                                .asks(pod("p", 10, 2000));
  for (const char* name : {"v1.15", "v1.34", "v1.37"})
    EXPECT_EQ(victims(question, name), (Names{"c", "d"})) << name;
}

// PRE-VICTIM-5, PRE-VICTIM-4: only the order of unstarted pods of one priority is reversed.
TEST(SelectVictims, KeepUnstartedPodsOfOtherPrioritiesInOrder) {
  const Question question = QuestionBuilder()
                                .node("n1", 2000)
                                .has(unstarted(pod("high", 5, 1000)))
                                .has(unstarted(pod("low", 1, 1000)))
                                .asks(pod("p", 10, 1000));
  for (const char* name : {"v1.14", "v1.15", "v1.34", "v1.37"})
    EXPECT_EQ(victims(question, name), Names{"low"}) << name;
}

// QUE-ENTITY-7, PRE-VICTIM-4: a pod of a group is more important than a pod without one whose priority is
// that of the group, although it has started later.
TEST(SelectVictims, AreLessImportantWithoutAGroup) {
  Question question = QuestionBuilder()
                          .node("n1", 2000)
                          .has(started(pod("of-a-group", 1, 1000), 200))
                          .has(started(pod("single", 5, 1000), 100))
                          .asks(pod("p", 10, 1000));
  question.cluster.pods[0].group_priority = 5;
  EXPECT_EQ(victims(question, "v1.36"), Names{"single"});
}

// PRE-SPREAD-6: v1.19 can remove the pod of one node, but crashes on the other, over which p does not spread.
// It does not matter which of them comes first.
TEST(SelectVictims, CrashOnEachNode) {
  Question question = in_zones(QuestionBuilder()
                                   .node("n1", 1000)
                                   .has(pod("a", 0, 1000))
                                   .node("n2", 1000)
                                   .has(with_app(pod("b", 0, 1000), "x"))
                                   .asks(spread(with_app(pod("p", 10, 1000), "x"), {over("zone", "x")})),
                               {"a", "b"});
  question.pod.node_selector["disk"] = "ssd";
  question.cluster.nodes[0].labels["disk"] = "ssd";
  EXPECT_EQ(decide(question, "v1.19").outcome, Outcome::error);
  std::swap(question.cluster.nodes[0], question.cluster.nodes[1]);
  EXPECT_EQ(decide(question, "v1.19").outcome, Outcome::error);
  EXPECT_EQ(decide(question, "v1.18").outcome, Outcome::nominated);
}

// PRE-VICTIM-3: p does not fit on n1 even without b, so no pod is reprieved there.
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

// PRE-ELIGIBLE-1
TEST(PreemptionTrace, SaysThatAPodMayNeverPreempt) {
  Question question = full_node();
  question.pod.preemption_policy = "Never";
  EXPECT_EQ(clauses_of(decision_steps(question, "v1.34", Stage::eligibility)),
            (ClausesOfSteps{{"PRE-ELIGIBLE-1", false}}));
}

// PRE-POTENTIAL-1
TEST(PreemptionTrace, SaysWhetherEvictionsMightHelp) {
  Question question = full_node();
  const auto texts = [&question] {
    std::set<std::string> said;
    for (const Step& step : decision_steps(question, "v1.34", Stage::potential)) said.insert(step.what);
    return said;
  };
  EXPECT_EQ(texts(), std::set<std::string>{"evictions might help"});
  question.cluster.nodes[0].unschedulable = true;
  EXPECT_EQ(texts(), std::set<std::string>{"no eviction can help"});
}

// PRE-OUTCOME-2, PRE-OUTCOME-3: without a candidate or a potential node the last step says what becomes of
// the nomination.
TEST(PreemptionTrace, EndsWithWhatBecomesOfTheNomination) {
  std::set<Nomination> seen;
  for (const char* name : {"v1.8", "v1.13", "v1.18", "v1.20", "v1.34", "v1.37"}) {
    Question unschedulable = full_node();
    unschedulable.cluster.nodes[0].unschedulable = true;
    for (const Question& question : {full_node(20), unschedulable}) {
      const Decision decision = decide(question, name);
      const std::vector<Step> steps = decision_steps(question, name, Stage::outcome);
      ASSERT_EQ(decision.outcome, Outcome::none) << name;
      ASSERT_EQ(steps.size(), 1U) << name;
      EXPECT_FALSE(steps[0].passed) << name;
      EXPECT_EQ(steps[0].what,
                decision.nomination == Nomination::cleared ? "nomination cleared" : "nomination kept");
      seen.insert(decision.nomination);
    }
  }
  EXPECT_EQ(seen, (std::set{Nomination::kept, Nomination::cleared}));
}

}  // namespace touchstone::tests::more_preemption_test
