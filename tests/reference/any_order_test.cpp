#include <gtest/gtest.h>

#include "reference/preempt.hpp"
#include "tests/support/builder.hpp"

/// The limits of `anyOrder`, and single cases of what the laws hold it against by brute force.
namespace touchstone::tests {

namespace {

AnyOrder ask(const Question& question, std::size_t limit, const char* name = "v1.34") {
  return reference::any_order(question, release(name), limit);
}

/// Pods of one importance on n1, that differ in size, all under one PDB if `app` is given.
Question pods_of_sizes(std::vector<Quantity> sizes, Quantity wanted, const std::string& app = "") {
  QuestionBuilder builder;
  Quantity total = 0;
  for (const Quantity size : sizes) total += size;
  builder.node("n1", total);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const Pod made = pod("v" + std::to_string(i), 1, sizes[i]);
    builder.has(app.empty() ? made : with_app(made, app));
  }
  return builder.asks(pod("p", 10, wanted));
}

}  // namespace

// PRE-ANYORDER-1
TEST(AnyOrder, TakesInterchangeablePodsForOne) {
  const AnyOrder found = ask(pods_of_sizes(std::vector<Quantity>(12, 1000), 1000), 1000);
  EXPECT_EQ(found.unknown, "");
  EXPECT_EQ(found.answers.size(), 12u);
}

// PRE-ANYORDER-1
TEST(AnyOrder, SaysWhenThereIsTooMuchToTell) {
  const std::vector<Quantity> sizes = {100, 200, 300, 400, 500};
  EXPECT_NE(ask(pods_of_sizes(sizes, 500), 2).unknown, "");
  EXPECT_TRUE(ask(pods_of_sizes(sizes, 500), 2).answers.empty());
  EXPECT_EQ(ask(pods_of_sizes(sizes, 500), 1000).unknown, "");
  // 924 sets of six out of twelve alike.
  EXPECT_NE(ask(pods_of_sizes(std::vector<Quantity>(12, 1000), 6000), 500).unknown, "");
  EXPECT_EQ(ask(pods_of_sizes(std::vector<Quantity>(12, 1000), 6000), 1000).answers.size(), 924u);
}

// PRE-ANYORDER-1, PRE-PDB-5
TEST(AnyOrder, TriesOrdersThatDecideWhoSpendsTheBudget) {
  Question question = pods_of_sizes({100, 200, 300, 400, 500}, 900, "x");
  question.cluster.pdbs.push_back({"default", "x", LabelSelector{{{"app", "x"}}, {}}, 2, {}});
  EXPECT_EQ(ask(question, 1000).unknown, "");
  EXPECT_NE(ask(question, 100).unknown, "");  // of 120 orders
  question.cluster.pdbs[0].disruptions_allowed = 0;
  EXPECT_EQ(ask(question, 100).unknown, "");  // every order violates
}

// PRE-ANYORDER-1, PRE-PDB-1, PRE-PDB-3
TEST(AnyOrder, TriesNoOrderOfPodsBeforePdbsHadABudgetToSpend) {
  Question question = pods_of_sizes({100, 200, 300, 400, 500}, 900, "x");
  question.cluster.pdbs.push_back({"default", "x", LabelSelector{{{"app", "x"}}, {}}, 2, {}});
  for (const char* name : {"v1.8", "v1.9"}) {
    EXPECT_EQ(ask(question, 100, name).unknown, "") << name;
    EXPECT_FALSE(ask(question, 100, name).answers.empty()) << name;
  }
}

// PRE-ANYORDER-1, PRE-VICTIM-2
TEST(AnyOrder, LeavesOutNodesWhereEvictionDoesNotHelp) {
  const Question question = QuestionBuilder()
                                .node("n1", 1000)
                                .has(pod("v1", 20, 1000))
                                .node("n2", 1000)
                                .has(pod("v2", 1, 1000))
                                .asks(pod("p", 10, 1000));
  const AnyOrder found = ask(question, 100);
  ASSERT_EQ(found.answers.size(), 1u);
  EXPECT_EQ(found.answers[0].node, 1u);
}

