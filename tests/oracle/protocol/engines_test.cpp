#include "oracle/protocol/engines.hpp"

#include <gtest/gtest.h>

#include "reference/preemption/preempt.hpp"
#include "tests/support/builder.hpp"

/// Tests the comparison of the two engines: it must report each part that differs.
namespace touchstone::oracle {

namespace {

using tests::pod;
using tests::QuestionBuilder;
using tests::release;

/// Two nodes that tie, and a nominated pod that loses its nomination.
Question tie() {
  return QuestionBuilder()
      .node("n1", 100)
      .has(pod("a", 0, 100))
      .nominated(pod("waits", 1, 100))
      .node("n2", 100)
      .has(pod("b", 0, 100))
      .asks(pod("p", 10, 100));
}

optimized::Answer answer_to_tie() {
  optimized::Workers workers(1);
  return optimized_answer(tie(), release("v1.34"), workers);
}

/// The name of the part that differs after a change to the answer. If not exactly one part differs, the
/// number of such parts.
std::string seen(const std::function<void(optimized::Answer&)>& change) {
  const Decision decision = reference::preempt(tie(), release("v1.34"));
  optimized::Answer answer = answer_to_tie();
  change(answer);
  const std::vector<Difference> differences = differences_of(answer, decision, tie().cluster);
  EXPECT_EQ(agree(answer, decision), differences.empty());
  return differences.size() == 1 ? differences[0].key : std::to_string(differences.size());
}

}  // namespace

TEST(Engines, AgreeOnATie) {
  EXPECT_EQ(seen([](optimized::Answer&) {}), "0");
  EXPECT_EQ(answer_to_tie().admissible.size(), 2u);
  EXPECT_EQ(answer_to_tie().clears.size(), 1u);
}

TEST(Engines, DifferInEachPart) {
  EXPECT_EQ(seen([](optimized::Answer& answer) { answer.outcome = Outcome::none; }), "outcome");
  EXPECT_EQ(seen([](optimized::Answer& answer) { answer.outcome = Outcome::skipped; }), "outcome");
  EXPECT_EQ(seen([](optimized::Answer& answer) { answer.reason = "else"; }), "reason");
  EXPECT_EQ(seen([](optimized::Answer& answer) { answer.nomination = Nomination::kept; }), "nomination");
  EXPECT_EQ(seen([](optimized::Answer& answer) { answer.admissible = {0}; }), "admissible");
  EXPECT_EQ(seen([](optimized::Answer& answer) { answer.node = 1; }), "node");
  EXPECT_EQ(seen([](optimized::Answer& answer) { answer.victims = {2}; }), "victims");
  EXPECT_EQ(seen([](optimized::Answer& answer) { answer.pdb_violations = 1; }), "numPDBViolations");
  EXPECT_EQ(seen([](optimized::Answer& answer) { answer.clears.clear(); }), "clears");
}

TEST(Engines, DifferInTheNodesThatFit) {
  const Question question = QuestionBuilder().node("n1", 100).node("n2", 100).asks(pod("p", 10, 100));
  optimized::Workers workers(1);
  optimized::Answer answer = optimized_answer(question, release("v1.34"), workers);
  const Decision decision = reference::preempt(question, release("v1.34"));
  EXPECT_TRUE(agree(answer, decision));
  answer.feasible.pop_back();
  EXPECT_FALSE(agree(answer, decision));
  EXPECT_EQ(differences_of(answer, decision, question.cluster)[0].ours, R"(["n1","n2"])");
}

TEST(Engines, EachDecides) {
  Trace trace = Trace::none();
  const Decided whole = decide(tie(), release("v1.34"), Engine::reference, reference_decider(), trace);
  const Decided part = decide(tie(), release("v1.34"), Engine::optimized, reference_decider(), trace);
  EXPECT_TRUE(whole.is_whole);
  EXPECT_FALSE(part.is_whole);
  EXPECT_EQ(part.decision.candidates, whole.decision.candidates);  // all candidates are in the tie
  EXPECT_EQ(part.decision.admissible, whole.decision.admissible);
  EXPECT_EQ(part.decision.chosen, whole.decision.chosen);
  EXPECT_EQ(part.decision.clears, whole.decision.clears);
  EXPECT_TRUE(part.decision.filter.empty());
  EXPECT_TRUE(decide(tie(), release("v1.34"), Engine::both, reference_decider(), trace).differences.empty());
}

}  // namespace touchstone::oracle
