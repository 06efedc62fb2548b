#include <gtest/gtest.h>

#include "reference/scores/scores.hpp"
#include "tests/support/builder.hpp"

namespace touchstone::tests::preferred_node_affinity_test {

namespace {

using Points = std::vector<Quantity>;
using Terms = std::vector<PreferredNodeTerm>;

const Requirement k_on_ssd = {"disk", "In", {"ssd"}};
const Requirement k_is_n1 = {"metadata.name", "In", {"n1"}};

/// The scores of n1, which has the labels disk=ssd and gen=2, n2, which has disk=ssd, and n3.
reference::Scores scores_of(const Terms& terms, const Release& release) {
  Pod p = pod("p", 0, 100);
  p.preferred_node_affinity = terms;
  Question question = QuestionBuilder().node("n1", 4000).node("n2", 4000).node("n3", 4000).asks(std::move(p));
  question.cluster.nodes[0].labels = {{"disk", "ssd"}, {"gen", "2"}};
  question.cluster.nodes[1].labels = {{"disk", "ssd"}};
  Trace trace = Trace::none();
  const reference::Cycle cycle(question, release, trace);
  return reference::preferred_node_affinity(cycle, {0, 1, 2});
}

reference::Scores scores_of(const Terms& terms, std::string_view name) {
  return scores_of(terms, release(name));
}

}  // namespace

// SCORE-NODEAFFINITY-1
TEST(PreferredNodeAffinity, AddsTheWeightsOfTheTermsThatHold) {
  const Terms terms = {{5, {{k_on_ssd}, {}}}, {10, {{{"gen", "Gt", {"1"}}}, {}}}};
  EXPECT_EQ(scores_of(terms, "v1.37"), Points({100, 33, 0}));
  EXPECT_EQ(scores_of(terms, "v1.8"), Points({10, 3, 0}));
}

// SCORE-NODEAFFINITY-1
TEST(PreferredNodeAffinity, CountsFieldsFromV1_20) {
  const Terms fields_alone = {{5, {{}, {k_is_n1}}}};
  EXPECT_EQ(scores_of(fields_alone, "v1.19"), Points({0, 0, 0}));
  EXPECT_EQ(scores_of(fields_alone, "v1.20"), Points({100, 0, 0}));
  const Terms both = {{5, {{k_on_ssd}, {k_is_n1}}}};
  EXPECT_EQ(scores_of(both, "v1.19"), Points({100, 100, 0}));
  EXPECT_EQ(scores_of(both, "v1.20"), Points({100, 0, 0}));
}

// SCORE-NODEAFFINITY-1
TEST(PreferredNodeAffinity, IgnoresAnEmptyTerm) {
  EXPECT_EQ(scores_of({{5, {}}}, "v1.19"), Points({0, 0, 0}));
  EXPECT_EQ(scores_of({{5, {}}}, "v1.20"), Points({0, 0, 0}));
}

// SCORE-NODEAFFINITY-2
TEST(PreferredNodeAffinity, IsSkippedWithoutTermsFromV1_30) {
  EXPECT_EQ(scores_of({}, "v1.29"), Points({0, 0, 0}));
  EXPECT_EQ(scores_of({}, "v1.30"), std::nullopt);
  EXPECT_EQ(scores_of({{5, {}}}, "v1.30"), Points({0, 0, 0}));
}

// SCORE-NODEAFFINITY-3
TEST(PreferredNodeAffinity, CountsTheTermsOfTheConfiguration) {
  Release configured = release("v1.37");
  configured.added_preferred_terms = {{5, {{k_on_ssd}, {}}}};
  EXPECT_EQ(scores_of({}, configured), Points({100, 100, 0}));
  EXPECT_EQ(scores_of({{5, {{}, {k_is_n1}}}}, configured), Points({100, 50, 0}));
}

}  // namespace touchstone::tests::preferred_node_affinity_test