// PRE-ANYORDER-2
TEST(AnyOrder, LimitsTheAnswersAsAWhole) {
  QuestionBuilder builder;
  for (int i = 0; i < 6; ++i)
    builder.node("n" + std::to_string(i), 1000).has(pod("v" + std::to_string(i), 1, 1000));
  const Question question = builder.asks(pod("p", 10, 1000));
  EXPECT_EQ(ask(question, 6).answers.size(), 6u);
  EXPECT_NE(ask(question, 5).unknown, "");
}

// PRE-ANYORDER-1, PRE-PDB-4
TEST(AnyOrder, TriesOrdersOfPdbsThatShareAPod) {
  QuestionBuilder builder;
  Pod both = with_app(pod("v1", 9, 1000), "x");
  both.labels["tier"] = "y";
  Pod one = pod("v2", 8, 1000);
  one.labels["tier"] = "y";
  builder.node("n1", 2000).has(both).has(one);
  Question question =
      builder.node("n2", 2000).has(with_app(pod("w1", 50, 2000), "z")).asks(pod("p", 100, 2000));
  question.cluster.pdbs = {{"default", "x", LabelSelector{{{"app", "x"}}, {}}, 0, {}},
                           {"default", "y", LabelSelector{{{"tier", "y"}}, {}}, 1, {}},
                           {"default", "z", LabelSelector{{{"app", "z"}}, {}}, 0, {}}};
  EXPECT_EQ(ask(question, 100, "v1.37").answers.size(), 2u);
  EXPECT_EQ(ask(question, 100, "v1.36").answers.size(), 1u);
  EXPECT_NE(ask(question, 1, "v1.37").unknown, "");
  Question three = question;
  three.cluster.pdbs.push_back(three.cluster.pdbs[0]);
  EXPECT_NE(ask(three, 1, "v1.37").unknown, "");  // of six orders
  // Who cannot be a victim entangles nothing.
  Question spared = question;
  spared.cluster.pods[0].priority = 100;
  EXPECT_EQ(ask(spared, 1, "v1.37").unknown, "");
  spared.cluster.pods[0] = question.cluster.pods[0];
  spared.cluster.pods[0].node_name.clear();
  EXPECT_EQ(ask(spared, 1, "v1.37").unknown, "");
  // Enough for the two orders of PDBs, but not for the three answers on a node more.
  Question larger = question;
  for (const char* name : {"u1", "u2", "u3"}) {
    larger.cluster.pods.push_back(pod(name, 1, 1000));
    larger.cluster.pods.back().node_name = "n3";
  }
  larger.cluster.nodes.push_back(larger.cluster.nodes[0]);
  larger.cluster.nodes.back().name = "n3";
  larger.cluster.nodes.back().allocatable["cpu"] = 4000;
  EXPECT_NE(ask(larger, 2, "v1.37").unknown, "");
}

// PRE-ANYORDER-3
TEST(AnyOrder, LetsASearchMissWhatWouldBeBetter) {
  QuestionBuilder builder;
  for (int i = 0; i < 4; ++i) {
    builder.node("n" + std::to_string(i), 1000);
    const Pod victim = pod("v" + std::to_string(i), i, 1000);
    builder.has(i < 2 ? with_app(victim, "x") : victim);
  }
  Question question = builder.pdb("x", 0).asks(pod("p", 10, 1000));
  const auto nodes = [&](Quantity quota) {
    question.quota = quota;
    std::vector<NodeIndex> found;
    for (const Candidate& answer : ask(question, 100).answers) found.push_back(answer.node);
    return found;
  };
  EXPECT_EQ(nodes(0), (std::vector<NodeIndex>{}));
  EXPECT_EQ(nodes(1),
            (std::vector<NodeIndex>{2, 3}));  // a violating one never: n2 and n3 are found in the end
  EXPECT_EQ(nodes(2), (std::vector<NodeIndex>{2, 3}));
  EXPECT_EQ(nodes(4), (std::vector<NodeIndex>{2}));
  question.quota.reset();
  EXPECT_EQ(ask(question, 100).answers.size(), 1u);
  EXPECT_EQ(ask(question, 100, "v1.19").answers.size(), 1u);
}

}  // namespace touchstone::tests
