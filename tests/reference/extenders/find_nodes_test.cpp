#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "reference/extenders/extenders.hpp"
#include "tests/support/builder.hpp"
#include "tests/support/extenders.hpp"

namespace touchstone::tests::find_nodes_test {

using namespace reference;

namespace {

using Nodes = std::vector<NodeIndex>;
using Reasons = std::vector<std::string>;

Question two_nodes(std::vector<Extender> extenders, Quantity cpu_of_second = 4000) {
  Question question = QuestionBuilder().node("n0", 4000).node("n1", cpu_of_second).asks(pod("p", 10, 1000));
  question.extenders = std::move(extenders);
  return question;
}

FoundNodes found(const Question& question, std::string_view name, Trace& trace) {
  const Release by = release(name);
  const Cycle cycle(question, by, trace);
  return find_nodes(cycle, filter_nodes(cycle), question.start);
}

FoundNodes found(const Question& question, std::string_view name) {
  Trace trace = Trace::none();
  return found(question, name, trace);
}

/// The steps that cite a clause of extenders.
std::vector<Step> steps_of_extenders(const Trace& trace) {
  std::vector<Step> steps;
  std::copy_if(trace.steps().begin(), trace.steps().end(), std::back_inserter(steps),
               [](const Step& step) { return step.clause.starts_with("EXT-"); });
  return steps;
}

}  // namespace

// EXT-FILTER-1
TEST(FindNodes, AsksNoExtenderIfNoNodePassesTheFilters) {
  Question question = two_nodes({failing(filters({}))});
  question.pod.containers[0].requests["cpu"] = 5000;
  const FoundNodes nodes = found(question, "v1.36");
  EXPECT_TRUE(nodes.first_pass.error.empty());
  EXPECT_EQ(nodes.first_pass.status.size(), 2U);
}

// PRE-CYCLE-2
TEST(FindNodes, KeepsTheErrorOfTheFirstPass) {
  Question question = two_nodes({filters({})});
  question.cluster.nodes.clear();
  EXPECT_EQ(found(question, "v1.36").first_pass.error, "no nodes available to schedule pods");
}

// EXT-FILTER-1
TEST(FindNodes, SetsTheFeasibleNodesInTheOrderOfTheCluster) {
  Question question = two_nodes({filters({{"n0", ok()}, {"n1", ok()}})});
  question.start = 1;
  const FoundNodes nodes = found(question, "v1.36");
  EXPECT_EQ(nodes.search.feasible, (Nodes{1, 0}));
  EXPECT_EQ(nodes.first_pass.feasible, (Nodes{0, 1}));
}

// EXT-RECORD-1
TEST(FindNodes, SaysWhichRecordsAreReplaced) {
  const std::map<std::string, FilterEntry> second = {{"n1", ok()}};
  EXPECT_EQ(found(two_nodes({filters(second)}), "v1.33").bare, (std::set<NodeIndex>{1}));
  EXPECT_TRUE(found(two_nodes({filters(second)}), "v1.32").bare.empty());
  EXPECT_TRUE(found(two_nodes({filters_names(second)}), "v1.33").bare.empty());
}

// EXT-NOMINATED-1
TEST(FindNodes, DoesNotAskAgainIfTheNominatedNodeDoesNotFit) {
  Question question = two_nodes({filters({})}, 500);
  question.pod.nominated_node_name = "n1";
  const FoundNodes nodes = found(question, "v1.31");
  EXPECT_TRUE(nodes.search.feasible.empty());
  EXPECT_EQ(nodes.first_pass.dropped, (std::set<NodeIndex>{0}));
}

// CYC-SEARCH-4, EXT-NOMINATED-1: the nominated node has a status, and the search finds the node again
TEST(FindNodes, CountsANominatedNodeThatAnExtenderRejectsOnceMore) {
  Question question = two_nodes({filters({{"n0", ok()}, {"n1", rejected("no")}})});
  question.pod.nominated_node_name = "n1";
  question.start = 0;
  EXPECT_EQ(found(question, "v1.36").search.next_start, 1);
  question.extenders = {filters({{"n0", ok()}})};
  EXPECT_EQ(found(question, "v1.36").search.next_start, 0);
}

// EXT-NOMINATED-1, PRE-CYCLE-3: before v1.22 the nominated node is not tried first. If an extender rejects it
// although it is the only feasible node, the filters do not run again.
TEST(FindNodes, FiltersNodesOnceIfTheNominatedNodeIsNotFirst) {
  Question question = two_nodes({filters({{"n1", rejected("no")}})});
  question.cluster.nodes[0].allocatable["cpu"] = 500;
  question.pod.nominated_node_name = "n1";
  Trace trace = Trace::full();
  found(question, "v1.21", trace);
  const auto is_about_n0 = [](const Step& step) { return step.node == 0U; };
  EXPECT_EQ(std::count_if(trace.steps().begin(), trace.steps().end(), is_about_n0), 1);
}

// EXT-DROP-1, PRE-PREFILTER-3
TEST(FindNodes, KeepsTheStatusOfExcludedNodes) {
  Question question = two_nodes({filters({})});
  question.start = 0;
  question.pod.node_affinity = {NodeSelectorTerm{{}, {{"metadata.name", "In", {"n0"}}}}};
  const FoundNodes nodes = found(question, "v1.36");
  EXPECT_EQ(nodes.first_pass.excluded, (std::set<NodeIndex>{1}));
  EXPECT_FALSE(nodes.first_pass.status.at(1).reasons.empty());
}

// EXT-FILTER-2, EXT-DROP-1
TEST(FindNodes, RecordsWhatExtendersReject) {
  Trace trace = Trace::full();
  found(two_nodes({filters({{"n0", rejected("no")}})}), "v1.36", trace);
  std::vector<std::string_view> clauses;
  const std::vector<Step> steps = steps_of_extenders(trace);
  for (const Step& step : steps) clauses.push_back(step.clause);
  EXPECT_EQ(clauses, (std::vector<std::string_view>{"EXT-FILTER-2", "EXT-DROP-1"}));
  Trace second = Trace::full();
  found(two_nodes({filters({{"n0", ok()}})}), "v1.31", second);
  EXPECT_EQ(second.steps().back().clause, "EXT-DROP-1");
  EXPECT_EQ(second.steps().back().node, 1U);
}

// EXT-NOMINATED-1, EXT-FILTER-3: the nominated node n1 does not fit, so the extender is not asked about n1
// alone. It is asked once, rejects n0, and gives one reason.
TEST(FindNodes, AsksOnceIfTheNominatedNodeDoesNotFit) {
  Question question = two_nodes({filters({{"n0", rejected("no")}})}, 500);
  question.pod.nominated_node_name = "n1";
  for (const char* name : {"v1.22", "v1.31", "v1.36"})
    EXPECT_EQ(found(question, name).first_pass.status.at(0).reasons, (Reasons{"no"})) << name;
}

// EXT-NOMINATED-1, EXT-ERROR-1: the extender fails on the nominated node n1. Then all nodes are filtered, so
// n0 has a status.
TEST(FindNodes, FiltersAllNodesAfterAnErrorOnTheNominatedNode) {
  Question question = two_nodes({failing(filters({}), "no answer")});
  question.cluster.nodes[0].allocatable["cpu"] = 500;
  question.pod.nominated_node_name = "n1";
  const FoundNodes nodes = found(question, "v1.36");
  EXPECT_EQ(nodes.first_pass.error, "no answer");
  EXPECT_EQ(nodes.first_pass.status.at(0).reasons, (Reasons{"Insufficient cpu"}));
}

// EXT-FILTER-2, EXT-DROP-1: the extender passes n1, and leaves out n0. Only n0 has a step.
TEST(FindNodes, RecordsNothingAboutANodeThatExtendersPass) {
  for (const char* name : {"v1.31", "v1.36"}) {
    Trace trace = Trace::full();
    found(two_nodes({filters({{"n1", ok()}})}), name, trace);
    const std::vector<Step> steps = steps_of_extenders(trace);
    ASSERT_EQ(steps.size(), 1U) << name;
    EXPECT_EQ(steps[0].node, 0U);
    EXPECT_EQ(steps[0].clause, "EXT-DROP-1");
    EXPECT_EQ(steps[0].what, "an extender leaves out the node");
    EXPECT_FALSE(steps[0].passed);
  }
}

// EXT-DROP-1, PRE-PREFILTER-3: the pod is pinned to n0, so n1 to n3 are excluded. The extender leaves out n0,
// which then has no status.
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
    found(question, name, trace);
    ASSERT_FALSE(trace.steps().empty()) << name;
    EXPECT_EQ(trace.steps().back().clause, "EXT-DROP-1") << name;
    EXPECT_EQ(trace.steps().back().node, 0U) << name;
  }
}

}  // namespace touchstone::tests::find_nodes_test
