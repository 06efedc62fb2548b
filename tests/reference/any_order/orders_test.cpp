#include <gtest/gtest.h>

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
  const Answers either = {{{"a"}, 0}, {{"b"}, 0}};
  EXPECT_EQ(answers(both(2, pod("m", 3, 1000)), "v1.34"), either);
  // A less important pod spends nothing before them.
  EXPECT_EQ(answers(both(1, pod("c", 1, 1500)), "v1.34"), either);
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

}  // namespace touchstone::tests::orders_test
