#include "tests/optimized/agreed.hpp"
#include "tests/support/topology.hpp"

/// The smallest clusters of some clauses that generated cases rarely reach.
namespace touchstone::tests {

// PRE-AFFINITY-8
TEST(OptimizedExamples, NominatedPodsGoUnseenWhereNothingElseForbids) {
  const Question question = in_zones(QuestionBuilder()
                                         .node("n1", 2000)
                                         .nominated(away(pod("q", 10, 1000), {by("zone", "p")}))
                                         .asks(with_app(pod("p", 10, 1000), "p")),
                                     {"a"});
  EXPECT_EQ(agreed(question, "v1.26").outcome, Outcome::none);
  EXPECT_EQ(agreed(question, "v1.27").outcome, Outcome::fits);
}

// PRE-AFFINITY-6
TEST(OptimizedExamples, APodPutBackStandsAgainstEveryTerm) {
  const Question question = in_zones(QuestionBuilder()
                                         .node("n1", 3000)
                                         .has(with_app(pod("a", 5, 1000), "x"))
                                         .has(with_app(pod("b", 0, 1000), "y"))
                                         .asks(away(pod("p", 10, 1000), {by("rack", "x"), by("zone", "y")})),
                                     {"a"});
  EXPECT_EQ(agreed(question, "v1.17").victims, (std::vector<PodIndex>{0, 1}));
  EXPECT_EQ(agreed(question, "v1.18").victims, (std::vector<PodIndex>{1}));
}

// PRE-PDB-4, PRE-PDB-5
TEST(OptimizedExamples, OnlyTheFirstBudgetThatIsUsedUpIsHeldAgainstAPod) {
  Pod both = with_app(pod("a", 9, 1000), "x");
  both.labels["tier"] = "z";
  Question question = QuestionBuilder()
                          .node("n1", 2000)
                          .has(both)
                          .has(with_app(pod("b", 8, 1000), "x"))
                          .asks(pod("p", 10, 2000));
  question.cluster.pdbs.push_back({"default", "z", LabelSelector{{{"tier", "z"}}, {}}, 0, {}});
  question.cluster.pdbs.push_back({"default", "x", LabelSelector{{{"app", "x"}}, {}}, 1, {}});
  EXPECT_EQ(agreed(question, "v1.18").pdb_violations, 1);
  EXPECT_EQ(agreed(question, "v1.36").pdb_violations, 2);
}

}  // namespace touchstone::tests
