// tests/reference/any_order/orders_test.cpp
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "reference/preemption/preempt.hpp"
#include "tests/support/builder.hpp"

namespace touchstone::tests::more_orders_test {

namespace {

/// The names of the victims, and the number of PDB violations.
using Answer = std::pair<std::set<std::string>, Quantity>;
using Answers = std::set<Answer>;

AnyOrder within(const Question& question, std::size_t limit, const char* name) {
  return reference::any_order(question, release(name), limit);
}

Answers answers(const Question& question, const char* name) {
  const AnyOrder found = within(question, 1000, name);
  EXPECT_EQ(found.unknown, "");
  Answers all;
  for (const Candidate& answer : found.answers) {
    std::set<std::string> names;
    for (const PodIndex pod : answer.victims) names.insert(question.cluster.pods[pod].name);
    all.insert({names, answer.pdb_violations});
  }
  return all;
}

Pod protected_by(Pod pod, const std::vector<std::string>& pdbs) {
  for (const std::string& pdb : pdbs) pod.labels[pdb] = "yes";
  return pod;
}

PodDisruptionBudget budget(const std::string& name, Quantity allowed) {
  return {"default", name, LabelSelector{{{name, "yes"}}, {}}, allowed, {}};
}

Question with_pdbs(Question question, std::vector<PodDisruptionBudget> pdbs) {
  question.cluster.pdbs = std::move(pdbs);
  return question;
}

/// Equally important pods a (1000 milli cpu) and b (2000), with a more important pod m.
Question a_and_b(const std::vector<std::string>& of_m, const std::vector<std::string>& of_a_and_b) {
  return QuestionBuilder()
      .node("n1", 4000)
      .has(protected_by(pod("m", 2, 1000), of_m))
      .has(protected_by(pod("a", 1, 1000), of_a_and_b))
      .has(protected_by(pod("b", 1, 2000), of_a_and_b))
      .asks(pod("p", 10, 1000));
}

const Answers k_either = {{{"a"}, 0}, {{"b"}, 0}};

}  // namespace

// PRE-ANYORDER-1, PRE-PDB-4: m violates x, and so spends nothing of y, in the only order of the PDBs that the
// names allow. The order of a and b decides which of them spends y. Every pod has a PDB.
TEST(AnyOrder, TriesOrdersOfPodsIfEveryPodHasAPdb) {
  const Question question = with_pdbs(a_and_b({"x", "y"}, {"y"}), {budget("x", 0), budget("y", 1)});
  EXPECT_TRUE(answers(question, "v1.37").contains({{"a"}, 0}));
  EXPECT_TRUE(answers(question, "v1.37").contains({{"b"}, 0}));
}

// PRE-ANYORDER-1, PRE-PDB-5: the second PDB decides, whose budget the more important pod does not spend.
TEST(AnyOrder, TriesOrdersOfPodsForABudgetOfTheLastPdb) {
  EXPECT_EQ(answers(with_pdbs(a_and_b({}, {"y"}), {budget("x", 0), budget("y", 1)}), "v1.34"), k_either);
}

// PRE-ANYORDER-1, PRE-PDB-5: the budget is enough for the five more important pods, whose 120 orders are more
// than the limit. It is not enough for the less important pod, whose one order decides nothing.
TEST(AnyOrder, TriesNoOrderOfPodsForWhichTheBudgetIsEnough) {
  QuestionBuilder builder;
  builder.node("n1", 1600);
  for (int i = 1; i <= 5; ++i) builder.has(protected_by(pod("v" + std::to_string(i), 2, 100 * i), {"x"}));
  const Question question =
      with_pdbs(builder.has(protected_by(pod("w", 1, 100), {"x"})).asks(pod("p", 10, 900)), {budget("x", 5)});
  EXPECT_EQ(within(question, 100, "v1.34").unknown, "");
}

// PRE-ANYORDER-1, PRE-PDB-5, PRE-VICTIM-6: the order of a, b and c decides which of them violate a PDB. The
// violating pods are reprieved in that same order, so not every order of them belongs to the same violations.
TEST(AnyOrder, ReprievesInTheOrderThatDecidesTheViolations) {
  const Question question = with_pdbs(QuestionBuilder()
                                          .node("n1", 2100)
                                          .has(protected_by(pod("a", 1, 100), {"x"}))
                                          .has(protected_by(pod("b", 1, 1000), {"x", "y"}))
                                          .has(protected_by(pod("c", 1, 1000), {"y"}))
                                          .asks(pod("p", 10, 1000)),
                                      {budget("x", 1), budget("y", 1)});
  std::set<Answer> by_list_order;
  std::vector<std::size_t> order = {0, 1, 2};
  do {
    Question listed = question;
    for (std::size_t i = 0; i < order.size(); ++i) listed.cluster.pods[i] = question.cluster.pods[order[i]];
    const Decision decision = reference::preempt(listed, release("v1.34"));
    const Candidate& chosen = decision.candidates[decision.chosen];
    std::set<std::string> names;
    for (const PodIndex pod : chosen.victims) names.insert(listed.cluster.pods[pod].name);
    by_list_order.insert({names, chosen.pdb_violations});
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_EQ(answers(question, "v1.34"), by_list_order);
}

// PRE-ANYORDER-3, PRE-SEARCH-5: every candidate violates a PDB, so the search visits all nodes and keeps the
// first one that it finds. The worse candidate wins if the search begins with it.
TEST(AnyOrder, LetsAWorseCandidateWinIfAllViolateAPdb) {
  Question question = with_pdbs(QuestionBuilder()
                                    .node("n1", 1000)
                                    .has(protected_by(pod("a", 1, 1000), {"x"}))
                                    .node("n2", 1000)
                                    .has(protected_by(pod("b", 2, 1000), {"x"}))
                                    .asks(pod("p", 10, 1000)),
                                {budget("x", 0)});
  question.quota = 1;
  EXPECT_EQ(answers(question, "v1.34"), (Answers{{{"a"}, 1}, {{"b"}, 1}}));
}

// PRE-ANYORDER-1: the victims of an answer are in the order of the cluster, whatever their importance is.
TEST(AnyOrder, SortsTheVictims) {
  const Question question = QuestionBuilder()
                                .node("n1", 2000)
                                .has(pod("a", 1, 1000))
                                .has(pod("b", 2, 1000))
                                .asks(pod("p", 10, 2000));
  const AnyOrder found = within(question, 10, "v1.34");
  ASSERT_EQ(found.answers.size(), 1U);
  EXPECT_EQ(found.answers[0].victims, (std::vector<PodIndex>{0, 1}));
}

// PRE-ANYORDER-1, PRE-PDB-5: seven PDBs cover one pod. Their 5040 orders count only under PRE-PDB-4.
TEST(AnyOrder, TriesNoOrderOfPdbsIfEachIsSpentOnItsOwn) {
  std::vector<std::string> names;
  std::vector<PodDisruptionBudget> pdbs;
  for (int i = 0; i < 7; ++i) {
    names.push_back("x" + std::to_string(i));
    pdbs.push_back(budget(names.back(), 1));
  }
  const Question question = with_pdbs(
      QuestionBuilder().node("n1", 1000).has(protected_by(pod("a", 1, 1000), names)).asks(pod("p", 10, 1000)),
      pdbs);
  EXPECT_EQ(within(question, 100, "v1.34").unknown, "");
  EXPECT_EQ(within(question, 100, "v1.37").unknown.substr(0, 13), "more than 100");
}

// PRE-ANYORDER-1, PRE-PDB-4: 70 PDBs cover one pod. The number of their orders exceeds 64 bits.
TEST(AnyOrder, KnowsThatTheOrdersOfManyPdbsAreTooMany) {
  std::vector<std::string> names;
  std::vector<PodDisruptionBudget> pdbs;
  for (int i = 0; i < 70; ++i) {
    names.push_back("x" + std::to_string(i));
    pdbs.push_back(budget(names.back(), 1));
  }
  const Question question = with_pdbs(
      QuestionBuilder().node("n1", 1000).has(protected_by(pod("a", 1, 1000), names)).asks(pod("p", 10, 1000)),
      pdbs);
  EXPECT_EQ(within(question, 10, "v1.37").unknown, "more than 10 orders of PDBs");
}

// PRE-ANYORDER-1: a and b give one answer each.
TEST(AnyOrder, GivesNoAnswersIfThereAreTooMany) {
  const Question question = QuestionBuilder()
                                .node("n1", 1000)
                                .has(pod("a", 1, 1000))
                                .node("n2", 1000)
                                .has(pod("b", 1, 1000))
                                .asks(pod("p", 10, 1000));
  EXPECT_EQ(within(question, 2, "v1.34").answers.size(), 2U);
  const AnyOrder found = within(question, 1, "v1.34");
  EXPECT_EQ(found.unknown, "more than 1 answers");
  EXPECT_TRUE(found.answers.empty());
}

}  // namespace touchstone::tests::more_orders_test
