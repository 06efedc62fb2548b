// tests/reference/extenders/find_nodes_test.cpp
#include <gtest/gtest.h>

#include <algorithm>

#include "reference/extenders/extenders.hpp"
#include "tests/support/builder.hpp"
#include "tests/support/extenders.hpp"

namespace touchstone::tests::more_find_nodes_test {

using namespace reference;

namespace {

using Reasons = std::vector<std::string>;

Question two_nodes(std::vector<Extender> extenders, Quantity cpu_of_second = 4000) {
  Question question = QuestionBuilder().node("n0", 4000).node("n1", cpu_of_second).asks(pod("p", 10, 1000));
  question.extenders = std::move(extenders);
  return question;
}

FoundNodes found(const Question& question, const Release& by, Trace& trace) {
  const Cycle cycle(question, by, trace);
  return find_nodes(cycle, filter_nodes(cycle), question.start);
}

FoundNodes found(const Question& question, std::string_view name) {
  Trace trace = Trace::none();
  return found(question, release(name), trace);
}

}  // namespace

// EXT-NOMINATED-1, EXT-FILTER-3: the nominated node n1 does not fit, so no extender is asked about it first.
// The extender rejects n0 once, and gives one reason.
TEST(FindNodes, AsksOnceIfTheNominatedNodeIsNotTheOneThatIsFound) {
  Question question = two_nodes({filters({{"n0", rejected("no")}})}, 500);
  question.pod.nominated_node_name = "n1";
  for (const char* name : {"v1.22", "v1.31", "v1.36"})
    EXPECT_EQ(found(question, name).first_pass.status.at(0).reasons, (Reasons{"no"})) << name;
}

// EXT-NOMINATED-1, EXT-ERROR-1: the extender fails on the nominated node n1. Then all nodes are filtered, so
// n0 has a status, too.
TEST(FindNodes, FiltersAllNodesAfterAnErrorOnTheNominatedNode) {
  Question question = two_nodes({failing(filters({}), "no answer")});
  question.cluster.nodes[0].allocatable["cpu"] = 500;
  question.pod.nominated_node_name = "n1";
  const FoundNodes nodes = found(question, "v1.36");
  EXPECT_EQ(nodes.first_pass.error, "no answer");
  EXPECT_EQ(nodes.first_pass.status.at(0).reasons, (Reasons{"Insufficient cpu"}));
}

// EXT-FILTER-2, EXT-DROP-1: the extender passes n1, and leaves out n0.
TEST(FindNodes, RecordsNothingAboutANodeThatExtendersPass) {
  for (const char* name : {"v1.31", "v1.36"}) {
    Trace trace = Trace::full();
    found(two_nodes({filters({{"n1", ok()}})}), release(name), trace);
    std::vector<Step> steps;
    std::copy_if(trace.steps().begin(), trace.steps().end(), std::back_inserter(steps),
                 [](const Step& step) { return step.clause.starts_with("EXT-"); });
    ASSERT_EQ(steps.size(), 1U) << name;
    EXPECT_EQ(steps[0].node, 0U);
    EXPECT_EQ(steps[0].clause, "EXT-DROP-1");
    EXPECT_EQ(steps[0].what, "an extender leaves out the node");
    EXPECT_FALSE(steps[0].passed);
  }
}

// EXT-DROP-1, PRE-PREFILTER-3: the pod is pinned to n0. n1 to n3 are excluded. The extender leaves out n0,
// which has no status then.
TEST(FindNodes, RecordsANodeWithoutAStatusBesideExcludedNodes) {
  for (const char* name : {"v1.29", "v1.30", "v1.31"}) {
    Question question = QuestionBuilder()
                            .node("n0", 4000)
                            .node("n1", 4000)
                            .node("n2", 4000)
                            .node("n3", 4000)
                            .asks(pod("p", 10, 1000));
    question.extenders = {filters({})};
    question.start = 0;
    question.pod.node_affinity = {NodeSelectorTerm{{}, {{"metadata.name", "In", {"n0"}}}}};
    Trace trace = Trace::full();
    found(question, release(name), trace);
    EXPECT_EQ(trace.steps().back().clause, "EXT-DROP-1") << name;
    EXPECT_EQ(trace.steps().back().node, 0U) << name;
  }
}

}  // namespace touchstone::tests::more_find_nodes_test
