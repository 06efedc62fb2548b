#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "reference/preemption/preempt.hpp"
#include "tests/support/builder.hpp"

/// Tests which orders of pods and PDBs `anyOrder` tries, and that it tries none without need.
namespace touchstone::tests::orders_test {

namespace {

/// The names of the victims, and the number of PDB violations.
using Answer = std::pair<std::set<std::string>, Quantity>;
using Answers = std::set<Answer>;

AnyOrder within(const Question& question, std::size_t limit, const char* name) {
  return reference::any_order(question, release(name), limit);
}

Answer answer_of(const Question& question, const Candidate& chosen) {
  std::set<std::string> names;
  for (const PodIndex pod : chosen.victims) names.insert(question.cluster.pods[pod].name);
  return {names, chosen.pdb_violations};
}

Answers answers(const Question& question, const char* name) {
  const AnyOrder found = within(question, 1000, name);
  EXPECT_EQ(found.unknown, "");
  Answers all;
  for (const Candidate& answer : found.answers) all.insert(answer_of(question, answer));
  return all;
}

/// The pod with the labels that the selectors of these budgets match.
Pod protected_by(Pod pod, const std::vector<std::string>& pdbs) {
  for (const std::string& pdb : pdbs) pod.labels[pdb] = "yes";
  return pod;
}

/// A PDB that selects the pods with the label `name`.
PodDisruptionBudget budget(const std::string& name, Quantity allowed) {
  return {"default", name, LabelSelector{{{name, "yes"}}, {}}, allowed, {}};
}

/// Five equally important pods of 100 to 500 milli cpu fill n1. `pdbs` cover the first `covered` of them.
QuestionBuilder five_pods(std::size_t covered, const std::vector<std::string>& pdbs) {
  QuestionBuilder builder;
  builder.node("n1", 1500);
  for (std::size_t i = 0; i < 5; ++i) {
    const Pod one = pod("v" + std::to_string(i), 1, 100 * static_cast<Quantity>(i + 1));
    builder.has(i < covered ? protected_by(one, pdbs) : one);
  }
  return builder;
}

Question with_pdbs(Question question, std::vector<PodDisruptionBudget> pdbs) {
  question.cluster.pdbs = std::move(pdbs);
  return question;
}

/// Fits on n1 of five_pods() after some of the evictions.
const Pod k_preemptor = pod("p", 10, 900);

/// Equally important pods a (1000 milli cpu) and b (2000), with a more important pod m.
Question a_and_b(const std::vector<std::string>& of_m, const std::vector<std::string>& of_a_and_b) {
  return QuestionBuilder()
      .node("n1", 4000)
      .has(protected_by(pod("m", 2, 1000), of_m))
      .has(protected_by(pod("a", 1, 1000), of_a_and_b))
      .has(protected_by(pod("b", 1, 2000), of_a_and_b))
      .asks(pod("p", 10, 1000));
}

/// Pod a, which p would evict. `count` PDBs cover it, and each allows one disruption.
Question covered_by_pdbs(int count) {
  std::vector<std::string> names;
  std::vector<PodDisruptionBudget> pdbs;
  for (int i = 0; i < count; ++i) {
    names.push_back("x" + std::to_string(i));
    pdbs.push_back(budget(names.back(), 1));
  }
  return with_pdbs(
      QuestionBuilder().node("n1", 1000).has(protected_by(pod("a", 1, 1000), names)).asks(pod("p", 10, 1000)),
      std::move(pdbs));
}

const Answers k_either = {{{"a"}, 0}, {{"b"}, 0}};

}  // namespace

// PRE-ANYORDER-1, PRE-PDB-4: m violates x. If x comes before y, m spends nothing of y, and the order of a and
// b decides which of them spends it. `above` is no potential victim, and no PDB covers `below`.
TEST(AnyOrder, TriesOrdersOfPodsIfSeveralPdbsCoverAMoreImportantPod) {
  const Question question = with_pdbs(QuestionBuilder()
                                          .node("n1", 4000)
                                          .has(pod("above", 100, 0))
                                          .has(pod("below", 0, 0))
                                          .has(protected_by(pod("m", 2, 1000), {"x", "y"}))
                                          .has(protected_by(pod("a", 1, 1000), {"y"}))
                                          .has(protected_by(pod("b", 1, 2000), {"y"}))
                                          .asks(pod("p", 10, 1000)),
                                      {budget("x", 0), budget("y", 1)});
  for (const char* name : {"v1.18", "v1.37"})
    EXPECT_EQ(answers(question, name), (Answers{{{"a"}, 0}, {{"b"}, 0}, {{"a"}, 1}, {{"b"}, 1}})) << name;
}

// PRE-ANYORDER-1, PRE-PDB-5: m spends one of two disruptions. The order of a and b decides which of them
// spends the other.
TEST(AnyOrder, TriesOrdersOfPodsForTheBudgetThatMoreImportantPodsLeave) {
  const auto both = [](Quantity allowed, const Pod& third) {
    return with_pdbs(QuestionBuilder()
                         .node("n1", 3000 + third.containers[0].requests.at("cpu"))
                         .has(protected_by(pod("a", 2, 1000), {"x"}))
                         .has(protected_by(pod("b", 2, 2000), {"x"}))
                         .has(protected_by(third, {"x"}))
                         .asks(pod("p", 10, 1000)),
                     {budget("x", allowed)});
  };
  EXPECT_EQ(answers(both(2, pod("m", 3, 1000)), "v1.34"), k_either);
  // A less important pod spends nothing before them.
  EXPECT_EQ(answers(both(1, pod("c", 1, 1500)), "v1.34"), k_either);
}

// PRE-ANYORDER-1: the five pods have 120 orders, more than the limit of 100. The limit suffices if their
// order decides no violation, because then only one order is tried.
TEST(AnyOrder, TriesNoOrderThatDecidesNothing) {
  const auto unknown = [](const Question& question, const char* name) {
    const AnyOrder found = within(question, 100, name);
    EXPECT_FALSE(found.answers.empty()) << name;
    return found.unknown;
  };
  for (const char* name : {"v1.18", "v1.34", "v1.37"})
    EXPECT_EQ(unknown(with_pdbs(five_pods(5, {"x"}).asks(k_preemptor), {budget("x", 5)}), name), "")
        << "enough for all, " << name;
  EXPECT_EQ(unknown(with_pdbs(five_pods(2, {"x"}).asks(k_preemptor), {budget("x", 2)}), "v1.34"), "")
      << "enough for both that the PDB covers";
  EXPECT_EQ(unknown(with_pdbs(five_pods(5, {"x", "y"}).asks(k_preemptor), {budget("x", 5), budget("y", 5)}),
                    "v1.34"),
            "")
      << "enough of both PDBs for all";
  const Question above = five_pods(0, {}).has(protected_by(pod("m", 2, 0), {"x", "y"})).asks(k_preemptor);
  EXPECT_EQ(unknown(with_pdbs(above, {budget("x", 0), budget("y", 0)}), "v1.37"), "")
      << "no PDB covers the five";
}

// PRE-ANYORDER-1, PRE-PDB-4: three PDBs cover one pod, so their six orders count.
TEST(AnyOrder, TriesAllOrdersOfPdbsOrNone) {
  const Question question = with_pdbs(QuestionBuilder()
                                          .node("n1", 1000)
                                          .has(protected_by(pod("a", 1, 1000), {"x", "y", "z"}))
                                          .asks(pod("p", 10, 1000)),
                                      {budget("x", 0), budget("y", 1), budget("z", 1)});
  EXPECT_EQ(within(question, 5, "v1.37").unknown, "more than 5 orders of PDBs");
  EXPECT_EQ(within(question, 6, "v1.37").unknown, "");
}

// PRE-ANYORDER-1: both nodes exceed the limit. n2 has too many states, n1 too many orders, or without a PDB
// too many states.
TEST(AnyOrder, SaysHowTheFirstNodeExceedsTheLimit) {
  QuestionBuilder builder = five_pods(5, {"x"});
  builder.node("n2", 5000);
  for (int i = 1; i <= 9; ++i) builder.has(pod("w" + std::to_string(i), 1, 100 * i));
  const Question question = with_pdbs(builder.asks(k_preemptor), {budget("x", 2)});
  EXPECT_EQ(within(question, 8, "v1.34").unknown, "more than 8 orders of the pods of one node");
  EXPECT_EQ(within(with_pdbs(question, {}), 8, "v1.34").unknown, "more than 8 states of one node");
}

// PRE-ANYORDER-1, PRE-VICTIM-6: the eviction of a violates x, so a is reprieved first and b is the victim.
// Apart from that the two pods are alike.
TEST(AnyOrder, TellsPodsApartByTheirPdbs) {
  const Question question = with_pdbs(QuestionBuilder()
                                          .node("n1", 2000)
                                          .has(protected_by(pod("a", 1, 1000), {"x"}))
                                          .has(pod("b", 1, 1000))
                                          .asks(pod("p", 10, 1000)),
                                      {budget("x", 0)});
  EXPECT_EQ(answers(question, "v1.34"), (Answers{{{"b"}, 0}}));
}

// PRE-ANYORDER-2: if n1 keeps its large pod, it has two victims, and n2 is better. If n1 evicts its large pod
// alone, it ties with n2.
TEST(AnyOrder, ComparesEachVariantOfANode) {
  const Question question = QuestionBuilder()
                                .node("n1", 2000)
                                .has(pod("large", 1, 1000))
                                .has(pod("middle", 1, 600))
                                .has(pod("small", 1, 400))
                                .node("n2", 1000)
                                .has(pod("other", 1, 1000))
                                .asks(pod("p", 10, 1000));
  EXPECT_EQ(answers(question, "v1.34"), (Answers{{{"large"}, 0}, {{"other"}, 0}}));
}

// PRE-ANYORDER-2, PRE-VICTIM-7, PRE-NODE-2: in v1.28 the first victim of n1 is b, because it violates x. Its
// priority is lower than that of c. v1.34 sorts the victims again. Then the first one is a, whose priority is
// higher.
TEST(AnyOrder, RanksVariantsByTheFirstVictimOfTheRelease) {
  const Question question = with_pdbs(QuestionBuilder()
                                          .node("n1", 1000)
                                          .has(pod("a", 5, 500))
                                          .has(protected_by(pod("b", 1, 500), {"x"}))
                                          .node("n2", 1000)
                                          .has(protected_by(pod("c", 3, 1000), {"x"}))
                                          .asks(pod("p", 10, 1000)),
                                      {budget("x", 0)});
  EXPECT_EQ(answers(question, "v1.28"), (Answers{{{"a", "b"}, 1}}));
  EXPECT_EQ(answers(question, "v1.34"), (Answers{{{"c"}, 1}}));
}

// PRE-ANYORDER-1: one eviction is enough, and any of the pods may be the victim.
TEST(AnyOrder, HasOneAnswerForEachOfManyInterchangeablePods) {
  for (const std::size_t pods : {std::size_t{64}, std::size_t{192}}) {
    QuestionBuilder builder;
    builder.node("n1", static_cast<Quantity>(pods));
    for (std::size_t i = 0; i < pods; ++i) builder.has(pod("v" + std::to_string(i), 1, 1));
    Question question = builder.asks(pod("p", 10, 1));
    question.cluster.nodes[0].allocatable["pods"] = 1000;
    const AnyOrder found = within(question, 1000, "v1.34");
    ASSERT_EQ(found.answers.size(), pods);
    for (const Candidate& answer : found.answers) EXPECT_EQ(answer.victims.size(), 1U) << pods;
  }
}

// PRE-ANYORDER-1, PRE-PDB-4: if x comes before y, m violates x and spends nothing of y. Then the order of a
// and b decides which of them spends the budget of y. If y comes first, m spends it, and a and b violate y.
// Each of the three pods has a PDB.
TEST(AnyOrder, TriesOrdersOfPodsIfEachPodHasAPdb) {
  const Question question = with_pdbs(a_and_b({"x", "y"}, {"y"}), {budget("x", 0), budget("y", 1)});
  EXPECT_EQ(answers(question, "v1.37"), (Answers{{{"a"}, 0}, {{"b"}, 0}, {{"a"}, 1}, {{"b"}, 1}}));
}

// PRE-ANYORDER-1, PRE-PDB-5: the order of a and b decides which of them spends the budget of y, the second
// PDB. m spends nothing of it.
TEST(AnyOrder, TriesOrdersOfPodsForTheBudgetOfTheLastPdb) {
  EXPECT_EQ(answers(with_pdbs(a_and_b({}, {"y"}), {budget("x", 0), budget("y", 1)}), "v1.34"), k_either);
}

// PRE-ANYORDER-1, PRE-PDB-5: the budget is enough for v1 to v5, whose 120 orders are more than the limit of
// 100. It is not enough for w. But w is the only pod of its priority, so it has one order.
TEST(AnyOrder, TriesNoOrderOfPodsForWhichTheBudgetIsEnough) {
  QuestionBuilder builder;
  builder.node("n1", 1600);
  for (int i = 1; i <= 5; ++i) builder.has(protected_by(pod("v" + std::to_string(i), 2, 100 * i), {"x"}));
  const Question question =
      with_pdbs(builder.has(protected_by(pod("w", 1, 100), {"x"})).asks(pod("p", 10, 900)), {budget("x", 5)});
  const AnyOrder found = within(question, 100, "v1.34");
  EXPECT_EQ(found.unknown, "");
  EXPECT_FALSE(found.answers.empty());
}

// PRE-ANYORDER-1, PRE-PDB-5, PRE-VICTIM-6: the order of a, b and c decides which of them violate a PDB. The
// violating pods are reprieved in the same order. The answers are those of preemption under each of the six
// orders of the list of pods.
TEST(AnyOrder, ReprievesInTheOrderThatDecidesTheViolations) {
  const Question question = with_pdbs(QuestionBuilder()
                                          .node("n1", 2100)
                                          .has(protected_by(pod("a", 1, 100), {"x"}))
                                          .has(protected_by(pod("b", 1, 1000), {"x", "y"}))
                                          .has(protected_by(pod("c", 1, 1000), {"y"}))
                                          .asks(pod("p", 10, 1000)),
                                      {budget("x", 1), budget("y", 1)});
  Answers by_list_order;
  std::vector<std::size_t> order = {0, 1, 2};
  do {
    Question listed = question;
    for (std::size_t i = 0; i < order.size(); ++i) listed.cluster.pods[i] = question.cluster.pods[order[i]];
    const Decision decision = reference::preempt(listed, release("v1.34"));
    ASSERT_EQ(decision.outcome, Outcome::nominated);
    by_list_order.insert(answer_of(listed, decision.candidates[decision.chosen]));
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_EQ(by_list_order, (Answers{{{"b"}, 0}, {{"c"}, 0}, {{"c"}, 1}}));
  EXPECT_EQ(answers(question, "v1.34"), by_list_order);
}

// PRE-ANYORDER-3, PRE-SEARCH-4, PRE-SEARCH-5: every candidate violates a PDB, so the search visits all nodes.
// With a quota of 1 it keeps only the first candidate. The worse candidate, n2, wins if the search begins
// with n2.
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
TEST(AnyOrder, ListsTheVictimsInTheOrderOfTheCluster) {
  const Question question = QuestionBuilder()
                                .node("n1", 2000)
                                .has(pod("a", 1, 1000))
                                .has(pod("b", 2, 1000))
                                .asks(pod("p", 10, 2000));
  const AnyOrder found = within(question, 10, "v1.34");
  ASSERT_EQ(found.answers.size(), 1U);
  EXPECT_EQ(found.answers[0].victims, (std::vector<PodIndex>{0, 1}));
}

// PRE-ANYORDER-1, PRE-PDB-4, PRE-PDB-5: seven PDBs cover one pod. Their 5040 orders count only under
// PRE-PDB-4, which is the rule of v1.37. In v1.34 the pod spends every PDB that covers it.
TEST(AnyOrder, TriesNoOrderOfPdbsIfEachIsSpentOnItsOwn) {
  EXPECT_EQ(within(covered_by_pdbs(7), 100, "v1.34").unknown, "");
  EXPECT_EQ(within(covered_by_pdbs(7), 100, "v1.37").unknown, "more than 100 orders of PDBs");
}

// PRE-ANYORDER-1, PRE-PDB-4: 70 PDBs cover one pod. The number of their orders exceeds 64 bits.
TEST(AnyOrder, KnowsThatTheOrdersOfManyPdbsAreTooMany) {
  EXPECT_EQ(within(covered_by_pdbs(70), 10, "v1.37").unknown, "more than 10 orders of PDBs");
}

// PRE-ANYORDER-2: a and b are equally good victims and give one answer each. A limit of 1 is too low.
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

}  // namespace touchstone::tests::orders_test
