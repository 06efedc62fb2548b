#include <gtest/gtest.h>

#include "reference/preemption/preempt.hpp"
#include "tests/support/builder.hpp"

namespace touchstone::tests::pdb_test {

namespace {

Decision decide(const Question& question, const char* name) {
  return reference::preempt(question, release(name));
}

/// Two pods of one PDB, both victims.
Question two_covered(Quantity allowed) {
  return QuestionBuilder()
      .node("n1", 2000)
      .has(with_app(pod("a", 5, 1000), "x"))
      .has(with_app(pod("b", 1, 1000), "x"))
      .pdb("x", allowed)
      .asks(pod("p", 10, 2000));
}

Quantity violations(const Question& question, const char* name) {
  return decide(question, name).candidates.at(0).pdb_violations;
}

}  // namespace

// PRE-PDB-2, PRE-PDB-7
TEST(PdbCovers, KnowsNamespaceSelectorAndLabels) {
  const Pod labelled = with_app(pod("a", 0, 0), "x");
  const PodDisruptionBudget pdb{"default", "b", LabelSelector{{{"app", "x"}}, {}}, 0, {}};
  EXPECT_TRUE(reference::pdb_covers(pdb, labelled, release("v1.34")));
  PodDisruptionBudget other = pdb;
  other.ns = "other";
  EXPECT_FALSE(reference::pdb_covers(other, labelled, release("v1.34")));
  other = pdb;
  other.selector.reset();
  EXPECT_FALSE(reference::pdb_covers(other, labelled, release("v1.38")));
  other.selector = LabelSelector{};
  EXPECT_FALSE(reference::pdb_covers(other, labelled, release("v1.37")));
  EXPECT_TRUE(reference::pdb_covers(other, pod("a", 0, 0), release("v1.38")));
  other.selector = LabelSelector{{}, {{"app", "DoesNotExist", {}}}};
  EXPECT_FALSE(reference::pdb_covers(other, pod("a", 0, 0), release("v1.37")));
  EXPECT_TRUE(reference::pdb_covers(other, pod("a", 0, 0), release("v1.38")));
}

// PRE-PDB-6
TEST(PdbCovers, ExemptsDisruptedPodsFrom119) {
  const PodDisruptionBudget pdb{"default", "b", LabelSelector{{{"app", "x"}}, {}}, 0, {"a"}};
  EXPECT_TRUE(reference::pdb_covers(pdb, with_app(pod("a", 0, 0), "x"), release("v1.18")));
  EXPECT_FALSE(reference::pdb_covers(pdb, with_app(pod("a", 0, 0), "x"), release("v1.19")));
  EXPECT_TRUE(reference::pdb_covers(pdb, with_app(pod("b", 0, 0), "x"), release("v1.19")));
}

// PRE-PDB-1
TEST(Pdbs, AreIgnoredBy18) {
  const Question question = QuestionBuilder()
                                .node("n1", 1000)
                                .has(with_app(pod("a", 1, 1000), "x"))
                                .node("n2", 1000)
                                .has(pod("b", 5, 1000))
                                .pdb("x", 0)
                                .asks(pod("p", 10, 1000));
  const auto chosen = [&](const char* name) {
    const Decision decision = decide(question, name);
    return decision.candidates[decision.chosen].node;
  };
  EXPECT_EQ(chosen("v1.8"), 0u);
  EXPECT_EQ(chosen("v1.9"), 1u);
}

// PRE-PDB-8, PRE-VICTIM-6: a PDB forbids no eviction. The violation is counted, and the pod is evicted.
TEST(Pdbs, ForbidNoEviction) {
  const Question question = QuestionBuilder()
                                .node("n1", 1000)
                                .has(with_app(pod("a", 1, 1000), "x"))
                                .pdb("x", 0)
                                .asks(pod("p", 10, 1000));
  for (const char* name : {"v1.9", "v1.18", "v1.34", "v1.37"}) {
    const Decision decision = decide(question, name);
    ASSERT_EQ(decision.outcome, Outcome::nominated) << name;
    EXPECT_EQ(decision.candidates[0].victims, std::vector<PodIndex>{0}) << name;
    EXPECT_EQ(decision.candidates[0].pdb_violations, 1) << name;
  }
}

// PRE-PDB-3, PRE-PDB-4, PRE-PDB-5: one disruption is left, and both pods would need it
TEST(Pdbs, AreAThresholdUpTo117) {
  EXPECT_EQ(violations(two_covered(1), "v1.17"), 0);
  for (const char* name : {"v1.18", "v1.19", "v1.36", "v1.37"})
    EXPECT_EQ(violations(two_covered(1), name), 1) << name;
  for (const char* name : {"v1.17", "v1.18", "v1.36", "v1.37"}) {
    EXPECT_EQ(violations(two_covered(0), name), 2) << name;
    EXPECT_EQ(violations(two_covered(2), name), 0) << name;
  }
}

// PRE-PDB-4, PRE-PDB-5: b1 has no disruption left and covers a alone; b2 has one and covers both pods. Does a
// use it up?
TEST(Pdbs, AreUsedUpByAViolatingPodFrom119To136) {
  Question question = two_covered(1);
  PodDisruptionBudget first = question.cluster.pdbs[0];
  first.name = "b1";
  first.disruptions_allowed = 0;
  first.selector = LabelSelector{{{"only", "a"}}, {}};
  question.cluster.pods[0].labels["only"] = "a";
  question.cluster.pdbs.insert(question.cluster.pdbs.begin(), first);
  EXPECT_EQ(violations(question, "v1.18"), 1);
  EXPECT_EQ(violations(question, "v1.19"), 2);
  EXPECT_EQ(violations(question, "v1.36"), 2);
  EXPECT_EQ(violations(question, "v1.37"), 1);
}

}  // namespace touchstone::tests::pdb_test
